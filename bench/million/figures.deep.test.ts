import assert from 'node:assert/strict';
import { test } from 'node:test';
import { curveOf } from './bench.ts';
import { type MillionRow, millionGoals } from './figures.ts';

const row = (objects: number, indexBytes: number): MillionRow => ({
  ...{ objects, indexBytes, seconds: 1, cpuSeconds: 1, fillPeakBytes: 2 ** 30, servePeakBytes: 2 ** 31 },
  ...{
    textBytes: 1,
    coinedWords: 0,
    storeBytes: 1,
    openMs: 1,
    fillOwnBytes: 2 ** 30,
    serveOwnBytes: 1,
    coldMs: 2000,
    arrived: 500,
  },
  ...{ quiet: { p50: 1, p95: 2 }, busy: { p50: 1, p95: 51 }, behindMs: 1 },
});

test('the curve goes up by factors of ten to the requested size', () => {
  assert.deepEqual(curveOf(1_000_000), [10_000, 100_000, 1_000_000]);
  assert.deepEqual(curveOf(250_000), [10_000, 100_000, 250_000]);
  assert.deepEqual(curveOf(500), [500]);
});

test('the largest size is judged, and its growth by bytes for an object against the size before', () => {
  const verdicts = (rows: readonly MillionRow[]) =>
    millionGoals(rows).map(({ what, met }) => [what.split(' ')[0], met]);
  assert.deepEqual(verdicts([row(10, 100), row(100, 1100)]), [
    ['own', true],
    ['the', true],
    ['own', true],
    ['the', false],
    ['started', true],
    ['p95', false],
    ['index', true],
  ]);
  assert.equal(millionGoals([row(10, 100), row(100, 1101)]).at(-1)?.met, false);
  assert.equal(millionGoals([row(10, 100)]).length, 6);
  assert.deepEqual(millionGoals([]), []);
});
