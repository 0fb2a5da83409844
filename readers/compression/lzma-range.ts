import { CorruptData, cutShort } from './corrupt-data.ts';

const topBits = 24;
const modelBits = 11;
const moveBits = 5;

/** A probability at its start: one half. */
export const evenChance = 1 << (modelBits - 1);

/** LZMA's range decoder: registers are signed (small integers in V8) and compared as unsigned. */
export class RangeDecoder {
  readonly bytes: Uint8Array;
  /** Index of the next byte; may be set between chunks. */
  at: number;
  #end: number;
  #range = -1;
  #code = 0;

  constructor(bytes: Uint8Array) {
    this.bytes = bytes;
    this.at = 0;
    this.#end = bytes.length;
  }

  /** Begin at `at`; bytes from `end` on are not read. */
  start(at: number, end: number): void {
    if (at + 5 > this.bytes.length || at + 5 > end) throw new CorruptData(cutShort);
    if (this.bytes[at] !== 0) throw new CorruptData('its compressed data does not begin as it should');
    this.#range = -1;
    this.#code = 0;
    for (let index = at + 1; index < at + 5; index++)
      this.#code = (this.#code << 8) | (this.bytes[index] as number);
    this.at = at + 5;
    this.#end = Math.min(end, this.bytes.length);
  }

  /** Whether all that was coded has been decoded. */
  get finished(): boolean {
    return this.#code === 0;
  }

  bit(chances: Uint16Array, index: number): number {
    const chance = chances[index] as number;
    const bound = Math.imul(this.#range >>> modelBits, chance);
    let bit: number;
    if (this.#code >>> 0 < bound >>> 0) {
      this.#range = bound;
      chances[index] = chance + (((1 << modelBits) - chance) >> moveBits);
      bit = 0;
    } else {
      this.#range = (this.#range - bound) | 0;
      this.#code = (this.#code - bound) | 0;
      chances[index] = chance - (chance >> moveBits);
      bit = 1;
    }
    if (this.#range >>> topBits === 0) this.#shift();
    return bit;
  }

  /** `count` bits, most significant first, each with the probability for the bits before it. */
  tree(chances: Uint16Array, base: number, count: number): number {
    let node = 1;
    for (let left = count; left > 0; left--) node = (node << 1) | this.bit(chances, base + node);
    return node - (1 << count);
  }

  /** The same, least significant bit first. */
  reverseTree(chances: Uint16Array, base: number, count: number): number {
    let node = 1;
    let value = 0;
    for (let index = 0; index < count; index++) {
      const bit = this.bit(chances, base + node);
      node = (node << 1) | bit;
      value |= bit << index;
    }
    return value;
  }

  /** `count` bits of probability one half. */
  direct(count: number): number {
    let value = 0;
    for (let left = count; left > 0; left--) {
      this.#range >>>= 1;
      let bit = 0;
      if (this.#code >>> 0 >= this.#range >>> 0) {
        this.#code = (this.#code - this.#range) | 0;
        bit = 1;
      }
      if (this.#range >>> topBits === 0) this.#shift();
      value = (value << 1) | bit;
    }
    return value;
  }

  #shift(): void {
    if (this.at >= this.#end) throw new CorruptData(cutShort);
    this.#range <<= 8;
    this.#code = (this.#code << 8) | (this.bytes[this.at++] as number);
  }
}
