import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { MemoryKeyring } from '../../exchange/index.ts';
import { HttpClient } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { type Identity, identityFrom, newIdentitySecret, type Oid } from '../../soif/index.ts';
import type { ListedServer } from '../directory.ts';
import { AddressProofs } from './address-proofs.ts';

const identity = () => identityFrom(newIdentitySecret());
const named = ({ serverId, publicKey }: Identity, prefix?: string) => ({
  ...{ id: serverId, key: Buffer.from(publicKey).toString('base64url') },
  ...(prefix !== undefined && { prefix }),
});

/** A site that serves this document, and counts the requests for it. */
async function openSite(document: () => unknown) {
  const asked: string[] = [];
  const server: Server = createServer((request, response) => {
    asked.push(request.url ?? '');
    const body = document();
    if (typeof body === 'number') response.writeHead(body, { location: 'http://127.0.0.1:1/' }).end();
    else response.end(typeof body === 'string' ? body : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    asked,
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}/`,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

type Claimant = ListedServer & { readonly roots?: readonly string[] };

/** Proofs over servers that the test lists, with a clock that only the test moves. */
async function openProofs(allowHosts: readonly string[]) {
  const clock = new ManualClock();
  const keyring = new MemoryKeyring();
  const servers: Claimant[] = [];
  const client = new HttpClient({ userAgent: 'test', allowHosts, delayMs: 0, retries: 0 });
  let changed = () => {};
  let passed = () => {};
  const begun = new Promise<void>((resolve) => {
    passed = resolve;
  });
  const proofs = new AddressProofs({
    ...{ keyring, fetch: client.fetch },
    clock: {
      now: () => clock.now(),
      sleep: (ms, signal) => {
        if (ms === 1000) passed();
        return clock.sleep(ms, signal);
      },
    },
    directory: { list: () => servers, upToDate: async () => {} },
    store: {
      onChange: (listener) => {
        changed = () => listener(1);
        return () => {};
      },
    },
  });
  await begun;
  const pass = (act: () => void) =>
    new Promise<void>((resolve) => {
      passed = resolve;
      act();
    });
  return {
    clock,
    add: async (own: Identity, url: string, roots: readonly string[] = []) => {
      await keyring.learn(own.serverId, own.publicKey);
      const server = { id: `${own.serverId}${url}` as Oid, serverId: own.serverId, url, roots } as Claimant;
      servers.push(server);
      await pass(() => {
        clock.advance(1000);
        changed();
      });
      return () => proofs.stateOf(server);
    },
    /** Let time pass, and the proofs look. */
    later: (ms: number) =>
      pass(() => {
        clock.advance(1000);
        clock.advance(ms);
        changed();
      }),
    [Symbol.asyncDispose]: async () => {
      await proofs[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

test('a server is proved when the site of each of its addresses names its id and key', async () => {
  const [honest, liar, other] = [identity(), identity(), identity()];
  let document: unknown = {};
  await using site = await openSite(() => document);
  const docs = `${site.url}docs/`;
  document = { servers: [named(honest, docs), { ...named(liar), key: named(other).key }] };
  await using own = await openSite(() => ({ servers: [named(honest)] }));
  await using proofs = await openProofs([site.url, own.url]);
  const honestState = await proofs.add(honest, own.url, [docs, `${docs}more/`]);
  const liarState = await proofs.add(liar, `${site.url}liar/`);
  const beside = await proofs.add(honest, `${site.url}documents/`);
  await proofs.later(60_000);
  assert.equal(honestState(), 'proved');
  assert.equal(liarState(), 'unproved', 'its id is named with another key');
  assert.equal(beside(), 'unproved', 'its id is named for another prefix');
  assert.deepEqual(new Set([...site.asked, ...own.asked]), new Set(['/.well-known/garner.json']));
});

test('a site is asked once an hour, and at once for a new claim, but once a minute at most', async () => {
  const [first, second] = [identity(), identity()];
  let document: unknown = { servers: [] };
  await using site = await openSite(() => document);
  await using proofs = await openProofs([site.url]);
  const firstState = await proofs.add(first, `${site.url}a/`);
  assert.equal(firstState(), 'unproved');
  document = { servers: [named(first), named(second)] };
  await proofs.later(600_000);
  assert.deepEqual([firstState(), site.asked.length], ['unproved', 1]);
  const secondState = await proofs.add(second, `${site.url}b/`);
  assert.deepEqual([firstState(), secondState(), site.asked.length], ['proved', 'proved', 2]);
  const third = await proofs.add(identity(), `${site.url}c/`);
  assert.deepEqual([third(), site.asked.length], ['unproved', 2], 'not twice in a minute');
  await proofs.later(60_000);
  assert.equal(site.asked.length, 3);
  document = { servers: [] };
  await proofs.later(3_600_000);
  assert.deepEqual([firstState(), site.asked.length], ['unproved', 4]);
});

test('a site that is not reached, private or failing leaves a server unchecked; any other answer is no proof', async () => {
  const entry = identity();
  for (const [answer, state] of [
    [503, 'unchecked'],
    [302, 'unproved'],
    [404, 'unproved'],
    ['not JSON', 'unproved'],
    [' '.repeat(20_000), 'unproved'],
    [{ servers: [null, 7, { id: entry.serverId }] }, 'unproved'],
    [{ servers: [named(entry, 'https://elsewhere.example/')] }, 'unproved'],
    [{ servers: [...Array.from({ length: 63 }, () => ({})), named(entry)] }, 'proved'],
    [{ servers: [...Array.from({ length: 64 }, () => ({})), named(entry)] }, 'unproved'],
  ] as const) {
    await using site = await openSite(() => answer);
    await using proofs = await openProofs([site.url]);
    assert.equal((await proofs.add(entry, site.url))(), state, JSON.stringify(answer).slice(0, 60));
  }
  await using site = await openSite(() => ({ servers: [named(entry)] }));
  await using guarded = await openProofs([]);
  assert.equal((await guarded.add(entry, site.url))(), 'unchecked');
  assert.equal((await guarded.add(entry, 'http://169.254.169.254/'))(), 'unchecked');
  assert.deepEqual(site.asked, [], 'a private address is never connected to');
});
