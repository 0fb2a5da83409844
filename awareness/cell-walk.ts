// The cells of a rateless sketch that hold an element (Yang, Gilad, Alizadeh: Practical Rateless Set
// Reconciliation, SIGCOMM 2024): cell 0 and, with probability 1 / (1 + i/2), cell i. The walk depends on the id
// alone, so that both sides take the same walk whatever the length of their sketches. Halves of 24 bits avoid
// 64-bit arithmetic.

function scatter(value: number): number {
  let x = Math.imul(value ^ (value >>> 16), 0x7feb352d);
  x = Math.imul(x ^ (x >>> 15), 0x846ca68b);
  return x ^ (x >>> 16);
}

/** The cells of one element, in ascending order without end. */
export class CellWalk {
  /** The cell where the walk is; the first is always 0. */
  index = 0;
  /** 24 bits that go with the id into each cell: they identify a cell of a single element. */
  readonly check: number;
  #first: number;
  #second: number;

  constructor(high: number, low: number) {
    this.#first = scatter(high ^ Math.imul(low, 0x9e3779b1));
    this.#second = scatter(low ^ Math.imul(high, 0x85ebca77) ^ 0x5bd1e995);
    this.check =
      scatter(this.#first ^ ((this.#second << 13) | (this.#second >>> 19)) ^ 0x27d4eb2f) & 0xffffff;
    // The generator below never leaves zero.
    if (this.#first === 0 && this.#second === 0) this.#second = 1;
  }

  /** Go to the element's next cell. */
  next(): number {
    const product = Math.imul(this.#first, 0x9e3779bb);
    const random = Math.imul((product << 5) | (product >>> 27), 5) >>> 0;
    const mixed = this.#second ^ this.#first;
    this.#first = ((this.#first << 26) | (this.#first >>> 6)) ^ mixed ^ (mixed << 9);
    this.#second = (mixed << 13) | (mixed >>> 19);
    const uniform = (random + 0.5) / 2 ** 32;
    this.index += Math.ceil((this.index + 1.5) * (1 / Math.sqrt(uniform) - 1));
    return this.index;
  }
}

/** 64 bits of an id as two 32-bit words, independent of its walk: the signs of the difference estimate. */
export function signWords(high: number, low: number): readonly [number, number] {
  const first = scatter(high ^ Math.imul(low, 0xc2b2ae3d) ^ 0x165667b1);
  return [first, scatter(first ^ Math.imul(low, 0x27d4eb2f) ^ 0x2545f491)];
}
