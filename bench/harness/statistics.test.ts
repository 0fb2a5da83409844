import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { median, quantile, spreadOf } from './statistics.ts';

test('quantiles are interpolated between neighbours, for any order of the samples', () => {
  assert.equal(median([3]), 3);
  assert.equal(median([4, 1, 3, 2]), 2.5);
  assert.equal(quantile([50, 10, 40, 20, 30], 0.95), 48);
  assert.equal(quantile([10, 9, 2], 0), 2);
  assert.equal(quantile([10, 9, 2], 1), 10);
  assert.deepEqual(spreadOf([5, 1, 9]), { median: 5, lowest: 1, highest: 9, samples: 3 });
});

test('a quantile lies among its samples and grows with q; samples stay as they were', () => {
  const samples = fc.array(fc.double({ noNaN: true, min: -1e9, max: 1e9 }), { minLength: 1 });
  fc.assert(
    fc.property(samples, fc.double({ noNaN: true, min: 0, max: 1 }), (values, q) => {
      const given = [...values];
      const value = quantile(values, q);
      const slack = 1e-3;
      assert.ok(value >= Math.min(...values) - slack && value <= Math.max(...values) + slack);
      assert.ok(quantile(values, q / 2) <= value + slack);
      assert.deepEqual(values, given);
    }),
  );
});

test('no samples, samples that are not finite and quantiles out of range are refused', () => {
  assert.throws(() => median([]), TypeError);
  assert.throws(() => median([1, Number.NaN]), TypeError);
  assert.throws(() => quantile([1], 1.5), TypeError);
});
