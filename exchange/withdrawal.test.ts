import assert from 'node:assert/strict';
import { test } from 'node:test';
import { handleOf } from '../awareness/index.ts';
import { seededRandom } from '../kernel/index.ts';
import { type Identity, identityFrom, newIdentitySecret } from '../soif/index.ts';
import type { Channel, Message } from '../wire/index.ts';
import { collect } from './collect.ts';
import { type RefusedWithdrawals, withdrawalsRefused } from './events.ts';
import { Mesh, type MeshNode } from './testing/mesh.ts';
import { recordedAnswer, recordedAsk, recordedSecret, recordedSeed } from './testing/recorded-round.ts';

/** A publisher with these objects, and Brokers that all have them: the first from it, the others from the first. */
async function spread(brokers: number, objects: number, old: readonly number[] = []): Promise<Mesh> {
  const mesh = await Mesh.open(brokers, old);
  await mesh.publisher.store.apply(Array.from({ length: objects }, (_, n) => mesh.put(n, `page ${n}`)));
  const [first, ...others] = mesh.brokers as [MeshNode, ...MeshNode[]];
  await first.collectFrom(mesh.publisher);
  for (const other of others) await other.collectFrom(first);
  mesh.clock.advance(10_000);
  return mesh;
}

const holds = async (node: MeshNode, mesh: Mesh, n: number) => (await node.versions()).has(mesh.oid(n));

/** The reports of false withdrawals while this runs: number and reason of each. */
async function refusedBy(work: () => Promise<unknown>): Promise<readonly (readonly [number, string])[]> {
  const reports: RefusedWithdrawals[] = [];
  const stop = withdrawalsRefused.subscribe((report) => reports.push(report));
  await work();
  stop();
  return reports.map(({ count, reason }) => [count, reason]);
}

/** A server that uses the id of another one, with a key of its own. */
const impostorOf = ({ serverId }: Identity): Identity => ({
  ...identityFrom(newIdentitySecret()),
  serverId,
});

test('a signed deletion ends all copies at once, and no source that slept through it brings the object back', async () => {
  await using mesh = await spread(5, 40);
  const [a, b, c, asleep, late] = mesh.brokers as [MeshNode, MeshNode, MeshNode, MeshNode, MeshNode];
  for (const source of [b, asleep]) await c.collectFrom(source);
  await mesh.publisher.store.apply([mesh.withdraw(3)]);
  await a.collectFrom(mesh.publisher);
  // One source is enough, although two others still offer the object.
  await c.collectFrom(a);
  assert.equal(await holds(c, mesh, 3), false);
  assert.deepEqual([a.store.withdrawals, c.store.withdrawals], [1, 1]);
  // Their copies still list it, so that both sides compare the same set; nothing is stored.
  for (const source of [b, asleep]) await c.collectFrom(source);
  assert.equal(await holds(c, mesh, 3), false);
  assert.equal((await (await c.store.replica(asleep.identity.serverId)).state()).count, 40);
  // A source that is met only now still has it.
  await c.collectFrom(late);
  await a.collectFrom(asleep);
  for (const node of [a, c]) assert.equal(await holds(node, mesh, 3), false);
  // The ones that slept learn of it from their source.
  for (const node of [b, asleep]) await node.collectFrom(a);
  for (const node of [b, asleep]) assert.equal(await holds(node, mesh, 3), false);
});

test('by every scheme: a deletion that shows by absence has its signature too', async () => {
  for (const scheme of [
    'log',
    'log-handles',
    'signature',
    'sketch',
    'hierarchical-signatures',
    'short-ids',
  ]) {
    await using mesh = await spread(2, 30);
    const [a, b] = mesh.brokers as [MeshNode, MeshNode];
    await mesh.publisher.store.apply([mesh.withdraw(7), { kind: 'delete', oid: mesh.oid(8) }]);
    await a.collectFrom(mesh.publisher, scheme);
    await b.collectFrom(a, scheme);
    for (const { store } of [a, b])
      assert.deepEqual([store.count, store.withdrawals], [28, 1], `by ${scheme}`);
  }
});

