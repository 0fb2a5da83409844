import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Packr } from 'msgpackr';
import { isGarnerError, seededRandom } from '../kernel/index.ts';
import { decodeObject, encodeObject } from './binary-form.ts';
import { soifErrors } from './errors.ts';
import { defaultLimits } from './limits.ts';
import { type SummaryObject, summaryObject } from './summary-object.ts';
import { SoifParser } from './text-parser.ts';
import { printObject } from './text-printer.ts';

const sample = summaryObject('http://h/é', [
  ['Title', 'Tides'],
  ['Update-Time', 826214400],
  ['Empty', ''],
  ['Full-Text', new Uint8Array(300).fill(7)],
  ['title', Uint8Array.of(0, 255)],
]);

const packr = new Packr({ useRecords: false });
const form = (parts: unknown, version = 1) =>
  new Uint8Array(Buffer.concat([Buffer.of(version), packr.pack(parts)]));
const refused = (bytes: Uint8Array, problem?: RegExp) =>
  assert.throws(
    () => decodeObject(bytes),
    (error) =>
      isGarnerError(error, soifErrors.SOIF_BINARY) && (problem === undefined || problem.test(error.message)),
  );

test('the bytes are stable: a version byte and a MessagePack array', () => {
  const bytes = encodeObject(summaryObject('http://h/', [['Title', 'Tides']]));
  const hex = `01 94 a4${Buffer.from('FILE').toString('hex')} a9${Buffer.from('http://h/').toString('hex')}`;
  const rest = ` a5${Buffer.from('Title').toString('hex')} c405${Buffer.from('Tides').toString('hex')}`;
  assert.equal(Buffer.from(bytes).toString('hex'), `${hex}${rest}`.replaceAll(' ', ''));
  assert.deepEqual(packr.unpack(encodeObject(sample).subarray(1)).slice(0, 3), [
    'FILE',
    'http://h/é',
    'Title',
  ]);
});

test('a MessagePack library reads our bytes, and we read its', () => {
  const plain = (object: SummaryObject) => [
    object.templateType,
    object.url,
    ...object.attributes.flatMap(({ name, value }) => [name, value]),
  ];
  for (const length of [0, 31, 32, 255, 256, 65_535, 65_536]) {
    const many = Array.from({ length: length % 40 }, (_, at) => [`N${at}`, at] as const);
    const object = summaryObject(`http://h/${'é'.repeat(length % 3000)}`, [
      ['A'.repeat(1 + (length % 256)), new Uint8Array(length)],
      ...many,
    ]);
    assert.deepEqual(packr.unpack(encodeObject(object).subarray(1)), plain(object));
    assert.deepEqual(decodeObject(form(plain(object))), object);
  }
});

test('decoded values are views of the bytes given, wherever those lie', () => {
  const bytes = encodeObject(sample);
  const padded = new Uint8Array(bytes.length + 20);
  padded.set(bytes, 7);
  const view = padded.subarray(7, 7 + bytes.length);
  const decoded = decodeObject(view);
  assert.deepEqual(decoded, sample);
  assert.ok(decoded.attributes.every(({ value }) => value.buffer === padded.buffer));
  assert.deepEqual(decodeObject(Buffer.from(view)), sample);
});

test('values of every length class survive', () => {
  for (const length of [0, 1, 31, 255, 256, 65_535, 65_536, 1_000_000]) {
    const object = summaryObject('-', [['A', new Uint8Array(length).fill(1)]]);
    assert.deepEqual(decodeObject(encodeObject(object)), object);
  }
  const many = summaryObject(
    `http://h/${'x'.repeat(8000)}`,
    Array.from({ length: defaultLimits.maxAttributes }, (_, at) => [`Name-${at}`, at] as const),
  );
  assert.deepEqual(decodeObject(encodeObject(many)), many);
});

