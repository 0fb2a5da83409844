import type { BoostedTrees, DecisionTree } from './boosted-trees.ts';

// A model as text: a line with its base, then lines of some trees each, separated by semicolons. A tree's
// nodes are in the order node, low, high; an inner node is `feature:threshold`, a leaf `=value`.

const treesPerLine = 2;

/** Print a model for a data file. */
export function printModel({ base, trees }: BoostedTrees): string[] {
  const printed = trees.map((tree) => printNode(tree, 0).join(' '));
  const lines = [short(base)];
  for (let at = 0; at < printed.length; at += treesPerLine)
    lines.push(printed.slice(at, at + treesPerLine).join(';'));
  return lines;
}

function printNode(tree: DecisionTree, node: number): string[] {
  const feature = tree.feature[node] ?? -1;
  const value = short(tree.threshold[node] ?? 0);
  if (feature < 0) return [`=${value}`];
  const low = printNode(tree, tree.low[node] ?? 0);
  return [`${feature}:${value}`, ...low, ...printNode(tree, tree.high[node] ?? 0)];
}

function short(value: number): string {
  return String(Number(value.toPrecision(6)));
}

/** Read the output of `printModel`; the text is part of Garner, so a fault in it is a TypeError. */
export function parseModel([base, ...lines]: readonly string[]): BoostedTrees {
  return { base: Number(base), trees: lines.flatMap((line) => line.split(';')).map(parseTree) };
}

function parseTree(printed: string): DecisionTree {
  const feature: number[] = [];
  const threshold: number[] = [];
  const low: number[] = [];
  const high: number[] = [];
  /** Nodes whose high side follows when the current subtree is complete. */
  const waiting: number[] = [];
  for (const token of printed.split(' ')) {
    const node = feature.length;
    const colon = token.indexOf(':');
    const value = Number(token.slice(colon < 0 ? 1 : colon + 1));
    if (Number.isNaN(value)) throw new TypeError(`no node of a decision tree: ${token}`);
    feature.push(colon < 0 ? -1 : Number(token.slice(0, colon)));
    threshold.push(value);
    low.push(node + 1);
    high.push(0);
    if (colon >= 0) waiting.push(node);
    else {
      const parent = waiting.pop();
      if (parent !== undefined) high[parent] = node + 1;
    }
  }
  return { feature, threshold, low, high };
}
