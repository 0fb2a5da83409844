import type { GroupSummary, OrderedView, Placed, Position, PositionRange } from './ordered-view.ts';

/** An ordered view of objects in memory: for small sets, simulations and as the reference for every other view. */
export class OrderedArray implements OrderedView {
  readonly #placed: readonly Placed[];
  readonly #empty: () => GroupSummary;

  constructor(placed: Iterable<Placed>, empty: () => GroupSummary) {
    this.#placed = [...placed].sort((a, b) =>
      a.position < b.position ? -1 : a.position > b.position ? 1 : 0,
    );
    this.#empty = empty;
  }

  async count(range: PositionRange): Promise<number> {
    const [first, end] = this.#slice(range);
    return end - first;
  }

  async summary(range: PositionRange): Promise<GroupSummary> {
    const summary = this.#empty();
    const [first, end] = this.#slice(range);
    for (let i = first; i < end; i++) summary.add(this.#placed[i] as Placed);
    return summary;
  }

  async at(range: PositionRange, index: number): Promise<Placed> {
    const [first, end] = this.#slice(range);
    const placed = first + index < end ? this.#placed[first + index] : undefined;
    if (placed === undefined) throw new RangeError(`no object ${index} in a range of ${end - first}`);
    return placed;
  }

  async *entries(range: PositionRange): AsyncIterable<Placed> {
    const [first, end] = this.#slice(range);
    yield* this.#placed.slice(first, end);
  }

  #slice({ from, above, to, below }: PositionRange): readonly [number, number] {
    const first =
      above !== undefined ? this.#before(above, true) : from !== undefined ? this.#before(from, false) : 0;
    const end =
      below !== undefined
        ? this.#before(below, false)
        : to !== undefined
          ? this.#before(to, true)
          : this.#placed.length;
    return [first, Math.max(first, end)];
  }

  #before(position: Position, through: boolean): number {
    return countBefore(
      this.#placed.length,
      (index) => (this.#placed[index] as Placed).position,
      position,
      through,
    );
  }
}

/** How many of `length` ascending positions are before `position`, itself counted when `through`. */
export function countBefore(
  length: number,
  at: (index: number) => Position,
  position: Position,
  through: boolean,
): number {
  let [low, high] = [0, length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    const here = at(middle);
    if (here < position || (through && here === position)) low = middle + 1;
    else high = middle;
  }
  return low;
}
