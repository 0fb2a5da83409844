import assert from 'node:assert/strict';
import { createHmac } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeHtcp, encodeHtcp } from './htcp.ts';
import { type HtcpKey, htcpSignature, signHtcp } from './htcp-signature.ts';

const key: HtcpKey = { name: 'ours', secret: 'a-long-secret-of-both' };
const from = { address: '192.0.2.1', port: 4827 };
const to = { address: '192.0.2.2', port: 4828 };
const way = { from, to };
const now = 1_700_000_000;
const url = 'http://origin.example/object';
const clear = { method: 'GET', url, version: 'HTTP/1.1', fields: '' };

function message(id: number, minor: 0 | 1 = 1): Uint8Array {
  const bytes = encodeHtcp({
    ...{ kind: 'request', op: 'clear', minor, id, wantsAnswer: true, reason: 1, specifier: clear },
  });
  assert.ok(bytes);
  return bytes;
}

function signed(id: number, minor: 0 | 1 = 1): Buffer {
  const bytes = signHtcp(message(id, minor), key, way, now);
  assert.ok(bytes);
  return Buffer.from(bytes);
}

test('RFC 2756 2: a signature is HMAC-MD5 over addresses, ports, version, times, data and name, in that order', () => {
  const bytes = signed(7);
  const data = message(7).subarray(4, -2);
  const times = Buffer.alloc(8);
  times.writeUInt32BE(now, 0);
  times.writeUInt32BE(now + 60, 4);
  const name = Buffer.from('\0\x04ours');
  const hmac = createHmac('md5', key.secret)
    .update(Buffer.of(192, 0, 2, 1, 4827 >> 8, 4827 & 255, 192, 0, 2, 2, 4828 >> 8, 4828 & 255, 0, 1))
    .update(times)
    .update(data)
    .update(name)
    .digest();
  const auth = Buffer.concat([Buffer.of(0, 2 + 8 + 6 + 18), times, name, Buffer.of(0, 16), hmac]);
  assert.deepEqual(bytes.subarray(4 + data.length), auth);
  assert.equal(bytes.readUInt16BE(0), bytes.length);
});

test('a signed message is otherwise unchanged, and valid for its key, its addresses and its time', () => {
  fc.assert(
    fc.property(
      fc.nat(),
      fc.constantFrom(0 as const, 1 as const),
      fc.integer({ min: -60, max: 120 }),
      (id, minor, late) => {
        const bytes = signed(id, minor);
        assert.deepEqual(decodeHtcp(bytes), decodeHtcp(message(id, minor)));
        assert.equal(htcpSignature(bytes, key, way, now + late), 'good');
      },
    ),
  );
  assert.equal(htcpSignature(message(1), key, way, now), 'absent');
  const bytes = signed(1);
  assert.equal(htcpSignature(bytes, key, way, now - 61), 'bad', 'of the future');
  assert.equal(htcpSignature(bytes, key, way, now + 121), 'bad', 'over');
  assert.equal(htcpSignature(bytes, { ...key, secret: 'another-secret' }, way, now), 'bad');
  assert.equal(htcpSignature(bytes, { ...key, name: 'ourz' }, way, now), 'bad');
  assert.equal(htcpSignature(bytes, { ...key, name: 'our' }, way, now), 'bad');
  assert.equal(htcpSignature(bytes, key, { from: to, to: from }, now), 'bad', 'sent back');
  assert.equal(htcpSignature(bytes, key, { from: { ...from, port: 1 }, to }, now), 'bad');
  assert.equal(htcpSignature(bytes, key, { from, to: { ...to, address: '' } }, now), 'bad');
  assert.equal(signHtcp(message(1), key, { from: { ...from, address: '' }, to }, now), undefined);
});

test('no byte of what is signed can be changed, left out or added but the two that say how long it is', () => {
  fc.assert(
    fc.property(fc.nat(), fc.integer({ min: 1, max: 255 }), (at, by) => {
      const bytes = signed(3);
      const place = 2 + (at % (bytes.length - 2));
      bytes[place] = (bytes[place] ?? 0) ^ by;
      assert.notEqual(htcpSignature(bytes, key, way, now), 'good');
    }),
    { numRuns: 2000 },
  );
  const bytes = signed(3);
  for (let length = 0; length < bytes.length; length++)
    assert.notEqual(htcpSignature(bytes.subarray(0, length), key, way, now), 'good');
  assert.equal(htcpSignature(Buffer.concat([bytes, Buffer.of(0)]), key, way, now), 'bad');
});

test('no forged datagram passes as signed, or causes a failure', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 120 }), (bytes) => {
      assert.notEqual(htcpSignature(bytes, key, way, now), 'good');
    }),
    { numRuns: 2000 },
  );
});

test('an IPv6 address counts by its bytes, however it is written', () => {
  for (const [one, same] of [
    ['2001:db8::1', '2001:0db8:0:0:0:0:0:1'],
    ['::1', '0:0:0:0:0:0:0:1'],
    ['fe80::1%eth0', 'FE80::1'],
    ['1:2:3:4:5:6:7:8', '0001:2:3:4:5:6:7:8'],
  ] as const) {
    const bytes = signHtcp(message(1), key, { from: { ...from, address: one }, to }, now);
    assert.ok(bytes);
    assert.equal(htcpSignature(bytes, key, { from: { ...from, address: same }, to }, now), 'good', one);
    const other = { from: { ...from, address: '2001:db8::2' }, to };
    assert.equal(htcpSignature(bytes, key, other, now), 'bad');
  }
});
