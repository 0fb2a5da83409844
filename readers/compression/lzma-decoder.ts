import { CorruptData } from './corrupt-data.ts';
import { evenChance, type RangeDecoder } from './lzma-range.ts';
import type { SlidingWindow } from './sliding-window.ts';

const states = 12;
const maxPositionBits = 4;
// The start of each group of probabilities in the one array.
const isMatch = 0;
const isRepeat = isMatch + (states << maxPositionBits);
const isRepeat0 = isRepeat + states;
const isRepeat1 = isRepeat0 + states;
const isRepeat2 = isRepeat1 + states;
const isLongRepeat0 = isRepeat2 + states;
const slotTrees = isLongRepeat0 + (states << maxPositionBits);
const specialTrees = slotTrees + 4 * 64;
const alignTree = specialTrees + 128;
const matchLengths = alignTree + 16;
const lengthChances = 2 + 16 * 8 + 16 * 8 + 256;
const repeatLengths = matchLengths + lengthChances;
const literals = repeatLengths + lengthChances;
const literalChances = 0x300;

const afterMatch = 7;
const longestMatch = 273;
const endDistance = 0xffffffff;

/** The literal and position bits of an LZMA stream, packed as its properties byte has them. */
export interface LzmaProperties {
  readonly literalContext: number;
  readonly literalPosition: number;
  readonly position: number;
}

/** @throws CorruptData for an invalid byte, or for more contexts than xz and lzip ever use. */
export function lzmaProperties(byte: number): LzmaProperties {
  if (byte >= 9 * 5 * 5) throw new CorruptData('its properties are out of range');
  const literalContext = byte % 9;
  const rest = (byte - literalContext) / 9;
  // Each bit doubles the work of a reset, and a reset may come with every dozen bytes.
  if (literalContext + (rest % 5) > 4) throw new CorruptData('its properties are out of range');
  return { literalContext, literalPosition: rest % 5, position: Math.floor(rest / 5) };
}

/** The LZMA decoder: it writes into a window and stops at a number of bytes, so memory stays bounded. */
export class LzmaDecoder {
  readonly #range: RangeDecoder;
  readonly #window: SlidingWindow;
  #chances = new Uint16Array(0);
  #literalContext = 0;
  #literalMask = 0;
  #positionMask = 0;
  #state = 0;
  #distances: [number, number, number, number] = [1, 1, 1, 1];
  #position = 0;
  // A match that did not fit into the window's room continues with the next call.
  #leftOfMatch = 0;

  constructor(range: RangeDecoder, window: SlidingWindow) {
    this.#range = range;
    this.#window = window;
  }

