import assert from 'node:assert/strict';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { test } from 'node:test';
import { seededRandom } from '../kernel/index.ts';
import { digestOf } from './canonical.ts';
import { isOid, oidBytes, oidFromBytes, oidOf } from './identifiers.ts';
import { identityFrom, newIdentitySecret, provenanceBytes } from './identity.ts';
import { summaryObject } from './summary-object.ts';
import { verifier } from './verifier.ts';

test('an OID is the hash of the Gatherer and the URL, 43 characters, and survives as bytes', () => {
  const { serverId } = newIdentitySecret(seededRandom(1));
  assert.equal(serverId.length, 22);
  const oid = oidOf(serverId, 'http://h/é');
  const hash = createHash('sha256').update(Buffer.from(serverId, 'base64url')).update('http://h/é');
  assert.equal(oid, hash.digest('base64url'));
  assert.ok(isOid(oid));
  assert.equal(oidBytes(oid).length, 32);
  assert.equal(oidFromBytes(oidBytes(oid)), oid);
  assert.notEqual(oidOf(serverId, 'http://h/e'), oid);
  assert.notEqual(oidOf(newIdentitySecret(seededRandom(2)).serverId, 'http://h/é'), oid);
  for (const text of ['', oid.slice(1), `${oid}A`, oid.replace(/.$/, '='), `${oid}\n`])
    assert.ok(!isOid(text), text);
});

test('the same secret is the same server again', () => {
  const secret = newIdentitySecret();
  const one = identityFrom(secret);
  const again = identityFrom(JSON.parse(JSON.stringify(secret)));
  assert.equal(one.serverId, secret.serverId);
  assert.equal(one.publicKey.length, 32);
  assert.deepEqual(again.publicKey, one.publicKey);
  assert.notDeepEqual(identityFrom(newIdentitySecret()).publicKey, one.publicKey);
});

test('a signature proves which Gatherer made an object, and no other signature verifies', () => {
  const identity = identityFrom(newIdentitySecret());
  const object = summaryObject('http://h/', [['Title', 'Tides']]);
  const oid = oidOf(identity.serverId, object.url);
  const bytes = provenanceBytes(oid, digestOf(object), 826214400);
  const signature = identity.sign(bytes);
  const accepts = verifier(identity.publicKey);
  assert.equal(signature.length, 64);
  assert.ok(accepts(bytes, signature));

  const other = oidOf(identity.serverId, 'http://other/');
  const digest = digestOf(summaryObject('http://h/', [['Title', 'Ebb']]));
  assert.ok(!accepts(provenanceBytes(other, digestOf(object), 826214400), signature));
  assert.ok(!accepts(provenanceBytes(oid, digest, 826214400), signature));
  assert.ok(!accepts(provenanceBytes(oid, digestOf(object), 826214401), signature));
  for (let at = 0; at < 64; at++) {
    const forged = signature.slice();
    forged[at] = (forged[at] as number) ^ 1;
    assert.ok(!accepts(bytes, forged), `byte ${at}`);
  }
  assert.ok(!accepts(bytes, signature.subarray(0, 63)));
  assert.ok(!accepts(bytes, new Uint8Array(65)));
  assert.ok(!verifier(identityFrom(newIdentitySecret()).publicKey)(bytes, signature));
});

test('the signed bytes are a label, the OID, the digest and the time', () => {
  const oid = oidFromBytes(new Uint8Array(32).fill(1));
  const bytes = Buffer.from(provenanceBytes(oid, new Uint8Array(32).fill(2), 0x0102));
  assert.equal(
    bytes.toString('hex'),
    `${Buffer.from('garner object 1\n').toString('hex')}${'01'.repeat(32)}${'02'.repeat(32)}0000000000000102`,
  );
});

test('keys of another kind are refused; an unusable public key accepts nothing', () => {
  const { privateKey } = generateKeyPairSync('ec', { namedCurve: 'P-256' });
  const secret = {
    ...newIdentitySecret(),
    privateKey: privateKey.export({ type: 'pkcs8', format: 'pem' }).toString(),
  };
  assert.throws(() => identityFrom(secret), TypeError);
  assert.throws(() => identityFrom({ ...secret, privateKey: 'no key' }));
  for (const length of [0, 31, 33])
    assert.ok(!verifier(new Uint8Array(length))(new Uint8Array(1), new Uint8Array(64)));
});
