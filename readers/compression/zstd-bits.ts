import { CorruptData } from './corrupt-data.ts';

/** Up to 32 bits of `bytes` from bit `at` on, least significant first; zeros behind `end`. */
function bitsAt(bytes: Uint8Array, at: number, count: number, end: number): number {
  const byte = at >>> 3;
  const shift = at & 7;
  let value = 0;
  for (let index = 0; index < 4 && byte + index < end; index++)
    value |= (bytes[byte + index] as number) << (8 * index);
  value >>>= shift;
  if (shift > 0 && byte + 4 < end) value |= (bytes[byte + 4] as number) << (32 - shift);
  return count === 32 ? value >>> 0 : value & (2 ** count - 1);
}

/** Bits of a stretch, least significant first. */
export class ForwardBits {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  #at: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    this.#bytes = bytes;
    this.#at = start * 8;
    this.#end = end;
  }

  read(count: number): number {
    const value = bitsAt(this.#bytes, this.#at, count, this.#end);
    this.#at += count;
    return value;
  }

  /** Return surplus bits. */
  unread(count: number): void {
    this.#at -= count;
  }

  /** The offset of the next whole byte. @throws CorruptData when more bits were read than exist */
  get byteEnd(): number {
    const end = (this.#at + 7) >>> 3;
    if (end > this.#end) throw new CorruptData('a table in it ends early');
    return end;
  }
}

/** Bits of a stretch that is read backwards; the highest bit of its last byte marks its end. */
export class BackwardBits {
  readonly #bytes: Uint8Array;
  readonly #start: number;
  readonly #end: number;
  /** Bits that are left; below zero when more were read than there were. */
  left: number;

  constructor(bytes: Uint8Array, start: number, end: number) {
    const last = end > start ? (bytes[end - 1] ?? 0) : 0;
    if (last === 0) throw new CorruptData('a stream in it has no end mark');
    this.#bytes = bytes;
    this.#start = start * 8;
    this.#end = end;
    this.left = (end - start) * 8 - (Math.clz32(last) - 24) - 1;
  }

  /** The next `count` bits (at most 32), zeros behind the last. */
  read(count: number): number {
    if (count === 0) return 0;
    this.left -= count;
    if (this.left >= 0) return bitsAt(this.#bytes, this.#start + this.left, count, this.#end);
    const there = count + this.left;
    return there <= 0 ? 0 : bitsAt(this.#bytes, this.#start, there, this.#end) << (count - there);
  }

  /** The next `count` bits, without consuming them. */
  peek(count: number): number {
    const value = this.read(count);
    this.left += count;
    return value;
  }
}
