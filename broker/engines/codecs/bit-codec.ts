import { ByteReader, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

// Quotients from here on are escaped, so that no number takes more than 48 bits.
const escaped = 15;
/** Bits available at any bit offset of a byte. */
const windowBits = 25;
/** The maximum parameter of a Rice code. */
export const maxRice = 15;

/** Writes numbers bit by bit, low bits first. */
export class BitWriter {
  #bytes = new Uint8Array(256);
  #length = 0;
  #hold = 0;
  #held = 0;

  /** The `count` low bits of a number that has no others; `count` is at most 24. */
  bits(value: number, count: number): void {
    this.#hold |= value << this.#held;
    this.#held += count;
    while (this.#held >= 8) {
      if (this.#length === this.#bytes.length) this.#grow();
      this.#bytes[this.#length++] = this.#hold & 255;
      this.#hold >>>= 8;
      this.#held -= 8;
    }
  }

  /** A number below 2^32 in Rice's code, short near 2^k (Witten, Moffat, Bell: Managing Gigabytes, 3.3). */
  rice(value: number, k: number): void {
    const quotient = value >>> k;
    if (quotient >= escaped) {
      this.bits(1 << escaped, escaped + 1);
      this.bits(value & 0xffff, 16);
      this.bits(value >>> 16, 16);
      return;
    }
    const low = value & ((1 << k) - 1);
    if (quotient + k < 24) {
      this.bits((1 << quotient) | (low << (quotient + 1)), quotient + 1 + k);
      return;
    }
    this.bits(1 << quotient, quotient + 1);
    this.bits(low, k);
  }

  /** A copy of the written bits, padded to a whole byte. The writer is empty afterwards. */
  take(): Uint8Array {
    if (this.#held > 0) this.bits(0, 8 - this.#held);
    const taken = this.#bytes.slice(0, this.#length);
    this.#length = 0;
    return taken;
  }

  #grow(): void {
    const larger = new Uint8Array(this.#bytes.length * 2);
    larger.set(this.#bytes);
    this.#bytes = larger;
  }
}

/** The codes of consecutive docnos and slots. */
interface GapCode {
  readonly k: number;
  readonly width: number;
  readonly min: number;
  readonly mask: number;
}

/** Reads the output of a `BitWriter`. Past the end it reads zeros, until `check` throws ENGINE_DAMAGED. */
export class BitReader {
  readonly #bytes: Uint8Array;
  #at: number;
  readonly #end: number;

  /** Reads bytes `from` to `to`, exclusive. */
  constructor(bytes: Uint8Array, from: number, to: number) {
    this.#bytes = bytes;
    this.#at = from * 8;
    this.#end = to * 8;
  }

  /** The next 25 bits. */
  #window(): number {
    const bytes = this.#bytes;
    const at = this.#at >>> 3;
    const window =
      at + 3 < bytes.length
        ? (bytes[at] as number) |
          ((bytes[at + 1] as number) << 8) |
          ((bytes[at + 2] as number) << 16) |
          ((bytes[at + 3] as number) << 24)
        : (bytes[at] ?? 0) | ((bytes[at + 1] ?? 0) << 8) | ((bytes[at + 2] ?? 0) << 16);
    return window >>> (this.#at & 7);
  }

  bits(count: number): number {
    const value = this.#window() & ((1 << count) - 1);
    this.#at += count;
    return value;
  }

  rice(k: number): number {
    const window = this.#window();
    // The place of the first set bit is the number of zeros before it.
    const quotient = 31 - Math.clz32(window & -window);
    if (quotient >= escaped || quotient < 0) {
      if (quotient !== escaped) this.#damaged();
      this.#at += escaped + 1;
      const low = this.bits(16);
      return (low | (this.bits(16) << 16)) >>> 0;
    }
    this.#at += quotient + 1;
    if (quotient + k < windowBits) {
      this.#at += k;
      return (quotient << k) | ((window >>> (quotient + 1)) & ((1 << k) - 1));
    }
    return (quotient << k) | this.bits(k);
  }

  /**
   * For every index from 1: a Rice-coded gap less 1, and `width` bits of the slot above `min`. In one loop,
   * because long lists take most of a search's reading time.
   */
  gaps({ k, width, min, mask }: GapCode, docnos: Uint32Array, slots: Uint8Array): void {
    const bytes = this.#bytes;
    const whole = bytes.length - 3;
    const low = (1 << k) - 1;
    const narrow = (1 << width) - 1;
    let at = this.#at;
    let docno = docnos[0] as number;
    for (let index = 1; index < docnos.length; index++) {
      const byte = at >>> 3;
      const window =
        byte < whole
          ? ((bytes[byte] as number) |
              ((bytes[byte + 1] as number) << 8) |
              ((bytes[byte + 2] as number) << 16) |
              ((bytes[byte + 3] as number) << 24)) >>>
            (at & 7)
          : 0;
      const quotient = 31 - Math.clz32(window & -window);
      const length = quotient + 1 + k;
      if (quotient >= 0 && quotient < escaped && length + width <= windowBits) {
        docno += ((quotient << k) | ((window >>> (quotient + 1)) & low)) + 1;
        slots[index] = (min + ((window >>> length) & narrow)) & mask;
        at += length + width;
      } else {
        this.#at = at;
        docno += this.rice(k) + 1;
        slots[index] = (min + this.bits(width)) & mask;
        at = this.#at;
      }
      docnos[index] = docno;
    }
    this.#at = at;
  }

  /** Throw when more was read than there is. */
  check(): void {
    if (this.#at > this.#end) this.#damaged();
  }

  #damaged(): never {
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });
  }
}

/** The best parameter for numbers of this mean: the power of 2 nearest to 0.69 of it, by ratio. */
export function riceFor(mean: number): number {
  const size = 0.69 * mean + 0.01;
  if (size < 1) return 0;
  if (size >= 1 << maxRice) return maxRice;
  const floor = 31 - Math.clz32(size);
  return size < Math.SQRT2 * (1 << floor) ? floor : Math.min(maxRice, floor + 1);
}

const endsEarly = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });

/** Reads bytes of an index from `at` up to `end`; throws ENGINE_DAMAGED where they do not fit. */
export const readerOf = (bytes: Uint8Array, at?: number, end?: number): ByteReader =>
  new ByteReader(bytes, endsEarly, at, end);
