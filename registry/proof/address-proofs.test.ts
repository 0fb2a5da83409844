import assert from 'node:assert/strict';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { MemoryKeyring } from '../../exchange/index.ts';
import { type Fetch, type FetchRequest, type FetchResponse, HttpClient } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { type Identity, identityFrom, newIdentitySecret, type Oid } from '../../soif/index.ts';
import type { ServerRow } from '../servers/index.ts';
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

/** Proofs over servers that the test lists, with a clock that only the test moves. */
async function openProofs(sites: readonly string[] | Fetch) {
  const clock = new ManualClock();
  const keyring = new MemoryKeyring();
  const rows = new Map<Oid, ServerRow>();
  const counts = { rows: 0, keys: 0, passes: 0 };
  const allowHosts = typeof sites === 'function' ? [] : sites;
  const client = new HttpClient({ userAgent: 'test', allowHosts, delayMs: 0, retries: 0 });
  let changed = (_: ReadonlySet<Oid>) => {};
  let idle = () => {};
  const begun = new Promise<void>((resolve) => {
    idle = resolve;
  });
  const proofs = new AddressProofs({
    keyring: {
      keyOf: (id) => {
        counts.keys++;
        return keyring.keyOf(id);
      },
    },
    fetch: typeof sites === 'function' ? sites : client.fetch,
    clock: {
      now: () => clock.now(),
      sleep: async (ms, signal) => {
        // The gap between two passes takes no time here; the nap begins when nothing is due.
        if (ms === 1000) counts.passes++;
        else idle();
        if (ms !== 1000) await clock.sleep(ms, signal);
      },
    },
    directory: {
      ids: () => [...rows.keys()],
      row: (id) => {
        counts.rows++;
        return rows.get(id);
      },
      onChange: (listener) => {
        changed = listener;
        return () => {};
      },
    },
  });
  await begun;
  const pass = (act: () => void) =>
    new Promise<void>((resolve) => {
      idle = resolve;
      act();
    });
  const idOf = ([own, url]: Claimant) => `${own.serverId}${url}` as Oid;
  /** Servers that register together; resolves when nothing is due. */
  const register = async (...servers: readonly Claimant[]) => {
    for (const server of servers) {
      const [{ serverId, publicKey }, url, roots = []] = server;
      await keyring.learn(serverId, publicKey);
      rows.set(idOf(server), { id: idOf(server), serverId, url, roots } as unknown as ServerRow);
    }
    await pass(() => {
      clock.advance(1000);
      changed(new Set(servers.map(idOf)));
    });
  };
  return {
    ...{ clock, counts, register },
    stateOf: (server: Claimant) => proofs.stateOf({ id: idOf(server) }),
    renew: () => changed(new Set()),
    add: async (...server: Claimant) => {
      await register(server);
      return () => proofs.stateOf({ id: idOf(server) });
    },
    /** Let time pass, and the proofs look. */
    later: (ms: number) => pass(() => clock.advance(ms)),
    [Symbol.asyncDispose]: async () => {
      await proofs[Symbol.asyncDispose]();
      await client[Symbol.asyncDispose]();
    },
  };
}

type Claimant = readonly [own: Identity, url: string, roots?: readonly string[]];

/** Answers for all sites, and the hosts of those that were asked. */
function fakeSites(answer: (host: string) => number | object) {
  const asked: string[] = [];
  const fetch = async ({ url }: FetchRequest) => {
    const { host } = new URL(url);
    asked.push(host);
    const document = answer(host);
    const body = [Buffer.from(JSON.stringify(document))];
    const status = typeof document === 'number' ? document : 200;
    return { status, body, [Symbol.asyncDispose]: async () => {} } as unknown as FetchResponse;
  };
  return { asked, fetch, of: (host: string) => asked.filter((one) => one === host).length };
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

test('a renewal costs nothing, and a change one look at its description', async (t) => {
  const sites = fakeSites(() => ({ servers: [] }));
  await using proofs = await openProofs(sites.fetch);
  const servers = Array.from(
    { length: 50 },
    (_, n): Claimant => [identity(), `http://h${n}.example/`, [`http://r${n}.example/`]],
  );
  await proofs.register(...servers);
  assert.equal(sites.asked.length, 100);
  const { rows, keys, passes } = proofs.counts;
  for (let n = 0; n < 50; n++) proofs.renew();
  await new Promise((resolve) => setImmediate(resolve));
  assert.deepEqual(proofs.counts, { rows, keys, passes });
  await proofs.register(servers[7] as Claimant);
  assert.deepEqual(proofs.counts, { rows: rows + 1, keys: keys + 1, passes: passes + 1 });
  const parse = t.mock.method(URL, 'parse');
  for (const server of servers) assert.equal(proofs.stateOf(server), 'unproved');
  assert.equal(parse.mock.callCount(), 0, 'a state costs no address to read');
});

test('a server waits for one silent site of each other server, and a pass ends in time', async () => {
  let silent = () => {};
  const good = 'good.example';
  const sites = fakeSites((host) => {
    if (host === good) return { servers: [] };
    silent();
    return 503;
  });
  await using proofs = await openProofs(sites.fetch);
  silent = () => proofs.clock.advance(4000);
  const hostile = Array.from(
    { length: 40 },
    (_, n): Claimant => [
      identity(),
      `http://s${n}.example/`,
      Array.from({ length: 15 }, (_, site) => `http://s${n}-${site}.example/`),
    ],
  );
  const { passes } = proofs.counts;
  await proofs.register(...hostile, [identity(), `http://${good}/`]);
  assert.ok(sites.asked.indexOf(good) <= 40, `it was number ${sites.asked.indexOf(good)}`);
  assert.ok(sites.asked.length >= 16 * 40);
  assert.ok(proofs.counts.passes - passes > 20, `${proofs.counts.passes - passes} passes`);
});

test('neither the claims of others nor a change without a new address ask a site again', async () => {
  const sites = fakeSites(() => ({ servers: [] }));
  await using proofs = await openProofs(sites.fetch);
  const honest: Claimant = [identity(), 'http://good.example/'];
  await proofs.register(honest);
  const many = Array.from(
    { length: 240 },
    (_, n): Claimant => [
      identity(),
      `http://many.example/${n}/`,
      Array.from({ length: 255 }, (_, root) => `http://many.example/${n}/${root}/`),
    ],
  );
  await proofs.register(...many);
  await proofs.later(60_000);
  await proofs.register(honest);
  assert.equal(sites.of('good.example'), 1);
  assert.equal(sites.of('many.example'), 1);
});

test('a claim at a second port of a host waits a minute and is asked then', async () => {
  const [first, second, third, fourth] = [identity(), identity(), identity(), identity()];
  const sites = fakeSites((host) => ({ servers: [named(host.endsWith('0') ? third : fourth)] }));
  await using proofs = await openProofs(sites.fetch);
  await proofs.register([first, 'http://h.example:8500/'], [second, 'http://h.example:8501/']);
  await proofs.later(60_000);
  assert.deepEqual(sites.asked, ['h.example:8500', 'h.example:8501']);
  await proofs.later(600_000);
  const back: readonly Claimant[] = [
    [third, 'http://h.example:8500/'],
    [fourth, 'http://h.example:8501/'],
  ];
  await proofs.register(...back);
  assert.deepEqual([sites.of('h.example:8500'), sites.of('h.example:8501')], [2, 1]);
  await proofs.later(60_000);
  assert.deepEqual([sites.of('h.example:8500'), sites.of('h.example:8501')], [2, 2]);
  assert.deepEqual(back.map(proofs.stateOf), ['proved', 'proved']);
});
