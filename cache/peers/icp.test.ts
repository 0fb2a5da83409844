import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeIcp, encodeIcp, type IcpMessage } from './icp.ts';

const url = 'http://127.0.0.1:18203/a';
const bytesOf = (hex: string, text: string) =>
  Buffer.concat([Buffer.from(hex.replaceAll(' ', ''), 'hex'), Buffer.from(`${text}\0`, 'latin1')]);

const urls = fc
  .array(fc.integer({ min: 0x21, max: 0xff }), { minLength: 1, maxLength: 200 })
  .map((codes) => String.fromCharCode(...codes.filter((code) => code !== 0x7f), 0x2f));
const number = fc.integer({ min: 0, max: 0xffff_ffff });
const replyKinds = ['hit', 'miss', 'error', 'source-echo', 'cache-echo', 'miss-no-fetch', 'denied'] as const;
const plain = { noNullPrototype: true } as const;
const messages: fc.Arbitrary<IcpMessage> = fc.oneof(
  fc.record(
    {
      kind: fc.constant('query' as const),
      requestNumber: number,
      url: urls,
      takesObject: fc.boolean(),
      wantsRtt: fc.boolean(),
    },
    plain,
  ),
  fc.record({ kind: fc.constantFrom(...replyKinds), requestNumber: number, url: urls }, plain),
  fc.record(
    {
      kind: fc.constantFrom(...replyKinds),
      requestNumber: number,
      url: urls,
      rttMs: fc.integer({ min: 0, max: 65_535 }),
    },
    plain,
  ),
);

test("RFC 2186 2: a query is written as squid's, byte for byte", () => {
  const seen = bytesOf('01 02 0031 00000001 00000000 00000000 00000000 00000000', url);
  const query = { kind: 'query', requestNumber: 1, url, takesObject: false, wantsRtt: false } as const;
  assert.deepEqual(Buffer.from(encodeIcp(query) ?? []), seen);
  assert.deepEqual(decodeIcp(seen), query);
});

test("RFC 2186 2: squid's answer to a query is read", () => {
  const seen = bytesOf('02 02 002d 00001234 00000000 00000000 00000000', url);
  assert.deepEqual(decodeIcp(seen), { kind: 'hit', requestNumber: 0x1234, url });
});

test('RFC 2186: messages survive encoding and decoding', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const bytes = encodeIcp(message);
      assert.ok(bytes);
      assert.deepEqual(decodeIcp(bytes), message);
    }),
  );
});

test('RFC 2186 2: a message with another length, version or number of NULs is refused', () => {
  fc.assert(
    fc.property(messages, fc.nat(), (message, where) => {
      const bytes = Buffer.from(encodeIcp(message) ?? []);
      assert.equal(decodeIcp(bytes.subarray(0, where % bytes.length)), undefined);
      assert.equal(decodeIcp(Buffer.concat([bytes, Buffer.of(0)])), undefined);
      const shorter = Buffer.from(bytes);
      shorter.writeUInt16BE(bytes.length - 1, 2);
      assert.equal(decodeIcp(shorter), undefined);
      const other = Buffer.from(bytes);
      other[1] = 3;
      assert.equal(decodeIcp(other), undefined);
      const open = Buffer.from(bytes);
      open[open.length - 1] = 0x61;
      assert.equal(decodeIcp(open), undefined);
      const split = Buffer.from(bytes);
      split[split.length - 2] = 0;
      assert.equal(decodeIcp(split), undefined);
    }),
  );
});

test('RFC 2186: an object within an answer is left where it is, and must fit exactly', () => {
  const head = '17 02 0000 00000009 80000000 00000000 00000000';
  const whole = Buffer.concat([bytesOf(head, url), Buffer.from([0, 3, 1, 2, 3])]);
  whole.writeUInt16BE(whole.length, 2);
  assert.deepEqual(decodeIcp(whole), { kind: 'hit-object', requestNumber: 9, url });
  whole[whole.length - 4] = 4;
  assert.equal(decodeIcp(whole), undefined);
});

test('a URL with white space, controls or characters beyond latin1 is neither sent nor taken', () => {
  const hit = (text: string) => encodeIcp({ kind: 'hit', requestNumber: 1, url: text });
  for (const bad of ['', 'http://a/ b', 'http://a/\n', 'http://a/\0', 'http://a/\u0416'])
    assert.equal(hit(bad), undefined, JSON.stringify(bad));
  assert.equal(hit(`http://a/${'x'.repeat(16_384)}`), undefined);
  assert.equal(decodeIcp(bytesOf('02 02 001d 00000001 00000000 00000000 00000000', 'http:/ a')), undefined);
});