test('every prefix and every byte behind the end is refused', () => {
  const bytes = encodeObject(sample);
  for (let end = 0; end < bytes.length; end++) refused(bytes.subarray(0, end));
  refused(Uint8Array.from([...bytes, 0]), /behind its end/);
});

test('other shapes are refused: versions, kinds, counts, names, sizes', () => {
  const value = Uint8Array.of(1);
  refused(form(['FILE', 'u'], 2), /version 2/);
  for (const parts of [
    {},
    null,
    'FILE',
    [],
    ['FILE'],
    ['FILE', 'u', 'A'],
    ['FILE', 'u', 'A', 'text'],
    ['FILE', 'u', 'A', 1],
    ['FILE', 'u', 'A', [1]],
    ['FILE', 'u', 'A', { length: 1 }],
    ['FILE', 'u', 'A', new Date(0)],
    ['FILE', 'u', value, value],
    [value, 'u'],
    ['UPDATE', 'u'],
    ['FI LE', 'u'],
    ['FILE', ''],
    ['FILE', 'a b'],
    ['FILE', 'A{1}:'],
    ['FILE', 'u', '', value],
    ['FILE', 'u', 'na me', value],
    ['FILE', 'u', 'é', value],
    ['FILE', 'u', 'n'.repeat(257), value],
    ['FILE', `http://${'x'.repeat(9000)}`],
    ['FILE', 'u', `${'Embed<1>-'.repeat(17)}A`, value],
  ])
    refused(form(parts));
  refused(Uint8Array.from([1, 0x92, 0xa1, 0x46, 0xa2, 0xc3, 0x28]), /UTF-8/);
});

test('claimed lengths reserve nothing', () => {
  const before = process.memoryUsage().arrayBuffers;
  refused(Uint8Array.from([1, 0xdd, 0xff, 0xff, 0xff, 0xfe]));
  refused(Uint8Array.from([1, 0xdd, 0x00, 0x00, 0x10, 0x00, 0xa1, 0x46]));
  refused(Uint8Array.from([1, 0x94, 0xa1, 0x46, 0xa1, 0x75, 0xa1, 0x41, 0xc6, 0xff, 0xff, 0xff, 0xff]));
  refused(Uint8Array.from([1, 0x92, 0xdb, 0xff, 0xff, 0xff, 0xff, 0x46]));
  assert.ok(process.memoryUsage().arrayBuffers - before < 1_000_000);
});

test('arbitrary and damaged bytes decode to a printable object or a typed error', () => {
  const attempt = (bytes: Uint8Array) => {
    try {
      const object = decodeObject(bytes);
      const parser = new SoifParser();
      assert.deepEqual([...parser.push(printObject(object))][0]?.object, object);
    } catch (error) {
      assert.ok(isGarnerError(error, soifErrors.SOIF_BINARY), String(error));
    }
  };
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (bytes) => {
      attempt(bytes);
      attempt(Uint8Array.from([1, 0x92, ...bytes]));
    }),
    { numRuns: 2000 },
  );
  const seed = 7;
  const random = seededRandom(seed);
  const good = encodeObject(sample);
  for (let round = 0; round < 5000; round++) {
    const bytes = good.slice();
    for (let times = 0; times < 2; times++)
      bytes[Math.floor(random.next() * 60)] = Math.floor(random.next() * 256);
    attempt(bytes);
  }
});

test('an object that text cannot hold is not encoded either', () => {
  for (const object of [
    summaryObject('a b', []),
    summaryObject('u', [['A B', 1]]),
    summaryObject('u', [], 'UPDATE'),
    summaryObject('u', [['A', new Uint8Array(defaultLimits.maxValueBytes + 1)]]),
    summaryObject(
      'u',
      Array.from({ length: defaultLimits.maxAttributes + 1 }, () => ['A', 1] as const),
    ),
  ])
    assert.throws(() => encodeObject(object), { code: 'SOIF_UNPRINTABLE' });
});
