import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { checkBytes, checkedPiece, pieceCheck, storedBytes } from '../model/content-blocks.ts';
import { RecentPurges } from '../model/recent-purges.ts';
import { largestFirst } from '../model/stored-entry.ts';
import { WrittenChunks } from '../model/written-chunks.ts';
import { decodeKey, decodeMeta, encodeMeta } from './meta-record.ts';

const latin1 = fc.string({ unit: fc.nat(255).map((code) => String.fromCharCode(code)), maxLength: 40 });
const raw = fc.array(latin1, { maxLength: 12 });
const time = fc.nat(2 ** 31);
const serial = fc.integer({ min: 1, max: Number.MAX_SAFE_INTEGER });
const meta = fc.record(
  {
    key: latin1,
    head: fc.record({
      ...{ url: latin1, status: fc.nat(599), reason: latin1, fields: raw, selecting: raw },
      ...{ requestedAtMs: time, receivedAtMs: time, authorized: fc.boolean() },
    }),
    tags: raw,
    part: fc.record({ first: time, last: time, total: time }),
  },
  { requiredKeys: ['key', 'head', 'tags'], noNullPrototype: true },
);

test('a head comes back from disk as it was, and a record with a flipped bit or of another entry is none', () => {
  fc.assert(
    fc.property(meta, serial, fc.nat(), (one, own, bit) => {
      const record = encodeMeta(own, one);
      assert.deepEqual(decodeMeta(record, own), JSON.parse(JSON.stringify(one)));
      assert.equal(decodeKey(record, own), one.key);
      assert.equal(decodeMeta(record, own === 1 ? 2 : own - 1), undefined);
      assert.equal(decodeMeta(record.subarray(0, record.length - 1), own), undefined);
      const at = (bit >> 3) % record.length;
      record[at] = (record[at] as number) ^ (1 << (bit & 7));
      assert.equal(decodeMeta(record, own), undefined);
      assert.equal(decodeKey(record, own), undefined);
    }),
  );
});

test('a piece is taken only in its place, of its entry, and unharmed', () => {
  const bytes = fc.uint8Array({ minLength: 1, maxLength: 300 });
  fc.assert(
    fc.property(bytes, fc.nat(300), serial, fc.nat(1000), fc.nat(), (piece, cut, own, index, bit) => {
      const parts = [piece.subarray(0, cut), piece.subarray(cut)];
      const stored = Buffer.concat([piece, pieceCheck(parts, own, index)]);
      assert.equal(stored.length, storedBytes(piece.length));
      assert.deepEqual(checkedPiece(stored, own, index), Buffer.from(piece));
      assert.equal(checkedPiece(stored, own, index + 1), undefined);
      assert.equal(checkedPiece(stored, own === 1 ? 2 : own - 1, index), undefined);
      const at = (bit >> 3) % stored.length;
      stored[at] = (stored[at] as number) ^ (1 << (bit & 7));
      assert.equal(checkedPiece(stored, own, index), undefined);
    }),
  );
  assert.equal(checkedPiece(Buffer.alloc(checkBytes), 1, 0), undefined);
});

test('chunks are read back from any byte, and those dropped are not', () => {
  const chunk = fc.uint8Array({ maxLength: 20 });
  fc.assert(
    fc.property(fc.array(chunk), fc.nat(100), fc.nat(100), fc.nat(30), (list, from, length, dropped) => {
      const chunks = new WrittenChunks();
      for (const one of list) chunks.append(one);
      const whole = Buffer.concat(list);
      assert.equal(chunks.bytes, whole.length);
      assert.deepEqual(Buffer.from(chunks.join()), whole);
      const end = Math.min(from + length, whole.length);
      assert.deepEqual(Buffer.concat(chunks.slices(from, end)), whole.subarray(Math.min(from, end), end));
      chunks.dropBefore(dropped);
      assert.ok(chunks.first <= Math.max(dropped, 0) || chunks.first === chunks.bytes);
      assert.deepEqual(
        Buffer.concat(chunks.slices(chunks.first, whole.length)),
        whole.subarray(chunks.first),
      );
      assert.equal(chunks.bytes, whole.length);
    }),
  );
});

test('a response begun longer ago than purges are remembered is validated', () => {
  const purges = new RecentPurges();
  const entry = { key: 'http://a/', tags: [] };
  assert.equal(purges.since(purges.latest, entry), 'nothing');
  for (let at = 0; at < 8192; at++) purges.add({ url: `http://b/${at}` }, 'forget');
  assert.equal(purges.since(0, entry), 'validate');
  assert.equal(purges.since(8000, entry), 'nothing');
  purges.add({ prefix: 'http://a' }, { staleSinceMs: 7000 });
  purges.add({ prefix: 'http://a' }, { staleSinceMs: 9000 });
  assert.deepEqual(purges.since(8000, entry), { staleSinceMs: 7000 });
  purges.add({ url: 'http://a/' }, 'validate');
  assert.equal(purges.since(8000, entry), 'validate');
  purges.add({ all: true }, 'forget');
  assert.equal(purges.since(8000, entry), 'forget');
  assert.equal(purges.since(purges.latest, entry), 'nothing');
});

test('purges that name long URLs are remembered in bounded memory, and what is forgotten may have been meant', () => {
  const purges = new RecentPurges();
  const long = 'x'.repeat(30_000);
  for (let at = 0; at < 1000; at++) purges.add({ url: `http://b/${long}${at}` }, 'forget');
  const entry = { key: 'http://a/', tags: [] };
  assert.equal(purges.since(0, entry), 'validate');
  assert.equal(purges.since(990, entry), 'nothing');
  assert.equal(purges.since(990, { key: `http://b/${long}995`, tags: [] }), 'forget');
});

test('the longest list holds the largest, largest first', () => {
  fc.assert(
    fc.property(fc.array(fc.nat(50)), fc.nat(10), (numbers, count) => {
      const sorted = [...numbers].sort((a, b) => b - a).slice(0, count);
      assert.deepEqual(
        largestFirst(numbers, (number) => number, count),
        sorted,
      );
    }),
  );
});
