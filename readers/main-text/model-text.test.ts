import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blockFeatures } from './block-features.ts';
import { probability } from './boosted-trees.ts';
import { contextFeatures } from './context-features.ts';
import { parseModel, printModel } from './model-text.ts';
import { trainedModel } from './trained-model.ts';

// x0 <= 1 ? (x1 <= 5 ? 2 : -1) : 0.5, and a tree that always says -0.25
const lines = ['0.125', '0:1 1:5 =2 =-1 =0.5;=-0.25'];

test('a model says the sum of its trees as a probability', () => {
  const model = parseModel(lines);
  const odds = (row: readonly number[]) => {
    const found = probability(model, Float64Array.from(row));
    return Math.log(found / (1 - found));
  };
  assert.ok(Math.abs(odds([1, 5]) - (0.125 + 2 - 0.25)) < 1e-9);
  assert.ok(Math.abs(odds([0, 6]) - (0.125 - 1 - 0.25)) < 1e-9);
  assert.ok(Math.abs(odds([2, 0]) - (0.125 + 0.5 - 0.25)) < 1e-9);
});

test('a printed model reads back the same', () => {
  assert.deepEqual(printModel(parseModel(lines)), lines);
  const row = fc.array(fc.double({ noNaN: true, min: -100, max: 100 }), { minLength: 260, maxLength: 260 });
  const { guess } = trainedModel();
  const again = parseModel(printModel(guess));
  fc.assert(
    fc.property(row, (values) => {
      const features = Float64Array.from(values);
      assert.equal(probability(again, features), probability(guess, features));
    }),
    { numRuns: 50 },
  );
});

test('a malformed model is a TypeError', () => {
  assert.throws(() => parseModel(['0', '1:x =1 =2']), TypeError);
});

test('the trained model asks for features that there are', () => {
  const { guess, judge } = trainedModel();
  const asked = (trees: typeof guess.trees) => Math.max(...trees.flatMap(({ feature }) => feature));
  assert.ok(guess.trees.length > 0 && judge.trees.length > 0);
  assert.ok(asked(guess.trees) < blockFeatures.length);
  assert.ok(asked(judge.trees) < blockFeatures.length + contextFeatures.length);
});
