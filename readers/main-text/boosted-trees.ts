/**
 * One decision tree in the order in which its nodes were made: node n tests whether feature `feature[n]` is
 * below or at `threshold[n]` and leads to node `low[n]` or `high[n]`; a negative `feature` marks a leaf,
 * whose value is in `threshold`.
 */
export interface DecisionTree {
  readonly feature: readonly number[];
  readonly threshold: readonly number[];
  readonly low: readonly number[];
  readonly high: readonly number[];
}

/** A sum of trees: the log-odds that a row belongs to the class. */
export interface BoostedTrees {
  readonly base: number;
  readonly trees: readonly DecisionTree[];
}

/** Probability between 0 and 1 for one row of features. */
export function probability(model: BoostedTrees, row: Float64Array): number {
  let sum = model.base;
  for (const { feature, threshold, low, high } of model.trees) {
    let node = 0;
    let tested = feature[0] ?? -1;
    while (tested >= 0) {
      node = ((row[tested] ?? 0) <= (threshold[node] ?? 0) ? low[node] : high[node]) ?? 0;
      tested = feature[node] ?? -1;
    }
    sum += threshold[node] ?? 0;
  }
  return 1 / (1 + Math.exp(-sum));
}
