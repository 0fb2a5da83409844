import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Epoch } from '../../awareness/index.ts';
import { MemoryKeyring } from '../../exchange/index.ts';
import type { Fetch } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import {
  decodeKeyLinks,
  digestOf,
  encodeKeyLinks,
  encodeObject,
  type Identity,
  type IdentitySecret,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  type ServerId,
  succeedingSecret,
} from '../../soif/index.ts';
import { descriptionObject } from '../descriptions/index.ts';
import { Registrar } from '../registrar.ts';
import { described, openRegistry } from '../testing/open-registry.ts';
import { type KeyEntry, type KeyPage, KeyWatch, RegistrarKeys } from './index.ts';

const text = (bytes: Uint8Array) => Buffer.from(bytes).toString('base64url');
const refusal = (message: RegExp) => ({ code: 'PUBLICATION_FAILED', message });
const at = (n: number) => ({ url: `https://harbour.example/${n}/` });

const secrets = new Map<Identity, IdentitySecret>();
const opened = (secret: IdentitySecret) => {
  const identity = identityFrom(secret);
  secrets.set(identity, secret);
  return identity;
};
const secretOf = (identity: Identity) => secrets.get(identity) as IdentitySecret;

/** A server with its first key, and later ones; `r` revokes, `k` makes a key. */
function server(steps = ''): readonly Identity[] {
  let secret = newIdentitySecret();
  const found = [opened(secret)];
  for (const step of steps) {
    secret = succeedingSecret(secret, { at: 1, isRevoked: step === 'r' });
    found.push(opened(secret));
  }
  return found;
}

test('a server registers on with a new key that its old one signs, and a thief of the old one does not', async () => {
  await using registry = await openRegistry();
  const [first, second] = server('k') as [Identity, Identity];
  const other = { ...(server()[0] as Identity), serverId: first.serverId };
  await registry.send(first);
  registry.clock.advance(2000);
  await assert.rejects(registry.send(other), refusal(/another key is known/));
  await registry.send(second);
  registry.clock.advance(2000);
  await registry.send(second, {}, { isUnchanged: true });
  registry.clock.advance(2000);
  await assert.rejects(registry.send(first), refusal(/another key is known/));
  // The thief signs a successor of the first key too.
  const thief = identityFrom(succeedingSecret(secretOf(first), { at: 2, isRevoked: false }));
  await assert.rejects(registry.send(thief), refusal(/another successor of a key/));
  const { keys } = registry.registrar;
  assert.deepEqual(await keys.keyOf(first.serverId), second.publicKey);
  const { database, clock, collected } = registry;
  const again = await RegistrarKeys.open({ database, clock, collected, maxEnded: 2 });
  assert.deepEqual(again.published(first.serverId), keys.published(first.serverId));
  const { last } = keys.changedSince(0, 9);
  assert.deepEqual([again.changedSince(0, 9).last, again.changedSince(last, 9).keys], [last, []]);
});

test('a revocation ends the descriptions that only the revoked key signed', async () => {
  await using registry = await openRegistry();
  const [first, , third] = server('kr') as [Identity, Identity, Identity];
  for (const n of [1, 2, 3]) await registry.send(first, at(n));
  registry.clock.advance(2000);
  await registry.send(third, at(1));
  await registry.directory.upToDate();
  assert.deepEqual(
    registry.directory.list().map(({ url }) => url),
    [at(1).url],
  );
});

test('a revocation holds when its registration is refused, and after a crash before its effect', async () => {
  await using registry = await openRegistry();
  const { store, database, collected, clock, directory, registrar } = registry;
  const [stolen, , safe] = server('kr') as [Identity, Identity, Identity];
  const [other, , last] = server('kr') as [Identity, Identity, Identity];
  await registry.send(stolen, at(1));
  await registry.send(other, at(2));
  clock.advance(2000);
  await assert.rejects(registry.send({ ...safe, sign: stolen.sign }, at(3)), refusal(/does not match/));
  const listed = async () => {
    await directory.upToDate();
    return directory.list().map(({ url }) => url);
  };
  assert.deepEqual(await listed(), [at(2).url]);
  assert.equal(await registrar.keys.succeed(last.serverId, last.succession ?? []), 'taken');
  assert.deepEqual(await listed(), [at(2).url]);
  const options = { store, database, collected, clock, directory, maxServers: 9, own: safe.serverId };
  await using _ = await Registrar.open({ ...options, isBlocked: async () => false });
  assert.deepEqual(await listed(), []);
});

