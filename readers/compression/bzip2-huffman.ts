import type { BigEndianBits } from './big-endian-bits.ts';
import { CorruptData } from './corrupt-data.ts';

/** Bits of the longest code. */
export const maxCodeBits = 20;
const quickBits = 10;

/** A canonical Huffman code. */
export interface HuffmanTable {
  /** By the next `quickBits` bits: symbol and length of a short code (`symbol << 5 | length`), else 0. */
  readonly quick: Uint16Array;
  /** By length: one more than the last code, written in `maxCodeBits` bits. */
  readonly ends: Int32Array;
  /** By length: the difference between a code and its index in `symbols`. */
  readonly offsets: Int32Array;
  readonly symbols: Uint16Array;
}

/** The table of a code given by the length of each symbol, 1 to 20 bits. */
export function huffmanTable(lengths: Uint8Array): HuffmanTable {
  const counts = new Int32Array(maxCodeBits + 2);
  for (const length of lengths) counts[length] = (counts[length] as number) + 1;
  const symbols = new Uint16Array(lengths.length);
  const ends = new Int32Array(maxCodeBits + 1);
  const offsets = new Int32Array(maxCodeBits + 1);
  const quick = new Uint16Array(1 << quickBits);
  let code = 0;
  let placed = 0;
  for (let length = 1; length <= maxCodeBits; length++) {
    offsets[length] = placed - code;
    for (let symbol = 0; counts[length] !== 0 && symbol < lengths.length; symbol++) {
      if (lengths[symbol] !== length) continue;
      symbols[placed++] = symbol;
      if (length <= quickBits) {
        const shift = quickBits - length;
        quick.fill((symbol << 5) | length, code << shift, (code + 1) << shift);
      }
      code++;
    }
    ends[length] = Math.min(code << (maxCodeBits - length), 1 << maxCodeBits);
    code <<= 1;
  }
  return { quick, ends, offsets, symbols };
}

/** The next symbol. @throws CorruptData when no symbol has the code that follows. */
export function symbolOf(table: HuffmanTable, bits: BigEndianBits): number {
  const next = bits.peek(maxCodeBits);
  const quick = table.quick[next >>> (maxCodeBits - quickBits)] as number;
  if (quick !== 0) {
    bits.take(quick & 31);
    return quick >>> 5;
  }
  for (let length = quickBits + 1; length <= maxCodeBits; length++) {
    if (next >= (table.ends[length] as number)) continue;
    const symbol = table.symbols[(next >>> (maxCodeBits - length)) + (table.offsets[length] as number)];
    if (symbol === undefined) break;
    bits.take(length);
    return symbol;
  }
  throw new CorruptData('it has an unknown code');
}