test('an object that is published again later is taken again, also where it came to a source as a refresh', async () => {
  await using mesh = await spread(3, 40);
  const [a, slept, c] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  await c.collectFrom(slept, 'log');
  const { store } = mesh.publisher;
  await store.apply([mesh.withdraw(1), mesh.withdraw(2)]);
  await a.collectFrom(mesh.publisher, 'log');
  await c.collectFrom(a, 'log');
  mesh.clock.advance(5000);
  // The first one with the content that it had.
  await store.apply([mesh.put(1, 'page 1'), mesh.put(2, 'another page')]);
  await slept.collectFrom(mesh.publisher, 'log');
  await c.collectFrom(slept, 'log');
  for (const n of [1, 2]) assert.equal((await c.versions()).get(mesh.oid(n))?.updatedAt, mesh.now);
  assert.equal(c.store.withdrawals, 0);
});

test('a version before a withdrawal stays out although a later version came and went', async () => {
  await using mesh = await spread(3, 40);
  const [a, slept, c] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  const { store } = mesh.publisher;
  await store.apply([mesh.withdraw(1)]);
  mesh.clock.advance(5000);
  await store.apply([mesh.put(1, 'a later version')]);
  await a.collectFrom(mesh.publisher);
  mesh.clock.advance(5000);
  // `a` learned only the later version: it has seen no withdrawal of the first one.
  await store.apply([mesh.withdraw(1)]);
  await a.collectFrom(mesh.publisher);
  await c.collectFrom(a);
  mesh.clock.advance(5000);
  await store.apply([mesh.put(1, 'the last version')]);
  for (const [client, source] of [
    [a, mesh.publisher],
    [c, a],
  ] as const)
    await client.collectFrom(source);
  assert.equal(await holds(c, mesh, 1), true);
  // An unsigned deletion, as one of a source that forgets.
  await store.apply([{ kind: 'delete', oid: mesh.oid(1) }]);
  await a.collectFrom(mesh.publisher);
  await c.collectFrom(a);
  await c.collectFrom(slept);
  assert.equal(await holds(slept, mesh, 1), true);
  assert.equal(await holds(c, mesh, 1), false);
});

test('a forged withdrawal counts as a deletion by its source alone, and is reported once', async () => {
  await using mesh = await spread(3, 40);
  const [a, hostile, c] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  await c.collectFrom(hostile);
  const copy = await c.store.replica(hostile.identity.serverId);
  const stranger = identityFrom(newIdentitySecret());
  const foreign = mesh.withdraw(1, { by: stranger });
  assert.ok(foreign.withdrawal !== undefined);
  const ofAnother = { ...foreign.withdrawal, publisher: stranger.serverId };
  const forgeries = [
    ['its signature does not match', mesh.withdraw(1, { by: stranger })],
    ['its signature does not match', mesh.withdraw(1, { signed: 2 })],
    ['another server has signed it', { ...foreign, withdrawal: ofAnother }],
  ] as const;
  for (const [reason, forged] of forgeries)
    for (const scheme of ['log', 'short-ids']) {
      const before = await c.versions();
      await hostile.store.apply([forged]);
      assert.deepEqual(await refusedBy(() => c.collectFrom(hostile, scheme)), [[1, reason]], scheme);
      assert.deepEqual([await c.versions(), c.store.withdrawals], [before, 0], reason);
      assert.equal((await copy.state()).count, 39);
      // The round ended well, so the next one is not about it.
      assert.deepEqual(await refusedBy(() => c.collectFrom(hostile)), []);
      await hostile.store.apply([mesh.put(1, 'page 1')]);
      await c.collectFrom(hostile);
    }
  const before = await c.versions();
  // A true one that was overtaken by a later version: only the sender has dropped the object.
  await hostile.store.apply([mesh.withdraw(1, { updatedAt: mesh.now - 1 })]);
  await c.collectFrom(hostile);
  await c.collectFrom(a);
  assert.deepEqual([[...(await c.versions()).keys()], c.store.withdrawals], [[...before.keys()], 0]);
});

