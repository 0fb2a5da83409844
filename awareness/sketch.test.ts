import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { SignSums } from './difference-estimate.ts';
import { cellsFor, SetSummary } from './set-summary.ts';
import { decodeShortIds, encodeShortIds, handlesOf, type ShortId, shortIdOf } from './short-id.ts';
import { cellBytes, peel, Sketch } from './sketch.ts';
import { cellsToSend } from './sketch-refinement.ts';

const shortIds = fc.maxSafeNat().map((n) => (n % 2 ** 48) as ShortId);
const sets = fc.uniqueArray(shortIds, { maxLength: 200 });

function sketchOf(ids: Iterable<ShortId>, cells: number): Sketch {
  const sketch = new Sketch(cells);
  for (const id of ids) sketch.toggle(id);
  return sketch;
}

/** Numbers that depend only on the seed. */
function* ids(seed: number): Generator<ShortId> {
  let state = BigInt(seed) + 1n;
  for (;;) {
    state = (state * 6364136223846793005n + 1442695040888963407n) & ((1n << 64n) - 1n);
    yield Number((state >> 16n) & ((1n << 48n) - 1n)) as ShortId;
  }
}

function take(seed: number, count: number): ShortId[] {
  const found: ShortId[] = [];
  for (const id of ids(seed)) {
    if (found.length === count) break;
    found.push(id);
  }
  return found;
}

test('the difference of any two sets is peeled from twice as many cells, or more are requested', () => {
  fc.assert(
    fc.property(sets, sets, sets, (common, mine, theirs) => {
      const difference = new Set(
        [...mine, ...theirs].filter((id) => mine.includes(id) !== theirs.includes(id)),
      );
      for (let cells = 2 * difference.size + 8; ; cells *= 2) {
        const left = sketchOf([...common, ...mine], cells);
        left.combine(sketchOf([...common, ...theirs], cells).encode());
        const found = peel(left);
        if (found === undefined) {
          assert.ok(cells < 10_000, 'no number of cells suffices');
          continue;
        }
        assert.deepEqual(new Set(found), difference);
        assert.equal(found.length, difference.size);
        return;
      }
    }),
  );
});

test('a prefix of a sketch is the sketch of that length, and encoding loses nothing', () => {
  fc.assert(
    fc.property(sets, fc.integer({ min: 1, max: 64 }), (set, length) => {
      const long = sketchOf(set, 128);
      assert.deepEqual(long.prefix(length).encode(), sketchOf(set, length).encode());
      assert.deepEqual(Sketch.decode(long.encode()).encode(), long.encode());
      assert.equal(long.encode().length, 128 * cellBytes);
    }),
  );
});

test('elements that are added and removed again leave nothing', () => {
  fc.assert(
    fc.property(sets, (set) => {
      const summary = new SetSummary(new Sketch(64));
      for (const id of set) summary.add(id);
      for (const id of set.toReversed()) summary.remove(id);
      assert.ok(summary.sketch.empty);
      assert.equal(summary.sums.differences(new SignSums().encode()), 0);
    }),
  );
});

test('peeling of forged cells ends soon', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: 0, maxLength: 64 * cellBytes }), (bytes) => {
      const whole = bytes.subarray(0, Math.floor(bytes.length / cellBytes) * cellBytes);
      const found = peel(Sketch.decode(whole));
      assert.ok(found === undefined || found.length <= whole.length / cellBytes);
    }),
    { numRuns: 2000 },
  );
});

test('the cells a client sends suffice in nearly every case', () => {
  for (const differences of [1, 2, 5, 10, 50, 200, 1000]) {
    const runs = 100;
    let missed = 0;
    for (let run = 0; run < runs; run++) {
      const sketch = sketchOf(take(run * 7919 + differences, differences), cellsToSend(differences));
      if (peel(sketch)?.length !== differences) missed++;
    }
    assert.ok(missed <= 10, `${missed} of ${runs} sketches of ${differences} differences were too short`);
  }
});

test('the estimate of the difference is within half of it, whatever the sizes of the sets', () => {
  for (const [common, apart] of [
    [1000, 40],
    [20_000, 300],
    [5000, 5000],
  ] as const) {
    const [left, right] = [new SignSums(), new SignSums()];
    for (const id of take(1, common)) {
      left.add(id);
      right.add(id);
    }
    for (const id of take(2, apart)) left.add(id);
    const estimate = left.differences(right.encode());
    assert.ok(Math.abs(estimate - apart) < apart * 0.5, `${estimate} instead of ${apart}`);
    const loaded = SignSums.load(left.dump());
    assert.equal(loaded.differences(right.encode()), estimate);
  }
});

test('a short id gives the place of its handle', () => {
  fc.assert(
    fc.property(
      fc.uint8Array({ minLength: 16, maxLength: 16 }),
      fc.uint8Array({ minLength: 32, maxLength: 32 }),
      (handle, element) => {
        const id = shortIdOf(handle, element);
        const { first, end } = handlesOf(id);
        assert.ok(Buffer.compare(handle, first) >= 0);
        assert.ok(end === undefined || Buffer.compare(handle, end) < 0);
        assert.deepEqual(decodeShortIds(encodeShortIds([id])), [id]);
      },
    ),
  );
});

test('cells grow with the set and stay bounded', () => {
  assert.deepEqual(
    [0, 8192, 8193, 65_536, 65_537, 1e9].map(cellsFor),
    [1024, 1024, 8192, 8192, 65_536, 65_536],
  );
});