  /** Reset the model, with other properties when given. */
  reset(properties?: LzmaProperties): void {
    if (properties !== undefined) {
      this.#literalContext = properties.literalContext;
      this.#literalMask = (1 << properties.literalPosition) - 1;
      this.#positionMask = (1 << properties.position) - 1;
      const size = literals + (literalChances << (properties.literalContext + properties.literalPosition));
      if (this.#chances.length !== size) this.#chances = new Uint16Array(size);
    }
    this.#chances.fill(evenChance);
    this.#state = 0;
    this.#distances = [1, 1, 1, 1];
    this.#leftOfMatch = 0;
  }

  /** Whether a match continues behind the requested bytes. */
  get pending(): boolean {
    return this.#leftOfMatch > 0;
  }

  /** Reset the position, as a reset of the window does. */
  restartPosition(): void {
    this.#position = 0;
  }

  /** Add bytes that were written without this decoder to its position. */
  skip(bytes: number): void {
    this.#position = (this.#position + bytes) | 0;
  }

  /**
   * Decode until `max` bytes are written (no more than the window's room) or the end mark is read.
   * @returns the number of written bytes, and whether the end mark was read
   */
  decode(max: number): { readonly written: number; readonly ended: boolean } {
    const window = this.#window;
    let left = max;
    while (left > 0) {
      if (this.#leftOfMatch === 0) {
        const place = this.#position & this.#positionMask;
        if (this.#range.bit(this.#chances, isMatch + (this.#state << maxPositionBits) + place) === 0) {
          this.#literal();
          left--;
          continue;
        }
        if (!this.#match(place)) return { written: max - left, ended: true };
      }
      const length = Math.min(this.#leftOfMatch, left);
      window.repeat(this.#distances[0], length);
      this.#position = (this.#position + length) | 0;
      this.#leftOfMatch -= length;
      left -= length;
    }
    return { written: max, ended: false };
  }

  #literal(): void {
    const window = this.#window;
    const range = this.#range;
    const chances = this.#chances;
    const previous = window.known > 0 ? window.back(1) : 0;
    const context =
      ((this.#position & this.#literalMask) << this.#literalContext) |
      (previous >> (8 - this.#literalContext));
    const base = literals + literalChances * context;
    let node = 1;
    if (this.#state >= afterMatch) {
      if (this.#distances[0] > window.known) throw new CorruptData('it refers to bytes before its beginning');
      let matched = window.back(this.#distances[0]);
      while (node < 0x100) {
        const expected = (matched >> 7) & 1;
        matched <<= 1;
        const bit = range.bit(chances, base + ((1 + expected) << 8) + node);
        node = (node << 1) | bit;
        if (bit !== expected) break;
      }
    }
    while (node < 0x100) node = (node << 1) | range.bit(chances, base + node);
    window.put(node & 0xff);
    this.#position = (this.#position + 1) | 0;
    this.#state = this.#state < 4 ? 0 : this.#state < 10 ? this.#state - 3 : this.#state - 6;
  }

  // Reads distance and length of a match; false at the end mark.
  #match(place: number): boolean {
    const range = this.#range;
    const chances = this.#chances;
    const state = this.#state;
    const distances = this.#distances;
    if (range.bit(chances, isRepeat + state) === 0) {
      distances[3] = distances[2];
      distances[2] = distances[1];
      distances[1] = distances[0];
      const length = this.#length(matchLengths, place);
      this.#state = state < afterMatch ? 7 : 10;
      const distance = this.#distance(length);
      if (distance === endDistance) return false;
      distances[0] = distance + 1;
      this.#leftOfMatch = length;
      return true;
    }
    if (this.#window.known === 0) throw new CorruptData('it refers to bytes before its beginning');
    if (range.bit(chances, isRepeat0 + state) === 0) {
      if (range.bit(chances, isLongRepeat0 + (state << maxPositionBits) + place) === 0) {
        this.#state = state < afterMatch ? 9 : 11;
        this.#leftOfMatch = 1;
        return true;
      }
    } else {
      let distance = distances[1];
      if (range.bit(chances, isRepeat1 + state) === 1) {
        distance = distances[2];
        if (range.bit(chances, isRepeat2 + state) === 1) {
          distance = distances[3];
          distances[3] = distances[2];
        }
        distances[2] = distances[1];
      }
      distances[1] = distances[0];
      distances[0] = distance;
    }
    this.#leftOfMatch = this.#length(repeatLengths, place);
    this.#state = state < afterMatch ? 8 : 11;
    return true;
  }

  #length(base: number, place: number): number {
    const range = this.#range;
    const chances = this.#chances;
    let length: number;
    if (range.bit(chances, base) === 0) length = range.tree(chances, base + 2 + place * 8, 3);
    else if (range.bit(chances, base + 1) === 0)
      length = 8 + range.tree(chances, base + 2 + 128 + place * 8, 3);
    else length = 16 + range.tree(chances, base + 2 + 256, 8);
    return Math.min(length + 2, longestMatch);
  }

  // The distance less one; all ones are the end mark.
  #distance(length: number): number {
    const range = this.#range;
    const chances = this.#chances;
    const slot = range.tree(chances, slotTrees + Math.min(length - 2, 3) * 64, 6);
    if (slot < 4) return slot;
    const directBits = (slot >> 1) - 1;
    const high = ((2 | (slot & 1)) << directBits) >>> 0;
    if (slot < 14) return high + range.reverseTree(chances, specialTrees + high - slot, directBits);
    const middle = (range.direct(directBits - 4) << 4) >>> 0;
    return high + middle + range.reverseTree(chances, alignTree, 4);
  }
}
