import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { RecentInvalidations } from './recent-invalidations.ts';

test('a change after a count is seen for its URL alone, one of many for all', () => {
  const changes = new RecentInvalidations();
  changes.note('a');
  const before = changes.count;
  assert.equal(changes.since(before, 'a'), false);
  changes.note('b');
  assert.deepEqual([changes.since(before, 'a'), changes.since(before, 'b')], [false, true]);
  changes.noteMany();
  assert.deepEqual([changes.since(before, 'a'), changes.since(changes.count, 'a')], [true, false]);
});

test('no change is missed, however many there are', () => {
  fc.assert(
    fc.property(
      fc.array(fc.nat({ max: 12_000 }), { maxLength: 40 }),
      fc.nat({ max: 25_000 }),
      (some, bulk) => {
        const changes = new RecentInvalidations();
        const last = new Map<string, number>();
        const note = (number: number) => {
          const url = String(number);
          changes.note(url);
          last.set(url, changes.count);
        };
        for (const number of some) note(number);
        for (let number = 0; number < bulk; number += 1) note(number);
        for (const [url, count] of last) assert.equal(changes.since(count - 1, url), true);
      },
    ),
    { numRuns: 20 },
  );
});

test('what was changed through here is unseen until it has come, of very many changes the latest', () => {
  const changes = new RecentInvalidations();
  changes.noteMade('a');
  assert.deepEqual([changes.isUnseen('a'), changes.isUnseen('b')], [true, false]);
  changes.seen('a');
  assert.equal(changes.isUnseen('a'), false);
  for (let number = 0; number <= 10_000; number += 1) changes.noteMade(String(number));
  assert.deepEqual(
    [changes.isUnseen('0'), changes.isUnseen('1'), changes.isUnseen('10000')],
    [false, true, true],
  );
});