test('a source that uses the id of another publisher withdraws nothing of it', async () => {
  await using mesh = await spread(3, 300);
  const [a, b, c] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  const { identity } = mesh.publisher;
  // One object is deleted already, without a signature.
  await a.store.apply([{ kind: 'delete', oid: mesh.oid(299) }]);
  await c.collectFrom(a);
  const before = await c.versions();
  assert.equal(before.size, 299);
  // The key of the publisher was only reported to `c`, and now the impostor proves one of its own.
  await using impostors = await Mesh.open(0);
  const impostor = Object.assign(impostors.publisher, { identity: impostorOf(identity) });
  await impostor.store.apply([impostors.put(1000, 'its own')]);
  await c.collectFrom(impostor);
  const all = Array.from({ length: 300 }, (_, n) => n);
  await impostor.store.apply(all.map((n) => impostors.put(n, 'never sent')));
  await impostor.store.apply(all.map((n) => impostors.withdraw(n, { updatedAt: mesh.now + 1000 })));
  const reason = 'its key is not the one that the object was signed with';
  assert.deepEqual(await refusedBy(() => c.collectFrom(impostor, 'log')), [[300, reason]]);
  const after = new Map(await c.versions());
  assert.ok(after.delete(mesh.oid(1000)));
  assert.deepEqual([after, c.store.withdrawals], [before, 0]);
  // The object that was deleted may return.
  assert.equal(await c.store.withdrawnAt(mesh.oid(299)), 0);
  // `b` has met the publisher itself.
  await b.collectFrom(mesh.publisher);
  await assert.rejects(b.collectFrom(impostor), { code: 'EXCHANGE_KEY' });
});

test('a publisher whose key was reported wrongly withdraws its own objects', async () => {
  await using mesh = await spread(1, 40);
  const [a] = mesh.brokers as [MeshNode];
  const { identity, store } = mesh.publisher;
  const c = await mesh.join('c');
  await c.keyring.introduce(identity.serverId, identityFrom(newIdentitySecret()).publicKey);
  await c.collectFrom(mesh.publisher);
  await c.collectFrom(a);
  await store.apply([mesh.withdraw(3)]);
  assert.deepEqual(await refusedBy(() => c.collectFrom(mesh.publisher)), []);
  assert.deepEqual([c.store.count, c.store.withdrawals], [39, 1]);
});

test('a withdrawal of an object whose URL was lost is the word of its source', async () => {
  await using mesh = await spread(2, 40);
  const [a, c] = mesh.brokers as [MeshNode, MeshNode];
  const urlKnown = async () => {
    const copy = await c.store.replica(a.identity.serverId);
    return (await copy.known?.([handleOf(mesh.oid(3))]))?.map((known) => known?.url);
  };
  assert.deepEqual(await urlKnown(), [mesh.url(3)]);
  await c.damage(mesh.oid(3));
  await c.store.check({ repair: true });
  assert.deepEqual(await urlKnown(), [undefined]);
  await mesh.publisher.store.apply([mesh.withdraw(3)]);
  await a.collectFrom(mesh.publisher);
  assert.deepEqual(await refusedBy(() => c.collectFrom(a)), []);
  assert.deepEqual([c.store.count, c.store.withdrawals], [39, 0]);
});

test('a withdrawal of a publisher whose key is not known is the word of the source about itself', async () => {
  await using mesh = await Mesh.open(2);
  const [source, client] = mesh.brokers as [MeshNode, MeshNode];
  await source.store.apply([mesh.put(1, 'one'), mesh.put(2, 'two')]);
  const copy = await client.store.replica(source.identity.serverId);
  const { epoch, lsn } = await source.store.state();
  const objects = [mesh.put(1, 'one'), mesh.put(2, 'two')].map(({ object }) => object);
  await copy.apply(
    objects.map((object) => ({ kind: 'put', lsn, object })),
    { epoch, lsn } as never,
  );
  await source.store.apply([mesh.withdraw(1)]);
  await client.collectFrom(source);
  assert.deepEqual([client.store.count, client.store.withdrawals], [1, 0]);
});

