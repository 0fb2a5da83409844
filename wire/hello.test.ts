import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Identity, identityFrom, newIdentitySecret, succeedingSecret } from '../soif/index.ts';
import { helloBytes, parseHello } from './hello.ts';
import { packRecord, unpackRecord } from './message.ts';
import { wireLimits } from './settings.ts';

const helloOf = (identity: Identity) =>
  helloBytes(
    { identity, name: '海'.repeat(200), role: 'gatherer', software: '海'.repeat(100) },
    wireLimits(),
    new Uint8Array(32),
  );

test('a hello carries the longest succession of keys within its bound, and malformed ones are refused', () => {
  let secret = newIdentitySecret();
  assert.equal(parseHello(helloOf(identityFrom(secret)), 'here').peer.succession, undefined);
  for (let n = 0; n < 10; n++) secret = succeedingSecret(secret, { at: n, isRevoked: n === 3 });
  const identity = identityFrom(secret);
  const hello = helloOf(identity);
  assert.ok(hello.length <= 4096, `${hello.length} bytes`);
  assert.deepEqual(parseHello(hello, 'here').peer.succession, identity.succession);
  const record = unpackRecord(hello.subarray(4));
  for (const succession of ['links', new Uint8Array(200), new Uint8Array(201 * 9), 7]) {
    const forged = Buffer.concat([hello.subarray(0, 4), packRecord({ ...record, succession })]);
    assert.throws(() => parseHello(forged, 'here'), /succession is malformed|too long/);
  }
});
