import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  decodeObject,
  digestOf,
  encodeObject,
  type Identity,
  identityFrom,
  type KeyLink,
  keyLink,
  newIdentitySecret,
  type Oid,
  oidOf,
  provenanceBytes,
  type ServerId,
  summaryObject,
} from '../soif/index.ts';
import { MemoryKeyring } from './keyring.ts';
import { ProvenanceVerifier } from './verify.ts';

const unverified = { code: 'EXCHANGE_UNVERIFIED' };
const newServer = () => identityFrom(newIdentitySecret());

/** A server with two keys; its links revoke the first one where so requested. */
function changed(isRevoked = false): {
  readonly first: Identity;
  readonly second: Identity;
  readonly links: readonly KeyLink[];
} {
  const first = newServer();
  const second = { ...newServer(), serverId: first.serverId };
  return { first, second, links: [keyLink(first, second, { at: 1000, isRevoked })] };
}

function objectBy({ serverId: publisher, sign }: Identity) {
  const summary = summaryObject('http://example.org/1', [['Title', 'one']]);
  const [oid, digest, updatedAt] = [oidOf(publisher, summary.url), digestOf(summary), 1000];
  const signature = sign(provenanceBytes(oid, digest, updatedAt));
  return { oid, digest, body: encodeObject(summary), updatedAt, publisher, signature };
}

test('links prove nothing of a publisher whose key is unknown, unless they lead to the reported key', async () => {
  const { first, second, links } = changed();
  const { serverId } = first;
  const keyring = new MemoryKeyring();
  const alone = new ProvenanceVerifier(keyring);
  alone.introduce([], [[serverId, links]]);
  for (const identity of [first, second]) await assert.rejects(alone.object(objectBy(identity)), unverified);
  const astray = new ProvenanceVerifier(keyring);
  astray.introduce([[serverId, newServer().publicKey]], [[serverId, links]]);
  for (const identity of [first, second]) await assert.rejects(astray.object(objectBy(identity)), unverified);
  assert.equal(await keyring.keyOf(serverId), undefined);
  const sound = new ProvenanceVerifier(keyring);
  sound.introduce([[serverId, second.publicKey]], [[serverId, links]]);
  for (const identity of [first, second]) await sound.object(objectBy(identity));
  // Without the key it could not pass the object on.
  assert.deepEqual(await keyring.keyOf(serverId), second.publicKey);
});

test('a key that is revoked while a round runs verifies nothing in its further messages', async () => {
  const { first, links } = changed(true);
  const keyring = new MemoryKeyring();
  await keyring.learn(first.serverId, first.publicKey);
  const verifier = new ProvenanceVerifier(keyring);
  const object = objectBy(first);
  verifier.introduce([]);
  await verifier.object(object);
  assert.equal(verifier.isRevoked(object.oid), false);
  // By another source, or by a Registry.
  assert.equal(await keyring.succeed(first.serverId, links), 'taken');
  verifier.introduce([]);
  await verifier.object(object);
  assert.equal(verifier.isRevoked(object.oid), true);
  assert.equal(await verifier.refresh(object, object.digest), false);
});

test('where unverified objects are passed over, a part or a refresh by an unknown key ends no round', async () => {
  const object = objectBy(newServer());
  const strict = new ProvenanceVerifier(new MemoryKeyring());
  await assert.rejects(strict.refresh(object, object.digest), unverified);
  await assert.rejects(strict.part(object), unverified);
  const passed: ServerId[] = [];
  const keyring = Object.assign(new MemoryKeyring(), {
    passOver: (publisher: ServerId) => passed.push(publisher),
  });
  const lenient = new ProvenanceVerifier(keyring);
  assert.equal(await lenient.refresh(object, object.digest), false);
  await lenient.part(object);
  assert.deepEqual(passed, [object.publisher]);
  await assert.rejects(lenient.part({ ...object, oid: objectBy(newServer()).oid as Oid }), unverified);
});

test('no server renews an object of another one', async () => {
  const [own, stranger] = [newServer(), newServer()];
  const keyring = new MemoryKeyring();
  for (const { serverId, publicKey } of [own, stranger]) await keyring.learn(serverId, publicKey);
  const verifier = new ProvenanceVerifier(keyring);
  const object = objectBy(own);
  const { url } = decodeObject(object.body);
  const updatedAt = object.updatedAt + 1;
  const signed = provenanceBytes(object.oid, object.digest, updatedAt);
  const renewal = ({ serverId, sign }: typeof own) => ({
    ...{ oid: object.oid, publisher: serverId, updatedAt, signature: sign(signed) },
  });
  assert.equal(await verifier.refresh(renewal(own), object.digest, url), true);
  assert.equal(await verifier.refresh(renewal(stranger), object.digest, url), false);
});
