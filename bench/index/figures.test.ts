import assert from 'node:assert/strict';
import { test } from 'node:test';
import { timesOfRounds } from './engine.ts';
import type { IndexRow } from './figures.ts';
import { judgedGoals } from './goals.ts';

const row = (engine: string, more: Partial<IndexRow>): IndexRow => ({
  ...{ engine, positions: true, buildSeconds: 4, buildCpuSeconds: 8, peakBytes: 0, notes: [] },
  ...{ indexBytes: 30, indexPart: 30, queries: {}, ...more },
});

test('times are the quantiles of each round, then the median of the rounds', () => {
  const even = Array.from({ length: 101 }, (_, at) => at);
  const rounds = [{ or: even }, { or: even.map((ms) => ms + 1000) }, { or: even.map((ms) => ms + 2) }];
  assert.deepEqual(timesOfRounds(rounds), { or: { p50: 52, p95: 97 } });
});

test('building is judged against FTS5 of the same run, at least half as fast', () => {
  const goals = (seconds: number) =>
    judgedGoals([row('garner', {}), row('fts5', { buildSeconds: seconds, buildCpuSeconds: 1 })]);
  const speed = (seconds: number) => goals(seconds).find(({ what }) => /FTS5/.test(what));
  assert.deepEqual([speed(2)?.value, speed(2)?.met], [0.5, true]);
  assert.equal(speed(1.9)?.met, false);
  assert.equal(goals(2).find(({ what }) => /CPU/.test(what))?.met, false);
});

test('goals without a measurement are not judged', () => {
  assert.deepEqual(judgedGoals([row('fts5', {})]), []);
  const judged = judgedGoals([row('garner', { queries: { or: { p50: 0.31, p95: 5 } } })]);
  assert.deepEqual(
    judged.map(({ what, met }) => [what, met]),
    [
      ['index with positions, of the text', true],
      ['OR, p50', false],
      ['OR, p95', true],
    ],
  );
});
