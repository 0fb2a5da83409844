import assert from 'node:assert/strict';
import { test } from 'node:test';
import { largestAdmitted } from './eviction-policy.ts';

test('one response takes a twentieth of a large store at most, and half of a small one', () => {
  assert.equal(largestAdmitted(2 ** 30), Math.floor(2 ** 30 / 20));
  assert.equal(largestAdmitted(4 * 2 ** 20), 2 ** 20);
  assert.equal(largestAdmitted(1000), 500);
  assert.equal(largestAdmitted(0), 0);
});
