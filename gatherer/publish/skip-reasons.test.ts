import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeReasons, SkipReasons } from './skip-reasons.ts';

test('rules that leave out much hide no fault, and what the report names is always noted', () => {
  const told = new SkipReasons();
  for (let n = 0; n < 5000; n++) told.rule(`http://x/${n}`, 'a rule', false);
  assert.equal(told.reasons.more, true);
  told.rule('http://x/listed', 'another', true);
  told.fault('http://x/gone', 'status 404');
  told.fault('http://x/gone', 'said again');
  told.fault(`http://x/${'y'.repeat(5000)}`, 'too long');
  told.fault('http://x/0', 'r'.repeat(5000));
  const named = new Map(told.reasons.named);
  assert.equal(named.size, 1002);
  assert.deepEqual([named.get('http://x/listed'), named.get('http://x/gone')], ['another', 'status 404']);
  assert.equal(named.get('http://x/0')?.length, 300);
});

test('a run that did not meet everything leaves what earlier ones told, up to a bound', () => {
  const of = (from: number, to: number, reason: string) => ({
    named: Array.from({ length: to - from }, (_, n) => [`http://x/${from + n}`, reason] as const),
    more: false,
  });
  const both = mergeReasons(of(0, 2, 'new'), of(1, 3, 'old'));
  assert.deepEqual(Object.fromEntries(both.named), {
    'http://x/0': 'new',
    'http://x/1': 'new',
    'http://x/2': 'old',
  });
  assert.equal(both.more, false);
  const many = mergeReasons(of(0, 1500, 'new'), of(1500, 3000, 'old'));
  assert.deepEqual([many.named.length, many.more], [2000, true]);
  assert.equal(new Map(many.named).get('http://x/0'), 'new');
});
