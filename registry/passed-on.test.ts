import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Change, Epoch, PublishedObject, Replica } from '../awareness/index.ts';
import {
  digestOf,
  encodeObject,
  type Identity,
  identityFrom,
  newIdentitySecret,
  oidOf,
  provenanceBytes,
  type SummaryObject,
  summaryObject,
} from '../soif/index.ts';
import { descriptionObject, type ServerDescription } from './descriptions/index.ts';
import { RegistrarKeys } from './keys/index.ts';
import { Registrar } from './registrar.ts';
import { described, openRegistry } from './testing/open-registry.ts';

const identity = () => identityFrom(newIdentitySecret());
const refusal = (message: RegExp) => ({ code: 'PUBLICATION_FAILED', message });
const at = (n: number) => ({ url: `https://harbour.example/${n}/` });
const marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Epoch, lsn: 1 };

/** An object as another Registry passes it on. */
function signedObject(own: Identity, object: SummaryObject, updatedAt: number): PublishedObject {
  const [oid, digest] = [oidOf(own.serverId, object.url), digestOf(object)];
  const signature = own.sign(provenanceBytes(oid, digest, updatedAt));
  return { oid, digest, body: encodeObject(object), updatedAt, publisher: own.serverId, signature };
}

const passedOn = (own: Identity, url: string, updatedAt: number, more: Partial<ServerDescription> = {}) =>
  signedObject(own, descriptionObject({ ...described, ...more, url }, updatedAt), updatedAt);

const put = (object: PublishedObject): Change => ({ kind: 'put', lsn: 1, object });
const learn = (replica: Replica, offered: readonly PublishedObject[]) =>
  replica.apply(offered.map(put), marker);

