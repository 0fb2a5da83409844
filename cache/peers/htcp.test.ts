import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeHtcp, encodeHtcp, type HtcpMessage, unknownHtcpOperation } from './htcp.ts';

const latin1 = fc
  .array(fc.integer({ min: 0, max: 0xff }), { maxLength: 60 })
  .map((codes) => String.fromCharCode(...codes));
const base = {
  minor: fc.constantFrom(0 as const, 1 as const),
  id: fc.integer({ min: 0, max: 0xffff_ffff }),
};
const asked = { kind: fc.constant('request' as const), wantsAnswer: fc.boolean(), ...base };
const plain = { noNullPrototype: true } as const;
const specifier = fc.record({ method: latin1, url: latin1, version: latin1, fields: latin1 }, plain);
const messages: fc.Arbitrary<HtcpMessage> = fc.oneof(
  fc.record({ ...asked, op: fc.constant('nop' as const) }, plain),
  fc.record({ ...asked, op: fc.constant('test' as const), specifier }, plain),
  fc.record(
    {
      ...asked,
      op: fc.constant('clear' as const),
      reason: fc.integer({ min: 0, max: 15 }),
      specifier,
    },
    plain,
  ),
  fc.record(
    {
      ...base,
      kind: fc.constant('response' as const),
      op: fc.constantFrom('nop' as const, 'test' as const, 'clear' as const),
      code: fc.integer({ min: 0, max: 15 }),
      overall: fc.boolean(),
      blocks: fc.array(latin1, { maxLength: 3 }),
    },
    plain,
  ),
);

test('RFC 2756: messages survive encoding and decoding, in both byte orders', () => {
  fc.assert(
    fc.property(messages, (message) => {
      const bytes = encodeHtcp(message);
      assert.ok(bytes);
      assert.deepEqual(decodeHtcp(bytes), message);
    }),
  );
});

test('RFC 2756 2: a test is laid out as in the figure: lengths, nibbles, flags, counted texts, no authentication', () => {
  const bytes = encodeHtcp({
    kind: 'request',
    minor: 1,
    id: 0x01020304,
    op: 'test',
    wantsAnswer: true,
    specifier: { method: 'GET', url: 'http://a/', version: '1.1', fields: '' },
  });
  const expected = `002500010021${'10'}${'02'}01020304${'0003474554'}${'0009687474703a2f2f612f'}${'0003312e31'}${'0000'}${'0002'}`;
  const fixed = Buffer.from(expected, 'hex');
  fixed.writeUInt16BE(fixed.length, 0);
  fixed.writeUInt16BE(fixed.length - 6, 4);
  assert.equal(Buffer.from(bytes ?? []).toString('hex'), fixed.toString('hex'));
});

test('RFC 2756 2: a message with any other length is refused', () => {
  fc.assert(
    fc.property(messages, fc.nat(), (message, where) => {
      const bytes = Buffer.from(encodeHtcp(message) ?? []);
      assert.equal(decodeHtcp(bytes.subarray(0, where % bytes.length)), undefined);
      assert.equal(decodeHtcp(Buffer.concat([bytes, Buffer.of(0)])), undefined);
      const other = Buffer.from(bytes);
      other.writeUInt16BE(bytes.readUInt16BE(4) + 1, 4);
      assert.equal(decodeHtcp(other), undefined);
    }),
  );
});

test('RFC 2756 2: a signature is stepped over', () => {
  const plain = Buffer.from(
    encodeHtcp({ kind: 'request', minor: 1, id: 7, op: 'nop', wantsAnswer: true }) ?? [],
  );
  const signed = Buffer.concat([plain.subarray(0, 12), Buffer.from([0, 14]), Buffer.alloc(12, 9)]);
  signed.writeUInt16BE(signed.length, 0);
  assert.deepEqual(decodeHtcp(signed), decodeHtcp(plain));
});

test('RFC 2756 2: an unknown operation is refused when an answer is requested', () => {
  const monitor = Buffer.from(
    encodeHtcp({ kind: 'request', minor: 1, id: 7, op: 'nop', wantsAnswer: true }) ?? [],
  );
  assert.equal(unknownHtcpOperation(monitor), undefined);
  monitor[6] = 0x20;
  assert.equal(decodeHtcp(monitor), undefined);
  assert.deepEqual(unknownHtcpOperation(monitor), {
    kind: 'response',
    minor: 1,
    id: 7,
    op: 'nop',
    code: 2,
    overall: true,
    blocks: [],
  });
  monitor[7] = 0;
  assert.equal(unknownHtcpOperation(monitor), undefined);
});
