import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { isGarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { decodeMessage, encodeMessage, type Message } from './message.ts';
import { maxDepth, maxValues } from './message-bounds.ts';

const limit = 2 ** 24;
const unread = { code: 'WIRE_MESSAGE' };

const { value } = fc.letrec((tie) => ({
  value: fc.oneof(
    { depthSize: 'small' },
    fc.string({ unit: 'grapheme' }),
    // Whole numbers are packed as integers, which have no minus zero.
    fc.double({ noNaN: true }).map((number) => (Object.is(number, -0) ? 0 : number)),
    fc.integer(),
    fc.maxSafeInteger(),
    fc.bigInt({ min: 2n ** 53n, max: 2n ** 64n - 1n }),
    fc.boolean(),
    fc.constant(null),
    fc.uint8Array({ maxLength: 300 }),
    fc.array(tie('value'), { maxLength: 20 }),
    fc.dictionary(
      fc.string({ maxLength: 40 }).filter((key) => key !== '__proto__'),
      tie('value'),
      { maxKeys: 20, noNullPrototype: true },
    ),
  ),
}));

test('a message reads back as it was sent', () => {
  fc.assert(
    fc.property(
      fc.string({ minLength: 1, maxLength: 64 }),
      value,
      fc.uint8Array({ maxLength: 1024 }),
      (type, body, resume) => {
        const message: Message = { type, body, resume, absent: undefined };
        const { absent, ...expected } = message;
        assert.deepEqual(decodeMessage(encodeMessage(message, limit)), expected);
        assert.equal(absent, undefined);
      },
    ),
  );
});

test('a message cut short anywhere is refused', () => {
  const bytes = encodeMessage(
    { type: 'ask', a: ['x'.repeat(300), 1.5, { b: new Uint8Array(40) }], n: 70_000 },
    limit,
  );
  for (let length = 0; length < bytes.length; length += 1)
    assert.throws(() => decodeMessage(bytes.subarray(0, length)), unread, `${length} bytes`);
  assert.throws(() => decodeMessage(Buffer.concat([bytes, Buffer.of(0xc0)])), unread, 'a byte too many');
});

test('values that could trick a decoder are refused before they are decoded', () => {
  const type = Buffer.from([0xa4, ...Buffer.from('type'), 0xa1, 0x61]);
  const withField = (name: string, ...bytes: number[]) =>
    Buffer.from([0x82, ...type, 0xa0 | name.length, ...Buffer.from(name), ...bytes]);
  const hostile: [string, Uint8Array][] = [
    ['nothing', new Uint8Array(0)],
    ['not a map', Buffer.from([0x93, 1, 2, 3])],
    ['a date', withField('x', 0xd6, 0xff, 0, 0, 0, 0)],
    ['a record definition', withField('x', 0xd4, 0x72, 0x40, 0x91, 0xa1, 0x61, 1)],
    ['a class', withField('x', 0xc7, 1, 0x65, 0)],
    ['a reserved head', withField('x', 0xc1)],
    ['__proto__', withField('__proto__', 0x80)],
    ['__proto__ by str 8', Buffer.from([0x82, ...type, 0xd9, 9, ...Buffer.from('__proto__'), 0x80])],
    ['a number as key', Buffer.from([0x82, ...type, 0x01, 0x01])],
    ['an array that claims 4 billion', withField('x', 0xdd, 0xff, 0xff, 0xff, 0xff)],
    ['a map that claims 4 billion', withField('x', 0xdf, 0xff, 0xff, 0xff, 0xff)],
    ['bytes that claim 4 GiB', withField('x', 0xc6, 0xff, 0xff, 0xff, 0xff)],
    ['no type', Buffer.from([0x81, 0xa1, 0x78, 1])],
    ['a type that is a number', Buffer.from([0x81, ...type.subarray(0, 5), 1])],
    ['a resume token that is text', withField('resume', 0xa1, 0x61)],
    ['a resume token of 1,025 bytes', withField('resume', 0xc5, 0x04, 0x01, ...new Uint8Array(1025))],
    ['nesting', withField('x', ...new Uint8Array(10_000).fill(0x91), 1)],
    ['nesting of maps', withField('x', ...Buffer.from('81a161'.repeat(5_000), 'hex'), 1)],
  ];
  for (const [name, bytes] of hostile) assert.throws(() => decodeMessage(bytes), unread, name);
});

test('a message of millions of tiny values is refused', () => {
  const count = maxValues + 1;
  const head = Buffer.from([0x82, 0xa4, ...Buffer.from('type'), 0xa1, 0x61, 0xa1, 0x78, 0xdd, 0, 0, 0, 0]);
  head.writeUInt32BE(count, head.length - 4);
  const bytes = Buffer.concat([head, Buffer.alloc(count, 0x80)]);
  assert.throws(() => decodeMessage(bytes), unread);
});

test('random and mutated bytes give a message or a typed error', () => {
  const seed = encodeMessage(
    { type: 'ask', list: [1, 'two', { three: 3.5 }], bytes: new Uint8Array(9) },
    limit,
  );
  const mutated = fc.array(fc.tuple(fc.nat(seed.length - 1), fc.nat(255)), { maxLength: 5 }).map((edits) => {
    const bytes = Uint8Array.from(seed);
    for (const [at, byte] of edits) bytes[at] = byte;
    return bytes;
  });
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array({ maxLength: 60 }), mutated), (bytes) => {
      try {
        const message = decodeMessage(bytes);
        assert.equal(Object.getPrototypeOf(message), Object.prototype);
      } catch (error) {
        assert.ok(isGarnerError(error, wireErrors.WIRE_MESSAGE), String(error));
      }
    }),
    { numRuns: 10_000 },
  );
});

test('values that cannot be packed are refused at the sender', () => {
  const circle: Record<string, unknown> = { type: 'ask' };
  circle.self = circle;
  let nested: unknown = 1;
  for (let depth = 0; depth < maxDepth; depth += 1) nested = [nested];
  for (const field of [
    new Date(),
    new Map(),
    new Float64Array(2),
    () => 1,
    Symbol('x'),
    2n ** 64n,
    -(2n ** 63n) - 1n,
    circle,
    nested,
    JSON.parse('{"__proto__": 1}'),
    { ['k'.repeat(256)]: 1 },
  ])
    assert.throws(() => encodeMessage({ type: 'ask', field }, limit), TypeError);
  assert.throws(() => encodeMessage({ type: '' }, limit), TypeError);
  assert.throws(() => encodeMessage({ type: 'ask', resume: new Uint8Array(1025) }, limit), TypeError);
  assert.throws(() => encodeMessage({ type: 'ask', text: 'x'.repeat(2000) }, 1000), {
    code: 'WIRE_TOO_LARGE',
  });
});

test('a field outlives its message without holding the rest of it', () => {
  const message = decodeMessage(
    encodeMessage({ type: 'ask', small: new Uint8Array(16), rest: 'x'.repeat(9000) }, limit),
  );
  const small = message.small as Uint8Array;
  assert.ok(small.buffer.byteLength < 1000, `${small.buffer.byteLength} bytes are held`);
});

test('records of the library, which carry decoder state, are refused', () => {
  const packr = new Packr({ useRecords: true });
  assert.throws(() => decodeMessage(packr.pack({ type: 'ask', a: 1 })), unread);
});
