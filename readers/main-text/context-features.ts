import type { PageTree, TextBlock } from './page-tree.ts';

const around = [-3, -2, -1, 1, 2, 3];
const levels = 5;
const heaviest = 400;

/** Names of the features, in the order of a row. */
export const contextFeatures: readonly string[] = [
  'guess',
  ...around.map((offset) => `guess${offset > 0 ? '+' : ''}${offset}`),
  ...Array.from({ length: levels }, (_, level) => [`around${level}`, `weight${level}`]).flat(),
  'alike',
  'alikeWeight',
  'guessedBefore',
  'guessedAfter',
  'inBest',
  'belowBest',
  'bestShare',
  'toGuessedBefore',
  'toGuessedAfter',
  'guessedTotal',
  'guessedEarlier',
];

/** Features of each block from the guesses of the first model for the blocks around it. */
export class ContextFeatures {
  readonly #tree: PageTree;
  readonly #guesses: Float64Array;
  readonly #weight: Float64Array;
  readonly #weightBefore: Float64Array;
  readonly #guessedBefore: Float64Array;
  readonly #alike = new Map<number, { weight: number; guessed: number }>();
  readonly #best: number;
  readonly #lastGuessed: Int32Array;
  readonly #nextGuessed: Int32Array;
  readonly #earlier: Uint8Array;

  /** `guesses`: probability of each block. */
  constructor(tree: PageTree, guesses: Float64Array) {
    this.#tree = tree;
    this.#guesses = guesses;
    const { blocks, elements } = tree;
    const count = blocks.length;
    this.#weight = Float64Array.from(blocks, ({ size }) => Math.min(size, heaviest));
    this.#weightBefore = new Float64Array(count + 1);
    this.#guessedBefore = new Float64Array(count + 1);
    const gain = new Float64Array(count + 1);
    this.#lastGuessed = new Int32Array(count);
    this.#nextGuessed = new Int32Array(count);
    this.#earlier = new Uint8Array(count);
    const guessedTexts = new Set<string>();
    let last = -1;
    for (let at = 0; at < count; at++) {
      const weight = this.#weight[at] ?? 0;
      const guess = guesses[at] ?? 0;
      const block = blocks[at] as TextBlock;
      this.#weightBefore[at + 1] = (this.#weightBefore[at] ?? 0) + weight;
      this.#guessedBefore[at + 1] = (this.#guessedBefore[at] ?? 0) + weight * guess;
      gain[at + 1] = (gain[at] ?? 0) + weight * (2 * guess - 1);
      const shape = elements.shape[block.element] ?? 0;
      const group = this.#alike.get(shape);
      if (group === undefined) this.#alike.set(shape, { weight, guessed: weight * guess });
      else {
        group.weight += weight;
        group.guessed += weight * guess;
      }
      this.#lastGuessed[at] = last;
      if (guessedTexts.has(block.text)) this.#earlier[at] = 1;
      if (guess > 0.5) {
        last = at;
        guessedTexts.add(block.text);
      }
    }
    let next = -1;
    for (let at = count - 1; at >= 0; at--) {
      this.#nextGuessed[at] = next;
      if ((guesses[at] ?? 0) > 0.5) next = at;
    }
    let best = 0;
    let max = -Infinity;
    for (let element = 0; element < elements.parent.length; element++) {
      const sum =
        (gain[elements.endBlock[element] ?? 0] ?? 0) - (gain[elements.firstBlock[element] ?? 0] ?? 0);
      if (sum >= max) {
        max = sum;
        best = element;
      }
    }
    this.#best = best;
  }

  /** Write the features of one block into `row` from column `column` on. */
  write(at: number, row: Float64Array, column: number): void {
    const { blocks, elements } = this.#tree;
    const guesses = this.#guesses;
    const { element } = blocks[at] as TextBlock;
    const weight = this.#weight[at] ?? 0;
    const guess = guesses[at] ?? 0;
    let to = column;
    row[to++] = guess;
    for (const offset of around) row[to++] = guesses[at + offset] ?? 0;
    let outer = element;
    for (let level = 0; level < levels; level++) {
      const first = elements.firstBlock[outer] ?? 0;
      const end = elements.endBlock[outer] ?? 0;
      const others = (this.#weightBefore[end] ?? 0) - (this.#weightBefore[first] ?? 0) - weight;
      const guessed = (this.#guessedBefore[end] ?? 0) - (this.#guessedBefore[first] ?? 0) - weight * guess;
      row[to++] = others > 0.5 ? guessed / others : -1;
      row[to++] = Math.log2(1 + Math.max(0, others));
      outer = elements.parent[outer] ?? 0;
    }
    const group = this.#alike.get(elements.shape[element] ?? 0);
    const alike = (group?.weight ?? 0) - weight;
    row[to++] = alike > 0.5 ? ((group?.guessed ?? 0) - weight * guess) / alike : -1;
    row[to++] = Math.log2(1 + Math.max(0, alike));
    const total = this.#guessedBefore[blocks.length] ?? 0;
    const before = this.#guessedBefore[at] ?? 0;
    row[to++] = before / (total + 1);
    row[to++] = (total - before - weight * guess) / (total + 1);
    const firstBest = elements.firstBlock[this.#best] ?? 0;
    const endBest = elements.endBlock[this.#best] ?? 0;
    const inside = at >= firstBest && at < endBest;
    row[to++] = inside ? 1 : at < firstBest ? -1 : 2;
    row[to++] = inside ? (elements.depth[element] ?? 0) - (elements.depth[this.#best] ?? 0) : -1;
    row[to++] = ((this.#guessedBefore[endBest] ?? 0) - (this.#guessedBefore[firstBest] ?? 0)) / (total + 1);
    const last = this.#lastGuessed[at] ?? -1;
    const next = this.#nextGuessed[at] ?? -1;
    row[to++] = last < 0 ? 40 : Math.min(40, at - last);
    row[to++] = next < 0 ? 40 : Math.min(40, next - at);
    row[to++] = Math.log2(1 + total);
    row[to++] = this.#earlier[at] ?? 0;
  }
}
