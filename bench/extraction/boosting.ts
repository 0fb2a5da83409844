// Gradient boosting of small decision trees with binned features and logistic loss: enough to train the block model.
import { seededRandom } from '../../kernel/index.ts';

/** Rows of features, with the target of each (0 to 1), its weight, and its page. */
export interface TrainingSet {
  readonly columns: number;
  readonly rows: readonly Float64Array[];
  readonly labels: readonly number[];
  readonly weights: readonly number[];
  readonly pages: readonly number[];
}

/** Parameters of training. */
export interface Growth {
  readonly trees: number;
  readonly leaves: number;
  readonly rate: number;
  readonly minHessian: number;
  readonly ridge: number;
  readonly pageShare: number;
  readonly columnShare: number;
  readonly seed: number;
}

interface Tree {
  readonly feature: number[];
  readonly threshold: number[];
  readonly low: number[];
  readonly high: number[];
}

interface Leaf {
  readonly node: number;
  readonly rows: Int32Array;
  readonly gradient: number;
  readonly hessian: number;
  readonly sums: Float64Array;
  readonly split: Split | undefined;
}

interface Split {
  readonly column: number;
  readonly bin: number;
  readonly gain: number;
}

const bins = 64;

/** Thresholds of each column: between the values at equal shares of the rows. */
function thresholdsOf(set: TrainingSet): Float64Array[] {
  return Array.from({ length: set.columns }, (_, column) => {
    const values = Float64Array.from(set.rows, (row) => row[column] ?? 0).sort();
    const distinct = [...new Set(values)];
    if (distinct.length <= bins)
      return Float64Array.from(
        distinct.slice(0, -1),
        (value, at) => (value + (distinct[at + 1] ?? value)) / 2,
      );
    const cuts = new Set<number>();
    for (let bin = 1; bin < bins; bin++) cuts.add(values[Math.floor((bin * values.length) / bins)] ?? 0);
    return Float64Array.from(cuts).sort();
  });
}

function binned(set: TrainingSet, thresholds: readonly Float64Array[]): Uint8Array[] {
  return thresholds.map((cuts, column) =>
    Uint8Array.from(set.rows, (row) => {
      const value = row[column] ?? 0;
      let low = 0;
      let high = cuts.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (value <= (cuts[middle] ?? 0)) high = middle;
        else low = middle + 1;
      }
      return low;
    }),
  );
}