test('many signed deletions at once are not asked about one by one', async () => {
  await using mesh = await spread(1, 400);
  const [a] = mesh.brokers as [MeshNode];
  const withdrawn = Array.from({ length: 300 }, (_, n) => mesh.withdraw(n));
  await mesh.publisher.store.apply(withdrawn);
  const asked: string[] = [];
  await a.collectFrom(mesh.publisher, 'log', (type) => asked.push(type));
  assert.deepEqual([asked, a.store.count, a.store.withdrawals], [['ask'], 100, 300]);
});

test('the number of withdrawals outlives a restart, and falls as they are forgotten', async () => {
  await using mesh = await spread(1, 40);
  const [a] = mesh.brokers as [MeshNode];
  await mesh.publisher.store.apply([
    mesh.withdraw(1),
    mesh.withdraw(2),
    { kind: 'delete', oid: mesh.oid(3) },
  ]);
  await a.collectFrom(mesh.publisher, 'log');
  await a.store[Symbol.asyncDispose]();
  await a.open();
  assert.equal(a.store.withdrawals, 2);
  assert.deepEqual((await a.store.check({})).sample, []);
  assert.equal(await a.store.withdrawnAt(mesh.oid(1)), mesh.now);
  mesh.clock.advance(1000);
  await a.store.forgetTombstones(0);
  assert.deepEqual([a.store.withdrawals, await a.store.withdrawnAt(mesh.oid(1))], [0, 0]);
});

test('a Broker of garner 0.2 in between neither hinders nor is hindered', async () => {
  await using mesh = await spread(3, 40, [1]);
  const [a, old, c] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  await c.collectFrom(old);
  await old.collectFrom(c);
  await mesh.publisher.store.apply([mesh.withdraw(1)]);
  await a.collectFrom(mesh.publisher);
  await c.collectFrom(a);
  assert.equal(await holds(c, mesh, 1), false);
  for (let round = 0; round < 2; round++)
    for (const [client, source] of [
      [old, a],
      [old, c],
      [c, old],
    ] as const)
      await client.collectFrom(source);
  for (const node of mesh.brokers) assert.equal(await holds(node, mesh, 1), false);
  assert.equal(old.store.withdrawals, 0);
});

const noChannel = {
  id: 1,
  end: async () => {},
  abort: async () => {},
  [Symbol.asyncDispose]: async () => {},
};

test('with a peer of garner 0.2: its question has the answer of today, and its answer is understood', async () => {
  await using mesh = await Mesh.open(1);
  const [client] = mesh.brokers as [MeshNode];
  const { publisher } = mesh;
  Object.assign(publisher, { identity: identityFrom(recordedSecret) });
  await publisher.store[Symbol.asyncDispose]();
  await publisher.open(seededRandom(recordedSeed), 'recorded');
  const objects = ['one', 'two', 'three'].map((text, i) => mesh.put(i + 1, text, undefined, 3600));
  await publisher.store.apply(objects);
  await client.collectFrom(publisher);
  mesh.clock.advance(5000);
  await publisher.store.apply([mesh.withdraw(2), mesh.put(4, 'four', undefined, 3600)]);
  const said: Message[] = [];
  const channel: Channel = {
    ...noChannel,
    send: async (message) => void said.push(structuredClone(message)),
    receive: async () => undefined,
    [Symbol.asyncIterator]: async function* () {},
  };
  const session = client.sessionWith(publisher);
  await publisher.verbs.ask?.(channel, recordedAsk, session.peer, session);
  assert.deepEqual(said, [recordedAnswer]);

  const answers = [recordedAnswer];
  const old: typeof session = {
    ...session,
    open: async (asked) => {
      assert.deepEqual(asked, { ...recordedAsk, withdrawals: true });
      return { ...channel, receive: async () => answers.shift() };
    },
  };
  const replica = await client.store.replica(publisher.identity.serverId);
  const { keyring } = client;
  const report = await collect({
    ...{ session: old, replica, keyring, clock: mesh.clock, name: 'old', deleteGuard: 0.2 },
  });
  assert.deepEqual([report.learned, report.forgotten, client.store.withdrawals], [1, 1, 0]);
});
