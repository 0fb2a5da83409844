import assert from 'node:assert/strict';
import { test } from 'node:test';
import { withApply } from '../awareness/index.ts';
import { failure, isGarnerError } from '../kernel/index.ts';
import {
  type Identity,
  identityFrom,
  type KeyLink,
  keyLink,
  newIdentitySecret,
  provenanceBytes,
  successionOf,
} from '../soif/index.ts';
import { collect } from './collect.ts';
import { exchangeErrors } from './errors.ts';
import { MemoryKeyring } from './keyring.ts';
import { dropRevoked } from './revoked-objects.ts';
import { Mesh, type MeshNode } from './testing/mesh.ts';

/** The server with another key, which its present one signs. */
function rotated(before: Identity, to = identityFrom(newIdentitySecret())): Identity {
  const next = { ...to, serverId: before.serverId };
  const links = before.succession ?? [];
  return { ...next, succession: [...links, keyLink(before, next, { at: 1000, isRevoked: false })] };
}

/** The server with its key, which revokes those before it. */
const revoking = (identity: Identity): Identity => ({
  ...identity,
  succession: [...(identity.succession ?? []), keyLink(identity, identity, { at: 1000, isRevoked: true })],
});

/** Sign an object of the publisher again, with its present key. */
async function signAgain(mesh: Mesh, n: number): Promise<void> {
  const { store, identity } = mesh.publisher;
  const held = await store.get(mesh.oid(n));
  assert.ok(held !== undefined);
  const signature = identity.sign(provenanceBytes(held.oid, held.digest, mesh.now));
  await store.apply([{ kind: 'refresh', oid: held.oid, updatedAt: mesh.now, signature }]);
}

const holds = async (node: MeshNode, mesh: Mesh, n: number) => (await node.versions()).has(mesh.oid(n));

/** What a Broker does after a revocation. */
async function drop(node: MeshNode, mesh: Mesh): Promise<number> {
  const { serverId } = mesh.publisher.identity;
  const succession = await node.keyring.successionOf(serverId);
  return succession === undefined ? 0 : dropRevoked(node.store, serverId, succession);
}

test('objects signed by either key verify, also at Brokers behind a Broker and at one that comes late', async () => {
  await using mesh = await Mesh.open(3);
  const [a, b, late] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
  const { publisher } = mesh;
  await publisher.store.apply([mesh.put(1, 'one'), mesh.put(2, 'two')]);
  await a.collectFrom(publisher);
  await b.collectFrom(a);
  mesh.clock.advance(5000);
  publisher.identity = rotated(publisher.identity);
  await publisher.store.apply([mesh.put(2, 'two, changed'), mesh.put(3, 'three'), mesh.withdraw(1)]);
  await publisher.store.apply([mesh.put(4, 'four')]);
  await a.collectFrom(publisher);
  await b.collectFrom(a);
  await late.collectFrom(a);
  for (const node of [a, b, late]) {
    const held = await Promise.all([1, 2, 3, 4].map((n) => holds(node, mesh, n)));
    assert.deepEqual(held, [false, true, true, true]);
    assert.deepEqual(await node.keyring.keyOf(publisher.identity.serverId), publisher.identity.publicKey);
  }
});

test('by every scheme: what only a revoked key signed is dropped, and returns when it is signed again', async () => {
  for (const scheme of ['log', 'signature', 'sketch', 'short-ids']) {
    await using mesh = await Mesh.open(3);
    const [a, b, late] = mesh.brokers as [MeshNode, MeshNode, MeshNode];
    const { publisher } = mesh;
    await publisher.store.apply(Array.from({ length: 30 }, (_, n) => mesh.put(n, `page ${n}`)));
    await a.collectFrom(publisher, scheme);
    await b.collectFrom(a, scheme);
    mesh.clock.advance(5000);
    publisher.identity = revoking(rotated(publisher.identity));
    for (let n = 0; n < 20; n++) await signAgain(mesh, n);
    // The last ten are still signed by the revoked key alone.
    await a.collectFrom(publisher, scheme);
    // Only the log shows which objects are signed again with the same content.
    assert.equal(await drop(a, mesh), scheme === 'log' ? 10 : 30, scheme);
    await a.collectFrom(publisher, scheme);
    // A Broker that hears of the key through another one, and one that knew none of it.
    await b.collectFrom(a, scheme);
    await drop(b, mesh);
    await b.collectFrom(a, scheme);
    await late.collectFrom(publisher, scheme);
    for (const node of [a, b, late]) assert.equal(node.store.count, 20, scheme);
    mesh.clock.advance(5000);
    for (let n = 20; n < 30; n++) await signAgain(mesh, n);
    await a.collectFrom(publisher, scheme);
    await b.collectFrom(a, scheme);
    await late.collectFrom(publisher, scheme);
    for (const node of [a, b, late]) assert.equal(node.store.count, 30, scheme);
  }
});

