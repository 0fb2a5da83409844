import { countBefore } from './ordered-array.ts';
import type { Placed, Position, PositionRange } from './ordered-view.ts';

/** Objects by position, read by ranges: sorted only when it is read after an addition. */
export class PlacedSet {
  readonly #placed = new Map<Position, Placed>();
  #order: Position[] = [];
  #sorted = true;

  has(position: Position): boolean {
    return this.#placed.has(position);
  }

  /** Add an object, or replace the one at its position. */
  add(placed: Placed): void {
    if (!this.#placed.has(placed.position)) {
      this.#order.push(placed.position);
      this.#sorted = false;
    }
    this.#placed.set(placed.position, placed);
  }

  /** The objects of a range, in order. */
  *within({ from, above, to, below }: PositionRange): Iterable<Placed> {
    if (!this.#sorted) this.#order.sort();
    this.#sorted = true;
    const order = this.#order;
    const first = above ?? from;
    let at =
      first === undefined
        ? 0
        : countBefore(order.length, (index) => order[index] as Position, first, above !== undefined);
    for (; at < order.length; at++) {
      const position = order[at] as Position;
      if ((to !== undefined && position > to) || (below !== undefined && position >= below)) return;
      yield this.#placed.get(position) as Placed;
    }
  }
}
