import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { type BoostedTrees, type DecisionTree, probability } from './boosted-trees.ts';
import { scorerOf, TreeScorer } from './tree-scorer.ts';

const features = 4;
type Node =
  | { readonly value: number }
  | { readonly feature: number; readonly below: number; low: Node; high: Node };

// Few different numbers, so that features meet thresholds exactly.
const number = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.constant(Number.NaN), fc.double());
const threshold = fc.oneof(fc.integer({ min: -3, max: 3 }), fc.double({ noNaN: true }));
const { node } = fc.letrec<{ node: Node }>((tie) => ({
  node: fc.oneof(
    { maxDepth: 5, depthSize: 'medium' },
    fc.record({ value: fc.double({ noNaN: true, min: -1, max: 1 }) }),
    fc.record({
      feature: fc.nat(features - 1),
      below: threshold,
      low: tie('node'),
      high: tie('node'),
    }),
  ),
}));

function treeOf(root: Node): DecisionTree {
  const tree = { feature: [], threshold: [], low: [], high: [] } as Record<keyof DecisionTree, number[]>;
  const add = (at: Node): number => {
    const index = tree.feature.push('value' in at ? -1 : at.feature) - 1;
    tree.threshold.push('value' in at ? at.value : at.below);
    tree.low.push(0);
    tree.high.push(0);
    if ('value' in at) return index;
    tree.low[index] = add(at.low);
    tree.high[index] = add(at.high);
    return index;
  };
  add(root);
  return tree;
}

test('gives exactly what the trees give, for every model and row', () => {
  const rows = fc.array(fc.array(number, { minLength: features, maxLength: features }), { minLength: 1 });
  fc.assert(
    fc.property(
      fc.array(node, { maxLength: 6 }),
      fc.double({ noNaN: true, min: -2, max: 2 }),
      rows,
      (roots, base, all) => {
        const model: BoostedTrees = { base, trees: roots.map(treeOf) };
        const scorer = scorerOf(model);
        for (const row of all.map((values) => Float64Array.from(values)))
          assert.equal(scorer.probability(row), probability(model, row));
      },
    ),
  );
});

test('a tree of more leaves than a scorer holds is refused', () => {
  const chain = (depth: number): Node =>
    depth === 0 ? { value: 0 } : { feature: 0, below: depth, low: { value: depth }, high: chain(depth - 1) };
  assert.equal(
    new TreeScorer({ base: 0, trees: [treeOf(chain(31))] }).probability(new Float64Array([40])),
    0.5,
  );
  assert.throws(() => new TreeScorer({ base: 0, trees: [treeOf(chain(32))] }), TypeError);
});