test('a server that proves its key to the collector ends what a stranger registered under its id', async () => {
  await using registry = await openRegistry();
  const { store, clock, directory, registrar, collected } = registry;
  const [own] = server() as [Identity];
  const stranger = { ...(server()[0] as Identity), serverId: own.serverId };
  const { serverId } = own;
  await registry.send(stranger, at(1));
  await collected.learn(serverId, own.publicKey);
  const now = Math.floor(clock.now() / 1000);
  const object = descriptionObject({ ...described, ...at(2) }, now);
  const [oid, digest] = [oidOf(serverId, object.url), digestOf(object)];
  const signature = own.sign(provenanceBytes(oid, digest, now));
  const whole = { oid, digest, body: encodeObject(object), updatedAt: now, publisher: serverId, signature };
  const epoch = text(Buffer.alloc(12, 1)) as Epoch;
  const sibling = registrar.guard(await store.replica('sibling'));
  await sibling.apply([{ kind: 'put', lsn: 1, object: whole }], { epoch, lsn: 1 });
  const { keyring } = registrar;
  assert.ok(await keyring.learn(serverId, own.publicKey));
  await directory.upToDate();
  assert.deepEqual(
    directory.list().map(({ url }) => url),
    [at(2).url],
  );
  assert.equal(registrar.keys.published(serverId), undefined);
  assert.equal(await keyring.hasReplaced?.(serverId), true);
  clock.advance(2000);
  await assert.rejects(registry.withdraw(stranger, at(2)), refusal(/another key is known/));
  await assert.rejects(registry.send(stranger, at(1)), refusal(/another key is known/));
  await registry.send(own, at(2));
  assert.equal(await keyring.hasReplaced?.(serverId), false);
});

test('keys that change at once have a number each, and none is used again after its server is forgotten', async () => {
  await using registry = await openRegistry();
  const { database, clock, collected } = registry;
  const options = { database, clock, collected, maxEnded: 1 };
  const keys = await RegistrarKeys.open(options);
  const servers = Array.from({ length: 5 }, () => server('k') as [Identity, Identity]);
  for (const [{ serverId, publicKey }] of servers) await keys.learn(serverId, publicKey);
  await Promise.all(servers.map(([, { serverId, succession = [] }]) => keys.succeed(serverId, succession)));
  const found = new Set<ServerId>();
  let since = 0;
  for (let n = 0; n < servers.length; n++) {
    const page = keys.changedSince(since, 1);
    for (const { server: id } of page.keys) found.add(id);
    since = page.next;
  }
  assert.deepEqual(found, new Set(servers.map(([{ serverId }]) => serverId)));

  const isLeft = (id: ServerId) => id === servers[0]?.[0].serverId;
  await keys.tend(isLeft);
  clock.advance(31 * 86_400_000);
  await keys.tend(isLeft);
  const again = await RegistrarKeys.open(options);
  const [first, second] = server('k') as [Identity, Identity];
  await again.learn(first.serverId, first.publicKey);
  await again.succeed(first.serverId, second.succession ?? []);
  assert.equal(again.changedSince(since, 9).keys.length, 1, 'a Broker that read all sees it');
});

test('a key that changes while a Registry notes which servers are listed has changed', async () => {
  await using registry = await openRegistry({ maxServers: 100 });
  const { keys } = registry.registrar;
  for (let turns = 0; turns < 20; turns++) {
    const [{ serverId, publicKey }, second] = server('k') as [Identity, Identity];
    await keys.learn(serverId, publicKey);
    const changing = keys.succeed(serverId, second.succession ?? []);
    // At any moment before it is written.
    for (let turn = 0; turn < turns; turn++) await undefined;
    await Promise.all([changing, keys.tend(() => false)]);
    assert.deepEqual(await keys.keyOf(serverId), second.publicKey, `after ${turns} turns`);
  }
});

test('the list of changed keys has the last change of each server, a bounded page at a time', async () => {
  await using registry = await openRegistry({ maxServers: 300 });
  const { keys } = registry.registrar;
  const servers = Array.from({ length: 150 }, () => server('kk'));
  for (const [first] of servers)
    await keys.learn((first as Identity).serverId, (first as Identity).publicKey);
  for (const step of [1, 2])
    for (const steps of servers) {
      const { serverId, succession = [] } = steps[step] as Identity;
      assert.equal(await keys.succeed(serverId, succession), 'taken');
    }
  const found: KeyEntry[] = [];
  const page = async (since: number) =>
    (await (await fetch(`${registry.url}keys?since=${since}`)).json()) as KeyPage;
  for (let since = 0; ; ) {
    const { keys: some, next, last } = await page(since);
    assert.ok(some.length <= 100);
    found.push(...some);
    since = next;
    if (next === last) break;
  }
  const wanted = servers.map((steps) => text((steps[2] as Identity).publicKey));
  assert.deepEqual(
    found.map(({ key }) => key),
    wanted,
  );
  assert.equal((await fetch(`${registry.url}keys?since=x`)).status, 400);
  assert.equal((await fetch(`${registry.url}keys/${text(new Uint8Array(16))}`)).status, 404);
});