test('by every scheme: a cut or a crash keeps out no object that its publisher signs again afterwards', async () => {
  for (const scheme of ['log', 'signature', 'sketch', 'short-ids'])
    for (const isCrash of scheme === 'log' ? [false, true] : [false]) {
      await using mesh = await Mesh.open(1);
      const [a] = mesh.brokers as [MeshNode];
      const { publisher } = mesh;
      await publisher.store.apply([mesh.put(1, 'one'), mesh.put(2, 'two')]);
      publisher.identity = revoking(rotated(publisher.identity));
      const replica = await a.store.replica(publisher.identity.serverId);
      let isCut = false;
      const cut = withApply(replica, async (changes, marker) => {
        // A process that was killed forgets nothing.
        if (isCut && isCrash) throw failure(exchangeErrors.EXCHANGE_CUT, { source: 'source' });
        await replica.apply(changes, marker);
        if (isCut || !changes.some(({ kind }) => kind === 'note')) return;
        isCut = true;
        throw failure(exchangeErrors.EXCHANGE_CUT, { source: 'source' });
      });
      const options = {
        session: a.sessionWith(publisher),
        keyring: a.keyring,
        clock: mesh.clock,
        name: 'source',
      };
      await assert.rejects(collect({ ...options, scheme, deleteGuard: 0.2, replica: cut }), (error) =>
        isGarnerError(error, exchangeErrors.EXCHANGE_CUT),
      );
      assert.ok(isCut);
      mesh.clock.advance(5000);
      for (const n of [1, 2]) await signAgain(mesh, n);
      await a.collectFrom(publisher, scheme);
      assert.equal(a.store.count, 2, `${scheme} ${isCrash}`);
    }
});

test('an object that is signed again while the objects of a server are checked is not dropped', async () => {
  await using mesh = await Mesh.open(0);
  const { store, identity } = mesh.publisher;
  await store.apply([mesh.put(1, 'one'), mesh.put(2, 'two')]);
  mesh.clock.advance(5000);
  const revoked = revoking(rotated(identity));
  mesh.publisher.identity = revoked;
  const succession = successionOf(identity.serverId, revoked.succession ?? []);
  assert.ok(succession !== undefined);
  const judged: Pick<typeof store, 'snapshot' | 'describe' | 'get' | 'dropVersions'> = {
    snapshot: () => store.snapshot(),
    describe: (oid) => store.describe(oid),
    dropVersions: (versions) => store.dropVersions(versions),
    get: async (oid) => {
      const held = await store.get(oid);
      if (oid === mesh.oid(1)) await signAgain(mesh, 1);
      return held;
    },
  };
  assert.equal(await dropRevoked(judged, identity.serverId, succession), 1);
  assert.deepEqual(
    [await holds(mesh.publisher, mesh, 1), await holds(mesh.publisher, mesh, 2)],
    [true, false],
  );
});

test('a thief of a key cannot replace its successor, and no server proves a key that it handed over', async () => {
  await using mesh = await Mesh.open(1);
  const [a] = mesh.brokers as [MeshNode];
  const { publisher } = mesh;
  const first = publisher.identity;
  await publisher.store.apply([mesh.put(1, 'one')]);
  publisher.identity = rotated(first);
  await a.collectFrom(publisher);
  const refused = async (identity: Identity, code: string) => {
    publisher.identity = identity;
    await assert.rejects(a.collectFrom(publisher), (error) => isGarnerError(error) && error.code === code);
  };
  const second = publisher.identity;
  await refused(rotated(first), exchangeErrors.EXCHANGE_RIVAL_KEY.code);
  await refused(first, exchangeErrors.EXCHANGE_KEY.code);
  publisher.identity = second;
  await a.collectFrom(publisher);
  // Links of another key than the proved one take no effect.
  const keyring = new MemoryKeyring();
  await keyring.learn(second.serverId, second.publicKey);
  const foreign = rotated({ ...identityFrom(newIdentitySecret()), serverId: second.serverId });
  const outcome = await keyring.succeed(second.serverId, foreign.succession as readonly KeyLink[]);
  assert.deepEqual([outcome, await keyring.keyOf(second.serverId)], ['foreign', second.publicKey]);
});
