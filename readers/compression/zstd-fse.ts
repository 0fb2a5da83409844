import { CorruptData } from './corrupt-data.ts';
import { type BackwardBits, ForwardBits } from './zstd-bits.ts';

/** A finite state entropy code (RFC 8878 section 4.1): for each state its symbol and the way to the next state. */
export interface FseTable {
  /** Bits of a state. */
  readonly accuracy: number;
  readonly symbols: Uint8Array;
  readonly bits: Uint8Array;
  readonly bases: Uint16Array;
}

/** A table with one symbol. */
export function constantTable(symbol: number): FseTable {
  return { accuracy: 0, symbols: Uint8Array.of(symbol), bits: new Uint8Array(1), bases: new Uint16Array(1) };
}

/** The table for a distribution: shares of `2 ** accuracy`, -1 for a share below one. */
export function fseTable(shares: readonly number[], accuracy: number): FseTable {
  const size = 1 << accuracy;
  const symbols = new Uint8Array(size);
  const bits = new Uint8Array(size);
  const bases = new Uint16Array(size);
  const next = shares.map((share) => (share === -1 ? 1 : share));
  let high = size - 1;
  for (const [symbol, share] of shares.entries()) if (share === -1) symbols[high--] = symbol;
  const step = (size >> 1) + (size >> 3) + 3;
  let at = 0;
  for (const [symbol, share] of shares.entries())
    for (let left = share; left > 0; left--) {
      symbols[at] = symbol;
      do at = (at + step) & (size - 1);
      while (at > high);
    }
  for (let state = 0; state < size; state++) {
    const symbol = symbols[state] as number;
    const count = next[symbol] as number;
    next[symbol] = count + 1;
    const width = accuracy - (31 - Math.clz32(count));
    bits[state] = width;
    bases[state] = (count << width) - size;
  }
  return { accuracy, symbols, bits, bases };
}

/** Read a table's description. @throws CorruptData when it is malformed or exceeds its kind's bounds */
export function readFseTable(
  bytes: Uint8Array,
  start: number,
  end: number,
  maxAccuracy: number,
  maxSymbol: number,
): { readonly table: FseTable; readonly end: number } {
  const reader = new ForwardBits(bytes, start, end);
  const accuracy = reader.read(4) + 5;
  if (accuracy > maxAccuracy) throw new CorruptData('a table in it is too fine');
  const shares: number[] = [];
  let remaining = 1 << accuracy;
  while (remaining > 0) {
    if (shares.length > maxSymbol) throw new CorruptData('a table in it has too many symbols');
    // Values up to `remaining`, and one more for "below one"; the smaller half of them is a bit shorter.
    const width = 32 - Math.clz32(remaining + 1);
    const half = (1 << (width - 1)) - 1;
    const short = (1 << width) - 1 - (remaining + 1);
    let value = reader.read(width);
    if ((value & half) < short) {
      reader.unread(1);
      value &= half;
    } else if (value > half) value -= short;
    const share = value - 1;
    shares.push(share);
    remaining -= Math.abs(share);
    if (share !== 0) continue;
    for (let zeros = 3; zeros === 3; ) {
      zeros = reader.read(2);
      for (let index = 0; index < zeros; index++) shares.push(0);
      if (shares.length > maxSymbol + 1) throw new CorruptData('a table in it has too many symbols');
    }
  }
  if (remaining < 0) throw new CorruptData('a table in it does not add up');
  return { table: fseTable(shares, accuracy), end: reader.byteEnd };
}

/** One walk through a table's states. */
export class FseState {
  readonly #table: FseTable;
  #state: number;

  constructor(table: FseTable, bits: BackwardBits) {
    this.#table = table;
    this.#state = bits.read(table.accuracy);
  }

  get symbol(): number {
    return this.#table.symbols[this.#state] as number;
  }

  step(bits: BackwardBits): void {
    const table = this.#table;
    this.#state = (table.bases[this.#state] as number) + bits.read(table.bits[this.#state] as number);
  }
}
