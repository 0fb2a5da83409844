import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type SummaryObject, summaryObject } from '../../../soif/index.ts';
import type { FieldLength } from '../index-database/index-state.ts';
import {
  buildSegment,
  bytesOf,
  joinedLengths,
  type MadeSegment,
  partsOf,
  type SegmentPart,
} from './segment-part.ts';
import { SegmentThreads } from './segment-threads.ts';
import { SegmentWriter } from './segment-writer.ts';

const page = (number: number, text: string) =>
  summaryObject(`http://x.org/${number}`, [
    ['Title', `Page ${number}`],
    ['Full-Text', text],
  ]);

const batchOf = (objects: readonly SummaryObject[]): SegmentPart => ({
  ...{ id: 7, from: 100, objects, lengths: [{ objects: 300, tokens: 9000 }], fallback: 'en' },
});

const german = 'Die Schiffe, die am Morgen aus dem Hafen laufen, sind wieder da, bevor es dunkel wird';
const batch = batchOf(
  Array.from({ length: 40 }, (_, at) => page(at, `${at % 3 === 0 ? german : 'ships'} ${at} `.repeat(20))),
);

const rowsOf = ({ writes }: MadeSegment) =>
  writes.map((write) => [
    write.type,
    Buffer.from(write.key),
    write.type === 'put' && Buffer.from(write.value),
  ]);

test('threads build the same segments as this thread', async () => {
  await using threads = new SegmentThreads(true, { min: 1, count: 2 });
  for (const _ of ['threads start', 'threads are used again']) {
    const built = (await threads.build(batch)) ?? [];
    assert.equal(threads.running, 2);
    assert.equal(built.length, 2);
    for (const [at, part] of partsOf(batch, 2).entries()) {
      const here = await buildSegment(new SegmentWriter(part.from, part.lengths, true), part);
      const there = built[at] as typeof here;
      assert.deepEqual({ ...there, writes: rowsOf(there) }, { ...here, writes: rowsOf(here) });
      assert.deepEqual(new Set(there.languages), new Set(['de', 'en']));
    }
  }
});

test('a small batch is built in this thread, and no other thread is left', async () => {
  await using threads = new SegmentThreads(true, { min: 10_000, count: 2 });
  assert.ok(await threads.build(batch));
  assert.equal(await threads.build(batchOf([page(1, 'small')])), undefined);
  assert.equal(threads.running, 0);
  assert.ok(await threads.build(batch));
  await using alone = new SegmentThreads(true, { min: 1, count: 1 });
  assert.equal(await alone.build(batch), undefined);
});

test('an object that cannot be passed to threads is built in this thread', async () => {
  await using threads = new SegmentThreads(true, { min: 1, count: 2 });
  const unprintable = summaryObject('http://x.org/', [['no name', 'x']]);
  assert.equal(await threads.build(batchOf([page(1, 'one'), unprintable])), undefined);
  assert.equal(threads.running, 0);
});

test('parts contain every object once, in order, and about as much each', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat(500), { minLength: 1, maxLength: 30 }),
      fc.integer({ min: 1, max: 4 }),
      (sizes, count) => {
        const whole = batchOf(
          sizes.map((size, at) => (size === 0 ? summaryObject('', []) : page(at, 'x'.repeat(size)))),
        );
        const parts = partsOf(whole, count);
        assert.ok(parts.length <= count && parts.length >= 1);
        assert.deepEqual(
          parts.flatMap(({ objects }) => objects),
          whole.objects,
        );
        let from = whole.from;
        const max = Math.max(...whole.objects.map(bytesOf));
        const share = whole.objects.reduce((sum, object) => sum + bytesOf(object), 0) / count;
        for (const [at, part] of parts.entries()) {
          assert.deepEqual([part.id, part.from], [whole.id + at, from]);
          from += part.objects.length;
          assert.ok(part.objects.length > 0);
          assert.ok(part.objects.reduce((sum, object) => sum + bytesOf(object), 0) <= share + max);
        }
      },
    ),
  );
});

test('lengths of fields grow by the additions of each segment', () => {
  const length = (objects: number, tokens: number): FieldLength => ({ objects, tokens });
  const made = (...lengths: FieldLength[]): MadeSegment => ({ writes: [], bytes: 0, lengths });
  const known = [length(10, 100)];
  const built = [made(length(12, 130), length(1, 5)), made(length(15, 150), length(2, 7))];
  assert.deepEqual(joinedLengths(known, built), [length(17, 180), length(3, 12)]);
  assert.deepEqual(joinedLengths(known, [{ writes: [], bytes: 0 }]), known);
  assert.deepEqual(joinedLengths(known, []), known);
});
