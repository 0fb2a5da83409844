import { BlockFeatures, blockFeatures } from './block-features.ts';
import type { BoostedTrees } from './boosted-trees.ts';
import { ContextFeatures, contextFeatures } from './context-features.ts';
import type { PageTree } from './page-tree.ts';
import { amended } from './score-corrections.ts';
import { scorerOf } from './tree-scorer.ts';

/** The learned part: a first guess by a block's own features, and a judgement that knows the guesses around it. */
export interface BlockModel {
  readonly guess: BoostedTrees;
  readonly judge: BoostedTrees;
}

/** Features of all blocks for the first model. */
export function guessRows(tree: PageTree): Float64Array[] {
  const features = new BlockFeatures(tree);
  return tree.blocks.map((_, at) => {
    const row = new Float64Array(blockFeatures.length);
    features.write(at, row);
    return row;
  });
}

/** Features of all blocks for the second model: those of the first and features of its guesses. */
export function judgeRows(
  tree: PageTree,
  rows: readonly Float64Array[],
  guesses: Float64Array,
): Float64Array[] {
  const context = new ContextFeatures(tree, guesses);
  return rows.map((own, at) => {
    const row = new Float64Array(blockFeatures.length + contextFeatures.length);
    row.set(own);
    context.write(at, row, blockFeatures.length);
    return row;
  });
}

// Rows of more blocks than this are computed twice rather than stored.
const maxKept = 4000;

/** The probability of each block that it is main text. */
export function judgeBlocks(tree: PageTree, model: BlockModel): Float64Array {
  const count = tree.blocks.length;
  const features = new BlockFeatures(tree);
  const [guess, judge] = [scorerOf(model.guess), scorerOf(model.judge)];
  const width = blockFeatures.length + contextFeatures.length;
  const kept = new Float64Array(width * Math.min(count, maxKept));
  const spare = new Float64Array(width);
  const rowOf = (at: number) => (at < maxKept ? kept.subarray(at * width, (at + 1) * width) : spare);
  const guesses = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const row = rowOf(at);
    features.write(at, row);
    guesses[at] = guess.probability(row);
  }
  const context = new ContextFeatures(tree, guesses);
  const judged = new Float64Array(count);
  for (let at = 0; at < count; at++) {
    const row = rowOf(at);
    if (at >= maxKept) features.write(at, row);
    context.write(at, row, blockFeatures.length);
    judged[at] = judge.probability(row);
  }
  return amended(tree, judged);
}
