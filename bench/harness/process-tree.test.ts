import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cpuInStat } from './process-tree.ts';

test('times are found behind a name with spaces and parentheses', () => {
  const stat = '12 (a) b (c)) S 1 12 12 0 -1 4194560 900 0 3 0 150 25 700 8 20 0 1 0 55 100 200';
  assert.deepEqual(cpuInStat(stat), { own: 1.75, waited: 7.08 });
});

test('a truncated line is refused', () => {
  assert.throws(() => cpuInStat('12 (a) S 1 12'), TypeError);
});
