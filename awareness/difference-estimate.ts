import { signWords } from './cell-walk.ts';
import { highHalf, lowHalf, type ShortId } from './short-id.ts';

const counters = 64;
/** Bytes of an encoded estimate: 64 counters of 12 bits. */
export const estimateBytes = 96;
const modulus = 2 ** 12;

/** How many elements two sets differ by, within some 18 %, from 64 sums of random signs (Alon et al.). */
export class SignSums {
  readonly #sums: Int32Array;

  constructor(sums?: Int32Array) {
    this.#sums = sums ?? new Int32Array(counters);
  }

  add(id: ShortId): void {
    this.#count(id, 1);
  }

  remove(id: ShortId): void {
    this.#count(id, -1);
  }

  #count(id: ShortId, by: 1 | -1): void {
    const words = signWords(highHalf(id), lowHalf(id));
    for (let i = 0; i < counters; i++) {
      const bit = ((i < 32 ? words[0] : words[1]) >>> (i & 31)) & 1;
      this.#sums[i] = (this.#sums[i] as number) + (bit === 1 ? by : -by);
    }
  }

  copy(): SignSums {
    return new SignSums(this.#sums.slice());
  }

  /** The sums modulo 2^12: differences of up to some 300,000 elements fit. */
  encode(): Uint8Array {
    const bytes = Buffer.alloc(estimateBytes);
    for (let i = 0; i < counters; i += 2) {
      const [a, b] = [this.#sums[i] as number, this.#sums[i + 1] as number].map((sum) => sum & (modulus - 1));
      bytes.writeUIntBE((a as number) * modulus + (b as number), (i / 2) * 3, 3);
    }
    return bytes;
  }

  /** Estimated number of elements in which the set differs from the one whose encoded sums these are. */
  differences(encoded: Uint8Array): number {
    if (encoded.length !== estimateBytes)
      throw new TypeError(`an estimate is ${estimateBytes} bytes, not ${encoded.length}`);
    const buffer = Buffer.from(encoded.buffer, encoded.byteOffset, encoded.byteLength);
    let squares = 0;
    for (let i = 0; i < counters; i++) {
      const pair = buffer.readUIntBE(Math.floor(i / 2) * 3, 3);
      const theirs = i % 2 === 0 ? Math.floor(pair / modulus) : pair % modulus;
      const apart = ((this.#sums[i] as number) - theirs) & (modulus - 1);
      const difference = apart >= modulus / 2 ? apart - modulus : apart;
      squares += difference * difference;
    }
    return squares / counters;
  }

  /** Four bytes a counter, for a store's own checkpoint. */
  dump(): Uint8Array {
    const bytes = Buffer.alloc(counters * 4);
    this.#sums.forEach((sum, i) => {
      bytes.writeInt32LE(sum, i * 4);
    });
    return bytes;
  }

  static load(bytes: Uint8Array): SignSums {
    const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    return new SignSums(Int32Array.from({ length: counters }, (_, i) => buffer.readInt32LE(i * 4)));
  }
}
