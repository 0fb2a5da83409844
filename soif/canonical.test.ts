import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import { digestOf } from './canonical.ts';
import { type SummaryObject, summaryObject, withAttributes } from './summary-object.ts';

const hex = (object: SummaryObject) => Buffer.from(digestOf(object)).toString('hex');

test('the canonical bytes are as documented', () => {
  const frame = (text: string) => {
    const size = Buffer.alloc(4);
    size.writeUInt32BE(Buffer.byteLength(text));
    return Buffer.concat([size, Buffer.from(text)]);
  };
  const object = summaryObject('http://h/é', [
    ['Title', 'Tides'],
    ['UPDATE-time', 1],
    ['Empty', ''],
  ]);
  const bytes = Buffer.concat([
    Buffer.from('garner summary 1\n'),
    ...['FILE', 'http://h/é', 'title', 'Tides', 'empty', ''].map(frame),
  ]);
  assert.equal(hex(object), createHash('sha256').update(bytes).digest('hex'));
  assert.equal(digestOf(object).length, 32);
});

test('Update-Time and the case of names do not change the digest; anything else does', () => {
  const object = summaryObject('http://h/', [
    ['Title', 'Tides'],
    ['Author', 'Okoro'],
    ['Update-Time', 1],
  ]);
  const same = [
    withAttributes(object, [['update-time', 2]]),
    { ...object, attributes: object.attributes.slice(0, 2) },
    summaryObject('http://h/', [
      ['TITLE', 'Tides'],
      ['author', 'Okoro'],
    ]),
  ];
  for (const other of same) assert.equal(hex(other), hex(object));
  const different = [
    { ...object, url: 'http://h/2' },
    { ...object, templateType: 'file' },
    { ...object, attributes: object.attributes.toReversed() },
    { ...object, attributes: object.attributes.slice(1) },
    withAttributes(object, [['Title', 'tides']]),
    withAttributes(object, [['Last-Modification-Time', 1]]),
    withAttributes(object, [['Update-Time-1', 1]]),
  ];
  assert.equal(new Set([object, ...different].map(hex)).size, different.length + 1);
});

test('bytes cannot move from one part into the next', () => {
  const part = fc.stringMatching(/^[a-c]{0,3}$/);
  const object = fc
    .tuple(part, fc.array(fc.tuple(part, part), { maxLength: 3 }))
    .map(([url, attributes]) => summaryObject(url, attributes));
  fc.assert(
    fc.property(object, object, (one, other) => {
      assert.equal(hex(one) === hex(other), JSON.stringify(one) === JSON.stringify(other));
    }),
    { numRuns: 2000 },
  );
});