/** Grow a model leaf by leaf. */
export function boost(set: TrainingSet, growth: Growth): { base: number; trees: Tree[] } {
  const { next: random } = seededRandom(growth.seed);
  const thresholds = thresholdsOf(set);
  const columns = binned(set, thresholds);
  const count = set.rows.length;
  const scores = new Float64Array(count);
  const gradients = new Float64Array(count);
  const hessians = new Float64Array(count);
  const pageCount = Math.max(...set.pages) + 1;
  let wanted = 0;
  let total = 0;
  for (let row = 0; row < count; row++) {
    wanted += (set.labels[row] ?? 0) * (set.weights[row] ?? 0);
    total += set.weights[row] ?? 0;
  }
  const base = Math.log(wanted / (total - wanted));
  scores.fill(base);

  /** Gradients and Hessians of rows, summed by usable column and bin. */
  const sumsOf = (rows: Int32Array, usable: readonly number[]): Float64Array => {
    const sums = new Float64Array(usable.length * bins * 2);
    usable.forEach((column, at) => {
      const values = columns[column] as Uint8Array;
      for (let of = 0; of < rows.length; of++) {
        const row = rows[of] as number;
        const bin = 2 * (at * bins + (values[row] as number));
        sums[bin] = (sums[bin] as number) + (gradients[row] as number);
        sums[bin + 1] = (sums[bin + 1] as number) + (hessians[row] as number);
      }
    });
    return sums;
  };

  const bestSplit = (
    sums: Float64Array,
    gradient: number,
    hessian: number,
    usable: readonly number[],
  ): Split | undefined => {
    const whole = (gradient * gradient) / (hessian + growth.ridge);
    let best: Split | undefined;
    usable.forEach((column, at) => {
      const cuts = thresholds[column]?.length ?? 0;
      let lowG = 0;
      let lowH = 0;
      for (let bin = 0; bin < cuts; bin++) {
        lowG += sums[2 * (at * bins + bin)] as number;
        lowH += sums[2 * (at * bins + bin) + 1] as number;
        const highH = hessian - lowH;
        if (lowH < growth.minHessian) continue;
        if (highH < growth.minHessian) break;
        const highG = gradient - lowG;
        const gain = (lowG * lowG) / (lowH + growth.ridge) + (highG * highG) / (highH + growth.ridge) - whole;
        if (gain > (best?.gain ?? 1e-6)) best = { column, bin, gain };
      }
    });
    return best;
  };

  const trees: Tree[] = [];
  for (let round = 0; round < growth.trees; round++) {
    const pageIn = Array.from({ length: pageCount }, () => random() < growth.pageShare);
    const usable = Array.from({ length: set.columns }, (_, column) => column).filter(
      () => random() < growth.columnShare,
    );
    const chosen: number[] = [];
    let rootG = 0;
    let rootH = 0;
    for (let row = 0; row < count; row++) {
      const guess = 1 / (1 + Math.exp(-(scores[row] as number)));
      const weight = set.weights[row] as number;
      gradients[row] = weight * ((set.labels[row] as number) - guess);
      hessians[row] = weight * Math.max(1e-6, guess * (1 - guess));
      if (!pageIn[set.pages[row] as number]) continue;
      chosen.push(row);
      rootG += gradients[row] as number;
      rootH += hessians[row] as number;
    }
    const tree: Tree = { feature: [], threshold: [], low: [], high: [] };
    const newLeaf = (rows: Int32Array, gradient: number, hessian: number, sums: Float64Array): Leaf => {
      const node = tree.feature.length;
      tree.feature.push(-1);
      tree.threshold.push((growth.rate * gradient) / (hessian + growth.ridge));
      tree.low.push(0);
      tree.high.push(0);
      return { node, rows, gradient, hessian, sums, split: bestSplit(sums, gradient, hessian, usable) };
    };
    const all = Int32Array.from(chosen);
    let leaves = [newLeaf(all, rootG, rootH, sumsOf(all, usable))];
    while (leaves.length < growth.leaves) {
      let best: Leaf | undefined;
      for (const leaf of leaves) if ((leaf.split?.gain ?? 0) > (best?.split?.gain ?? 0)) best = leaf;
      const split = best?.split;
      if (best === undefined || split === undefined) break;
      const values = columns[split.column] as Uint8Array;
      const lowRows = best.rows.filter((row) => (values[row] as number) <= split.bin);
      const highRows = best.rows.filter((row) => (values[row] as number) > split.bin);
      let lowG = 0;
      let lowH = 0;
      for (const row of lowRows) {
        lowG += gradients[row] as number;
        lowH += hessians[row] as number;
      }
      // The sums of the larger part are what is left.
      const fewer = sumsOf(lowRows.length < highRows.length ? lowRows : highRows, usable);
      const rest = best.sums.map((sum, bin) => sum - (fewer[bin] as number));
      const [lowSums, highSums] = lowRows.length < highRows.length ? [fewer, rest] : [rest, fewer];
      const low = newLeaf(lowRows, lowG, lowH, lowSums);
      const high = newLeaf(highRows, best.gradient - lowG, best.hessian - lowH, highSums);
      tree.feature[best.node] = split.column;
      tree.threshold[best.node] = thresholds[split.column]?.[split.bin] ?? 0;
      tree.low[best.node] = low.node;
      tree.high[best.node] = high.node;
      leaves = [...leaves.filter((leaf) => leaf !== best), low, high];
    }
    trees.push(tree);
    for (let row = 0; row < count; row++) {
      let node = 0;
      const values = set.rows[row] as Float64Array;
      while ((tree.feature[node] as number) >= 0)
        node = (
          (values[tree.feature[node] as number] as number) <= (tree.threshold[node] as number)
            ? tree.low[node]
            : tree.high[node]
        ) as number;
      scores[row] = (scores[row] as number) + (tree.threshold[node] as number);
    }
  }
  return { base, trees };
}