test('a server is named by its serverId in the directory of keys, as in all other answers', async () => {
  await using registry = await openRegistry({ maxServers: 9 });
  const { keys } = registry.registrar;
  const [first, { succession = [] }] = server('kk') as [Identity, Identity];
  await keys.learn(first.serverId, first.publicKey);
  await keys.succeed(first.serverId, succession);
  const answer = async (path: string) => (await fetch(`${registry.url}${path}`)).json();
  const { links: _, ...one } = (await answer(`keys/${first.serverId}`)) as KeyEntry & { links: unknown };
  assert.deepEqual(Object.keys(one), ['serverId', 'key', 'succession']);
  assert.equal(one.serverId, first.serverId);
  assert.deepEqual(((await answer('keys?since=0')) as KeyPage).keys, [one]);
});

/** A Registry that answers with these pages, the last one again and again. */
function answering(pages: readonly unknown[]): { readonly fetch: Fetch; readonly asked: string[] } {
  const asked: string[] = [];
  const answer = async ({ url }: { readonly url: string }) => {
    asked.push(url.slice(url.indexOf('?')));
    if (asked.length > 1000) throw new Error('it asks without end');
    const page = pages[Math.min(asked.length, pages.length) - 1];
    const body = [Buffer.from(typeof page === 'string' ? page : JSON.stringify(page))];
    return { status: 200, headers: {}, body, [Symbol.asyncDispose]: async () => {} };
  };
  return { fetch: answer as unknown as Fetch, asked };
}

test('a Registry that lies about keys changes nothing, and one that is true is followed', async () => {
  const [first, second, third] = server('kr') as [Identity, Identity, Identity];
  const rival = identityFrom(succeedingSecret(secretOf(first), { at: 2, isRevoked: false }));
  const [stranger] = server('k').slice(1) as [Identity];
  const entry = ({ serverId, publicKey, succession = [] }: Identity, id: ServerId = serverId) => ({
    ...{ serverId: id, key: text(publicKey), succession: text(encodeKeyLinks(succession)) },
  });
  const page = (keys: readonly unknown[], next: number, last = next, epoch = 'a') => ({
    epoch,
    keys,
    next,
    last,
  });
  const read = async (pages: readonly unknown[]) => {
    const keyring = new MemoryKeyring();
    await keyring.learn(first.serverId, first.publicKey);
    if (pages !== truth) await keyring.succeed(first.serverId, second.succession ?? []);
    const { fetch, asked } = answering(pages);
    const registries = ['http://registry.example/'];
    await using watch = new KeyWatch({ registries, keyring, fetch, clock: new ManualClock(), everyMs: 1000 });
    await watch.read();
    await watch.read();
    return {
      key: await keyring.keyOf(first.serverId),
      stranger: await keyring.keyOf(stranger.serverId),
      asked,
    };
  };
  const truth = [page([entry(second)], 1, 2), page([entry(third)], 2), page([], 2)];
  const followed = await read(truth);
  assert.deepEqual(
    [followed.key, followed.asked.slice(0, 3)],
    [third.publicKey, ['?since=0', '?since=1', '?since=2']],
  );
  for (const lie of [
    [page([entry(rival)], 1)],
    [page([entry(stranger, first.serverId), entry(stranger)], 1)],
    [page([{ ...entry(second), key: text(rival.publicKey), succession: '' }], 1)],
    ['not JSON'],
    [{ keys: 7 }],
    [page([{ serverId: '../x', succession: '' }, null], 1)],
  ]) {
    const { key, stranger: unknown } = await read(lie);
    assert.deepEqual([key, unknown], [second.publicKey, undefined], JSON.stringify(lie).slice(0, 80));
  }
  // It never comes to an end, and names another log each time: what is asked at one time is bounded.
  let n = 0;
  const endless = { toJSON: () => page([], ++n, n + 1, `${n}`) };
  const { asked } = await read([endless]);
  assert.ok(asked.length <= 2 * 50, `${asked.length} pages`);
  assert.equal(decodeKeyLinks(encodeKeyLinks(third.succession ?? []))?.length, 2);
});