test('what another Registry passes on is bounded as registrations are, and taken when there is room', async () => {
  const blocked = identity();
  await using registry = await openRegistry({
    maxServers: 11,
    isBlocked: async ({ publisher }) => publisher === blocked.serverId,
  });
  const { clock, store, registrar, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  const [own, first, last] = [identity(), identity(), identity()];
  await registry.send(own);
  const many = identity();
  const offered = [
    passedOn(blocked, 'https://blocked.example/', now),
    ...Array.from({ length: 10 }, (_, n) => passedOn(many, at(n).url, now)),
    passedOn(first, 'https://first.example/', now),
    passedOn(last, 'https://last.example/', now),
    passedOn(identity(), 'https://over.example/', now),
  ];
  const sibling = registrar.guard(await store.replica('sibling'));
  await learn(sibling, offered);
  await directory.upToDate();
  assert.deepEqual([directory.count, directory.countOf(many.serverId)], [11, 8]);
  assert.equal((await sibling.state()).count, offered.length, 'all are listed, so that the copies agree');
  assert.equal(directory.find(blocked.serverId), undefined);
  assert.equal(directory.find('https://over.example/'), undefined);

  // The lease of what came from elsewhere ends by its signed time, and an old offer does not bring it back.
  const lease = described.ttlSeconds * 1000;
  clock.advance(lease - 1);
  assert.notEqual(directory.find(first.serverId), undefined);
  clock.advance(1);
  assert.deepEqual(directory.list(), []);
  await registrar.tend();
  await learn(sibling, offered);
  await directory.upToDate();
  assert.deepEqual(directory.list(), []);
  await registrar.tend();
  await registrar.tend();
  const over = offered.at(-1) as PublishedObject;
  assert.deepEqual(await sibling.digests([over.oid]), [undefined], 'the next round brings it again');
});

test('what another Registry passes on is checked as a registration is, also of a listed server', async () => {
  await using registry = await openRegistry();
  const { clock, store, registrar, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  const own = identity();
  const [listed] = [passedOn(own, at(0).url, now)];
  const sibling = registrar.guard(await store.replica('sibling'));
  await learn(sibling, [listed]);
  const refused = [
    signedObject(identity(), summaryObject(at(1).url, [['Title', 'No server']], 'FILE'), now),
    passedOn(identity(), `https://harbour.example/${'x'.repeat(2000)}`, now),
    passedOn(identity(), at(2).url, now, { ttlSeconds: 31 * 86_400 }),
    passedOn(identity(), at(3).url, now + 400),
    passedOn(own, at(0).url, now + 1, { ttlSeconds: 31 * 86_400 }),
  ];
  await learn(sibling, refused);
  const { oid, publisher, digest } = listed;
  const ahead = { ...{ oid, publisher, updatedAt: now + 400 }, signature: own.sign(digest) };
  await sibling.apply([{ kind: 'refresh', lsn: 2, refresh: ahead }], marker);
  assert.equal(store.count, 1, 'nothing else is stored');
  assert.equal((await sibling.state()).count, refused.length, 'all are listed, so that the copies agree');
  await directory.upToDate();
  assert.deepEqual(
    directory.list().map(({ id, ttlSeconds, updatedAt }) => [id, ttlSeconds, updatedAt]),
    [[oid, described.ttlSeconds, now]],
  );
});

test('a Registry that lists many servers without a key is listed by another one itself', async () => {
  await using registry = await openRegistry({ maxServers: 20 });
  const { clock, store, registrar, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  const other = identity();
  const approved = Array.from({ length: 9 }, (_, n) =>
    passedOn(other, at(n).url, now, { attributes: [['Signed', 'no']] }),
  );
  const sibling = registrar.guard(await store.replica('sibling'));
  await learn(sibling, [...approved, passedOn(other, at(10).url, now, { type: 'REGISTRY' })]);
  await registry.send(other, { ...at(11), type: 'REGISTRY' });
  assert.equal(directory.countOf(other.serverId), 11);
});

test('keys of descriptions that another Registry passes on are kept when these are taken, and no others', async () => {
  await using registry = await openRegistry({ maxServers: 2 });
  const { clock, store, database, collected, registrar, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  const { keyring, keys } = registrar;
  const down = identity();
  await registry.send(down);
  await registry.withdraw(down);
  await registrar.tend();
  const offered = Array.from({ length: 8 }, (_, n) => ({ own: identity(), ...at(n) }));
  for (const { own } of offered) await keyring.introduce(own.serverId, own.publicKey);
  const sibling = registrar.guard(await store.replica('sibling'));
  const objects = offered.map(({ own, url }) => passedOn(own, url, now));
  await learn(sibling, objects);
  await directory.upToDate();
  clock.advance(1000);
  await registrar.tend();
  const shown = offered.map(({ own }) => keys.published(own.serverId) !== undefined);
  assert.deepEqual(shown, [true, true, false, false, false, false, false, false]);
  const again = await RegistrarKeys.open({ database, clock, collected, maxEnded: 2 });
  assert.notEqual(again.published((offered[0] as { own: Identity }).own.serverId), undefined);
  assert.deepEqual(await again.keyOf(down.serverId), down.publicKey, 'no refused one has taken its place');
  // Meanwhile the key that was reported holds for the others.
  const other = { ...identity(), serverId: (offered[7] as { own: Identity }).own.serverId };
  await assert.rejects(registry.send(other, at(7)), refusal(/another key is known/));
});

test('a Registry with new room asks for as many descriptions as fit, and after a restart for what it lacks', async () => {
  await using registry = await openRegistry({ maxServers: 9 });
  const { clock, store, database, collected, registrar, directory } = registry;
  const now = Math.floor(clock.now() / 1000);
  const [many, kept] = [identity(), identity()];
  await registry.send(kept);
  const offered = [
    ...Array.from({ length: 10 }, (_, n) => passedOn(many, at(n).url, now)),
    ...Array.from({ length: 20 }, (_, n) => passedOn(identity(), at(100 + n).url, now)),
  ];
  const sibling = registrar.guard(await store.replica('sibling'));
  const missing = async () => {
    const digests = await sibling.digests(offered.map(({ oid }) => oid));
    return digests.flatMap((digest, n) => (digest === undefined ? [n] : []));
  };
  await learn(sibling, offered);
  await directory.upToDate();
  await registrar.tend();
  assert.deepEqual([directory.count, await missing()], [9, []], 'there is no room');
  clock.advance(1000);
  // One of another server leaves: there is room for one, and none for a ninth of the same server.
  await registry.withdraw(kept);
  await registrar.tend();
  assert.deepEqual(await missing(), [10]);
  await learn(sibling, [offered[10] as PublishedObject]);
  await registry.withdraw(many, at(0));
  await registrar.tend();
  assert.deepEqual(await missing(), [8]);
  await learn(sibling, [offered[8] as PublishedObject]);
  await directory.upToDate();
  assert.equal(directory.count, 9);

  await registry.withdraw(many, at(1));
  const { serverId: own } = identity();
  const options = { store, database, collected, clock, directory, maxServers: 9, own };
  await using next = await Registrar.open({ ...options, isBlocked: async () => false });
  await next.tend();
  // Those that were withdrawn too: nobody knows why they are not here.
  assert.deepEqual(await missing(), [0, 1, 9, ...Array.from({ length: 19 }, (_, n) => 11 + n)]);
  await learn(next.guard(await store.replica('sibling')), offered.slice(9));
  await directory.upToDate();
  assert.equal(directory.count, 9);
});
