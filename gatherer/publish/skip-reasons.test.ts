import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mergeReasons, SkipReasons } from './skip-reasons.ts';

test('rules that leave out many URLs hide no fault, and URLs that the report names are always noted', () => {
  const reasons = new SkipReasons();
  for (let n = 0; n < 5000; n++) reasons.rule(`http://x/${n}`, 'a rule', false);
  assert.equal(reasons.all.more, true);
  reasons.rule('http://x/listed', 'another', true);
  reasons.fault('http://x/gone', 'status 404');
  reasons.fault('http://x/gone', 'said again');
  reasons.fault(`http://x/${'y'.repeat(5000)}`, 'too long');
  reasons.fault('http://x/0', 'r'.repeat(5000));
  const named = new Map(reasons.all.named);
  assert.equal(named.size, 1002);
  assert.deepEqual([named.get('http://x/listed'), named.get('http://x/gone')], ['another', 'status 404']);
  assert.equal(named.get('http://x/0')?.length, 300);
});

test('an incomplete run keeps the reasons of earlier runs, up to a limit', () => {
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
