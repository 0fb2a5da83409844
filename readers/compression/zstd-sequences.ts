import { CorruptData, cutShort } from './corrupt-data.ts';
import { BackwardBits } from './zstd-bits.ts';
import { constantTable, FseState, type FseTable, fseTable, readFseTable } from './zstd-fse.ts';

/** The tables in force for literal lengths, offsets and match lengths. */
export interface SequenceTables {
  literals?: FseTable;
  offsets?: FseTable;
  matches?: FseTable;
}

/** Sequences: copy a number of literals, then repeat bytes from an offset. */
export interface Sequences {
  readonly count: number;
  /** Three numbers each: literals, the offset's value (not yet a distance), match length. */
  readonly values: Float64Array;
}

interface CodeKind {
  readonly maxAccuracy: number;
  readonly maxSymbol: number;
  readonly standard: FseTable;
}

// The distributions of RFC 8878 appendix A.
const literalKind: CodeKind = {
  maxAccuracy: 9,
  maxSymbol: 35,
  standard: fseTable(
    [
      4, 3, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 2, 1, 1, 1, 2, 2, 2, 2, 2, 2, 2, 2, 2, 3, 2, 1, 1, 1, 1, 1, -1, -1,
      -1, -1,
    ],
    6,
  ),
};
const offsetKind: CodeKind = {
  maxAccuracy: 8,
  maxSymbol: 31,
  standard: fseTable(
    [1, 1, 1, 1, 1, 1, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1],
    5,
  ),
};
const matchKind: CodeKind = {
  maxAccuracy: 9,
  maxSymbol: 52,
  standard: fseTable(
    [
      1, 4, 3, 2, 2, 2, 2, 2, 2, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1,
      1, 1, 1, 1, 1, 1, 1, 1, 1, 1, 1, -1, -1, -1, -1, -1, -1, -1,
    ],
    6,
  ),
};

const literalExtra = [
  0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 3, 3, 4, 6, 7, 8, 9, 10, 11, 12, 13, 14,
  15, 16,
];
const matchExtra = [
  ...new Array<number>(32).fill(0),
  1,
  1,
  1,
  1,
  2,
  2,
  3,
  3,
  4,
  4,
  5,
  7,
  8,
  9,
  10,
  11,
  12,
  13,
  14,
  15,
  16,
];
const literalBase = bases(literalExtra, 0);
const matchBase = bases(matchExtra, 3);

// Each code begins where the one before it ends.
function bases(extra: readonly number[], first: number): readonly number[] {
  let next = first;
  return extra.map((bits) => {
    const base = next;
    next += 2 ** bits;
    return base;
  });
}

/** Read the sequences section of a block (RFC 8878 section 3.1.1.3.2). @throws CorruptData */
export function readSequences(
  bytes: Uint8Array,
  start: number,
  end: number,
  tables: SequenceTables,
): Sequences {
  const first = bytes[start];
  if (first === undefined || start >= end) throw new CorruptData(cutShort);
  if (first === 0) {
    if (start + 1 !== end) throw new CorruptData('a block in it does not end where it should');
    return { count: 0, values: new Float64Array(0) };
  }
  const second = bytes[start + 1] ?? 0;
  const headerBytes = first < 128 ? 1 : first < 255 ? 2 : 3;
  const count =
    first < 128
      ? first
      : first < 255
        ? ((first - 128) << 8) + second
        : second + ((bytes[start + 2] ?? 0) << 8) + 0x7f00;
  let at = start + headerBytes;
  const modes = bytes[at++] ?? 0;
  if (at > end) throw new CorruptData(cutShort);
  if ((modes & 3) !== 0) throw new CorruptData('a block in it is of an unknown kind');
  const table = (kind: CodeKind, mode: number, before: FseTable | undefined): FseTable => {
    if (mode === 0) return kind.standard;
    if (mode === 1) {
      const symbol = bytes[at++] ?? 255;
      if (symbol > kind.maxSymbol || at > end) throw new CorruptData('a table in it has too many symbols');
      return constantTable(symbol);
    }
    if (mode === 2) {
      const read = readFseTable(bytes, at, end, kind.maxAccuracy, kind.maxSymbol);
      at = read.end;
      return read.table;
    }
    if (before === undefined) throw new CorruptData('a block in it has no tables');
    return before;
  };
  tables.literals = table(literalKind, modes >> 6, tables.literals);
  tables.offsets = table(offsetKind, (modes >> 4) & 3, tables.offsets);
  tables.matches = table(matchKind, (modes >> 2) & 3, tables.matches);

  const bits = new BackwardBits(bytes, at, end);
  const literals = new FseState(tables.literals, bits);
  const offsets = new FseState(tables.offsets, bits);
  const matches = new FseState(tables.matches, bits);
  const values = new Float64Array(count * 3);
  for (let index = 0; index < count; index++) {
    const offsetBits = offsets.symbol;
    const match = matches.symbol;
    const literal = literals.symbol;
    values[index * 3 + 1] = 2 ** offsetBits + bits.read(offsetBits);
    values[index * 3 + 2] = (matchBase[match] as number) + bits.read(matchExtra[match] as number);
    values[index * 3] = (literalBase[literal] as number) + bits.read(literalExtra[literal] as number);
    if (index + 1 < count) {
      literals.step(bits);
      matches.step(bits);
      offsets.step(bits);
    }
    if (bits.left < 0) throw new CorruptData('a stream in it ends early');
  }
  if (bits.left !== 0) throw new CorruptData('a stream in it does not end where it should');
  return { count, values };
}
