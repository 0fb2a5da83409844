import { CorruptData, cutShort } from './corrupt-data.ts';

/** Bits of `bytes`, most significant first. */
export class BigEndianBits {
  readonly #bytes: Uint8Array;
  #at: number;
  #held = 0;
  #count = 0;

  constructor(bytes: Uint8Array, at: number) {
    this.#bytes = bytes;
    this.#at = at;
  }

  /** The next `count` bits, at most 24. @throws CorruptData at the end of the input. */
  read(count: number): number {
    while (this.#count < count) this.#fill();
    this.take(count);
    return (this.#held >>> this.#count) & ((1 << count) - 1);
  }

  /** The next 32 bits as an unsigned number. */
  read32(): number {
    const high = this.read(16);
    return ((high << 16) | this.read(16)) >>> 0;
  }

  /** The next `count` bits, at most 24, zeros behind the end, without consuming them. */
  peek(count: number): number {
    while (this.#count < count) {
      this.#held = ((this.#held & 0xffffff) << 8) | (this.#bytes[this.#at++] ?? 0);
      this.#count += 8;
    }
    return (this.#held >>> (this.#count - count)) & ((1 << count) - 1);
  }

  /** Consume bits after `peek`. @throws CorruptData when the input ended before them. */
  take(count: number): void {
    this.#count -= count;
    if (this.#at - (this.#count >> 3) > this.#bytes.length) throw new CorruptData(cutShort);
  }

  /** Drop bits up to the next whole byte and return where that is. */
  align(): number {
    this.#count -= this.#count & 7;
    return this.#at - (this.#count >> 3);
  }

  #fill(): void {
    const byte = this.#bytes[this.#at];
    if (byte === undefined || this.#at >= this.#bytes.length) throw new CorruptData(cutShort);
    this.#at++;
    this.#held = ((this.#held & 0xffffff) << 8) | byte;
    this.#count += 8;
  }
}
