import { CellWalk } from './cell-walk.ts';
import { fromHalves, highHalf, lowHalf, type ShortId } from './short-id.ts';

/** Bytes of one cell on the wire: 6 of ids, 3 of checks. */
export const cellBytes = 9;

/**
 * The first cells of a set's rateless sketch, each the exclusive or of its short ids and of their checks. The
 * cells of two sets, combined, are those of their difference. One difference needs some 1.35 to 1.75 cells.
 */
export class Sketch {
  readonly length: number;
  readonly #high: Int32Array;
  readonly #low: Int32Array;
  readonly #check: Int32Array;

  constructor(length: number, high?: Int32Array, low?: Int32Array, check?: Int32Array) {
    this.length = length;
    this.#high = high ?? new Int32Array(length);
    this.#low = low ?? new Int32Array(length);
    this.#check = check ?? new Int32Array(length);
  }

  /** Add an element, or remove it if present. Costs about ln(length) cells. */
  toggle(id: ShortId): void {
    const [high, low] = [highHalf(id), lowHalf(id)];
    const walk = new CellWalk(high, low);
    for (let at = 0; at < this.length; at = walk.next()) {
      this.#high[at] = (this.#high[at] as number) ^ high;
      this.#low[at] = (this.#low[at] as number) ^ low;
      this.#check[at] = (this.#check[at] as number) ^ walk.check;
    }
  }

  /** The first `length` cells as a sketch of their own. */
  prefix(length: number): Sketch {
    if (length > this.length)
      throw new RangeError(`a sketch of ${this.length} cells has no prefix of ${length}`);
    return new Sketch(
      length,
      this.#high.slice(0, length),
      this.#low.slice(0, length),
      this.#check.slice(0, length),
    );
  }

  /** Combine the cells from `from` on with encoded ones: the result is the difference of both sets there. */
  combine(cells: Uint8Array, from = 0): void {
    const buffer = Buffer.from(cells.buffer, cells.byteOffset, cells.byteLength);
    const count = cells.length / cellBytes;
    if (!Number.isInteger(count) || from + count > this.length)
      throw new RangeError(`${cells.length} bytes are no cells from ${from} of ${this.length}`);
    for (let i = 0; i < count; i++) {
      const at = from + i;
      this.#high[at] = (this.#high[at] as number) ^ buffer.readUIntBE(i * cellBytes, 3);
      this.#low[at] = (this.#low[at] as number) ^ buffer.readUIntBE(i * cellBytes + 3, 3);
      this.#check[at] = (this.#check[at] as number) ^ buffer.readUIntBE(i * cellBytes + 6, 3);
    }
  }

  /** Cells `from` to `to` (exclusive), nine bytes each. */
  encode(from = 0, to = this.length): Uint8Array {
    const bytes = Buffer.allocUnsafe((to - from) * cellBytes);
    for (let at = from; at < to; at++) {
      const offset = (at - from) * cellBytes;
      bytes.writeUIntBE(this.#high[at] as number, offset, 3);
      bytes.writeUIntBE(this.#low[at] as number, offset + 3, 3);
      bytes.writeUIntBE(this.#check[at] as number, offset + 6, 3);
    }
    return bytes;
  }

  static decode(bytes: Uint8Array): Sketch {
    const sketch = new Sketch(bytes.length / cellBytes);
    sketch.combine(bytes);
    return sketch;
  }

  /** The element of a cell that seems to hold a single one. */
  single(at: number): ShortId | undefined {
    const [high, low, check] = [this.#high[at] as number, this.#low[at] as number, this.#check[at] as number];
    if (high === 0 && low === 0 && check === 0) return undefined;
    const walk = new CellWalk(high, low);
    if (walk.check !== check) return undefined;
    while (walk.index < at) walk.next();
    return walk.index === at ? fromHalves(high, low) : undefined;
  }

  /** Whether every cell is empty. */
  get empty(): boolean {
    for (let at = 0; at < this.length; at++)
      if ((this.#high[at] as number) !== 0 || this.#low[at] !== 0 || this.#check[at] !== 0) return false;
    return true;
  }
}

/**
 * The elements of a sketch (usually of a difference), found by peeling: a cell with a single element gives that
 * element, and removing it from its other cells leaves more such cells. Empties the sketch. Undefined when the
 * cells do not separate the remaining elements: more cells are needed. Takes at most some 4 steps a cell for any
 * content.
 *
 * @example
 * import assert from 'node:assert/strict';
 * import { createHash } from 'node:crypto';
 * import { decodeShortIds, peel, Sketch } from 'garner/awareness';
 *
 * // Elements are named by 48 bits each. One side sends 16 cells, whatever the size of its set.
 * const named = (name) => decodeShortIds(createHash('sha256').update(name).digest().subarray(0, 6));
 * const [ours, theirs] = [new Sketch(16), new Sketch(16)];
 * for (const name of ['a', 'b', 'c']) ours.toggle(named(name)[0]);
 * for (const name of ['b', 'c', 'd']) theirs.toggle(named(name)[0]);
 * const sent = theirs.encode();
 * assert.equal(sent.length, 144);
 *
 * ours.combine(sent);
 * assert.deepEqual(peel(ours)?.toSorted(), [...named('a'), ...named('d')].toSorted());
 */
export function peel(sketch: Sketch): readonly ShortId[] | undefined {
  const found: ShortId[] = [];
  const once = new Set<ShortId>();
  const queue: number[] = [];
  for (let at = sketch.length - 1; at >= 0; at--) if (sketch.single(at) !== undefined) queue.push(at);
  for (let at = queue.pop(); at !== undefined; at = queue.pop()) {
    const id = sketch.single(at);
    if (id === undefined) continue;
    // A true difference has each element once, and fewer elements than cells.
    if (once.has(id) || found.length >= sketch.length) return undefined;
    once.add(id);
    found.push(id);
    sketch.toggle(id);
    const walk = new CellWalk(highHalf(id), lowHalf(id));
    for (let cell = 0; cell < sketch.length; cell = walk.next())
      if (sketch.single(cell) !== undefined) queue.push(cell);
  }
  return sketch.empty ? found : undefined;
}
