import { CorruptData, cutShort } from './corrupt-data.ts';
import { BackwardBits } from './zstd-bits.ts';
import { FseState, readFseTable } from './zstd-fse.ts';

const maxCodeBits = 11;
const maxLiterals = 128 * 1024;

/** A Huffman code by the next `width` bits: symbol and length of the code. */
export interface HuffmanCode {
  readonly width: number;
  readonly symbols: Uint8Array;
  readonly lengths: Uint8Array;
}

/** The literals of a block. */
export interface Literals {
  readonly bytes: Uint8Array;
  /** Where the section ends. */
  readonly end: number;
  /** The code in force afterwards. */
  readonly code: HuffmanCode | undefined;
}

/** Read the literals section of a block (RFC 8878 section 3.1.1.3.1). @throws CorruptData */
export function readLiterals(
  bytes: Uint8Array,
  start: number,
  end: number,
  before: HuffmanCode | undefined,
): Literals {
  const first = bytes[start] ?? 0;
  const kind = first & 3;
  const format = (first >> 2) & 3;
  const at = (index: number) => bytes[start + index] ?? 0;
  if (kind < 2) {
    const headerBytes = (format & 1) === 0 ? 1 : format === 1 ? 2 : 3;
    const header = first | (at(1) << 8) | (at(2) << 16);
    const size = headerBytes === 1 ? first >> 3 : (header >> 4) & (headerBytes === 2 ? 0xfff : 0xfffff);
    const from = start + headerBytes;
    const to = from + (kind === 1 ? 1 : size);
    checkSizes(size, to, end);
    const literals = kind === 1 ? new Uint8Array(size).fill(bytes[from] as number) : bytes.subarray(from, to);
    return { bytes: literals, end: to, code: before };
  }
  const headerBytes = format < 2 ? 3 : format + 2;
  const width = headerBytes === 3 ? 10 : headerBytes === 4 ? 14 : 18;
  const header = first + at(1) * 2 ** 8 + at(2) * 2 ** 16 + at(3) * 2 ** 24 + at(4) * 2 ** 32;
  const size = Math.floor(header / 16) % 2 ** width;
  const packed = Math.floor(header / 2 ** (4 + width)) % 2 ** width;
  let from = start + headerBytes;
  const to = from + packed;
  checkSizes(size, to, end);
  let code = before;
  if (kind === 2) ({ code, end: from } = readCode(bytes, from, to));
  if (code === undefined) throw new CorruptData('a block in it has no code');
  const literals = new Uint8Array(size);
  if (format === 0) decodeStream(code, bytes, from, to, literals);
  else decodeFourStreams(code, bytes, from, to, literals);
  return { bytes: literals, end: to, code };
}

function checkSizes(size: number, to: number, end: number): void {
  if (size > maxLiterals) throw new CorruptData('a block in it is too long');
  if (to > end) throw new CorruptData(cutShort);
}

function decodeFourStreams(
  code: HuffmanCode,
  bytes: Uint8Array,
  start: number,
  end: number,
  literals: Uint8Array,
): void {
  const part = (literals.length + 3) >> 2;
  if (start + 6 > end || part * 3 > literals.length) throw new CorruptData(cutShort);
  let from = start + 6;
  for (let stream = 0; stream < 4; stream++) {
    const sizeAt = start + stream * 2;
    const to = stream === 3 ? end : from + ((bytes[sizeAt] as number) | ((bytes[sizeAt + 1] as number) << 8));
    if (to > end) throw new CorruptData(cutShort);
    const target = literals.subarray(stream * part, stream === 3 ? literals.length : (stream + 1) * part);
    decodeStream(code, bytes, from, to, target);
    from = to;
  }
}

function decodeStream(
  code: HuffmanCode,
  bytes: Uint8Array,
  start: number,
  end: number,
  literals: Uint8Array,
): void {
  const bits = new BackwardBits(bytes, start, end);
  const { width, symbols, lengths } = code;
  for (let at = 0; at < literals.length; at++) {
    const next = bits.peek(width);
    literals[at] = symbols[next] as number;
    bits.left -= lengths[next] as number;
  }
  if (bits.left !== 0) throw new CorruptData('a stream in it does not end where it should');
}

// The code is described by weights: a symbol of weight w has 2 ** (w - 1) places in a table of 2 ** width.
function readCode(
  bytes: Uint8Array,
  start: number,
  end: number,
): { readonly code: HuffmanCode; readonly end: number } {
  const header = bytes[start] ?? 0;
  if (start >= end) throw new CorruptData(cutShort);
  const weights: number[] = [];
  let to: number;
  if (header >= 128) {
    const count = header - 127;
    to = start + 1 + ((count + 1) >> 1);
    if (to > end) throw new CorruptData(cutShort);
    for (let index = 0; index < count; index++) {
      const pair = bytes[start + 1 + (index >> 1)] as number;
      weights.push(index % 2 === 0 ? pair >> 4 : pair & 15);
    }
  } else {
    to = start + 1 + header;
    if (to > end) throw new CorruptData(cutShort);
    const { table, end: tableEnd } = readFseTable(bytes, start + 1, to, 6, 255);
    const bits = new BackwardBits(bytes, tableEnd, to);
    let [state, other] = [new FseState(table, bits), new FseState(table, bits)];
    // Two states alternate; the other one has the last symbol.
    while (weights.length < 255) {
      weights.push(state.symbol);
      state.step(bits);
      [state, other] = [other, state];
      if (bits.left >= 0) continue;
      weights.push(state.symbol);
      break;
    }
  }
  return { code: codeOf(weights), end: to };
}

function codeOf(described: readonly number[]): HuffmanCode {
  let sum = 0;
  for (const weight of described) {
    if (weight > maxCodeBits) throw new CorruptData('a code in it is too long');
    if (weight > 0) sum += 1 << (weight - 1);
  }
  const width = sum === 0 ? 0 : 32 - Math.clz32(sum);
  const rest = (1 << width) - sum;
  // The last weight is the rest, a power of two.
  if (width === 0 || width > maxCodeBits || described.length > 255 || (rest & (rest - 1)) !== 0)
    throw new CorruptData('a code in it does not add up');
  const weights = [...described, 32 - Math.clz32(rest)];
  const symbols = new Uint8Array(1 << width);
  const lengths = new Uint8Array(1 << width);
  let at = 0;
  for (let weight = 1; weight <= width; weight++)
    for (const [symbol, own] of weights.entries()) {
      if (own !== weight) continue;
      const places = 1 << (weight - 1);
      symbols.fill(symbol, at, at + places);
      lengths.fill(width + 1 - weight, at, at + places);
      at += places;
    }
  return { width, symbols, lengths };
}
