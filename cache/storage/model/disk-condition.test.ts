import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../kernel/index.ts';
import { DiskCondition } from './disk-condition.ts';

const budget = 1024 * 1024;
const error = (code: string) => Object.assign(new Error('no'), { code });

function opened() {
  const clock = new ManualClock();
  let free = 100 * budget;
  const condition = new DiskCondition({ budget, clock, free: async () => free });
  const setFree = (bytes: number) => {
    free = bytes;
  };
  return { clock, condition, setFree };
}

test('a disk that refuses is tried again soon, then after twice as long each time, and the wait is bounded', () => {
  const { clock, condition } = opened();
  let expected = 50;
  for (let turn = 0; turn < 20; turn++) {
    assert.equal(condition.refused(error('EIO'), 1000), true);
    assert.equal(condition.refused(error('EIO'), 1000), false, 'one that was under way');
    assert.equal(condition.pauseMs, expected);
    clock.advance(condition.pauseMs);
    expected = Math.min(10_000, 2 * expected);
  }
  assert.equal(condition.report.state, 'failing');
  condition.took();
  assert.equal(condition.report.state, 'well');
  condition.refused(error('EIO'), 1000);
  assert.equal(condition.pauseMs, 50);
});

test('a clock that is set back ends the wait', () => {
  const { clock, condition } = opened();
  condition.refused(error('EIO'), 0);
  clock.advance(-3_600_000);
  assert.equal(condition.pauseMs, 0);
});

test('what a quota refuses bounds the store, and is raised slowly', async () => {
  const { clock, condition } = opened();
  condition.refused(error('EDQUOT'), 5000);
  await condition.look(() => 5000);
  assert.equal(condition.usable, 5000);
  assert.deepEqual(condition.report, { state: 'full', since: clock.now() / 1000, reason: 'EDQUOT' });
  condition.took();
  assert.equal(condition.report.state, 'full', 'what was on its way before says nothing');
  clock.advance(50);
  condition.took();
  assert.equal(condition.usable, 5000 + 1024);
  assert.equal(condition.report.state, 'short');
  for (let turn = 0; turn < 1024; turn++) condition.took();
  assert.equal(condition.usable, budget);
  assert.equal(condition.report.state, 'well');
});

test('what is free says what a store may have, and at once when it is more again', async () => {
  const { clock, condition, setFree } = opened();
  setFree(0);
  condition.refused(error('ENOSPC'), 800_000);
  await condition.look(() => 800_000);
  assert.ok(condition.usable < 800_000 && condition.usable > 700_000, `${condition.usable}`);
  clock.advance(50);
  condition.took();
  setFree(budget);
  await condition.look(() => 700_000);
  assert.equal(condition.usable, budget);
  assert.equal(condition.report.state, 'well');
});
