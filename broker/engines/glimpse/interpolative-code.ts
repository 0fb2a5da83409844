import type { BitReader, BitWriter } from '../codecs/bit-codec.ts';

// Binary interpolative coding (Moffat and Stuiver 2000): the middle number of a list first, in as many bits
// as its bounds leave, then both halves. Clusters take few bits, and a list that fills its range none.

const half = 16;
const halfMask = 0xffff;

function writeBits(writer: BitWriter, value: number, count: number): void {
  if (count <= half) {
    writer.bits(value, count);
    return;
  }
  writer.bits(value & halfMask, half);
  writer.bits(value >>> half, count - half);
}

const readBits = (reader: BitReader, count: number) =>
  count <= half ? reader.bits(count) : reader.bits(half) | (reader.bits(count - half) << half);

/** A number below `range`, which is at most 2^30, in the bits of the range or one less. */
function writeBelow(writer: BitWriter, value: number, range: number): void {
  const bits = 31 - Math.clz32(range);
  const short = 2 ** (bits + 1) - range;
  if (value < short) {
    writeBits(writer, value, bits);
    return;
  }
  // The long codes are even and odd neighbours. Their first bits are read like a short code that is too
  // large.
  writeBits(writer, short + ((value - short) >>> 1), bits);
  writer.bits((value - short) & 1, 1);
}

function readBelow(reader: BitReader, range: number): number {
  const bits = 31 - Math.clz32(range);
  const short = 2 ** (bits + 1) - range;
  const value = readBits(reader, bits);
  return value < short ? value : short + 2 * (value - short) + reader.bits(1);
}

/** Write distinct ascending numbers from `min` to `max`. The reader must know how many there are. */
export function writeAscending(
  writer: BitWriter,
  numbers: readonly number[],
  min: number,
  max: number,
): void {
  const write = (from: number, to: number, low: number, high: number): void => {
    const count = to - from;
    if (count === 0 || high - low + 1 === count) return;
    const middle = (from + to) >>> 1;
    const number = numbers[middle] as number;
    const lowest = low + middle - from;
    writeBelow(writer, number - lowest, high - (to - middle - 1) - lowest + 1);
    write(from, middle, low, number - 1);
    write(middle + 1, to, number + 1, high);
  };
  write(0, numbers.length, min, max);
}

/** Read `length` numbers (at most `max - min + 1`) as they were written. */
export function readAscending(reader: BitReader, length: number, min: number, max: number): number[] {
  const numbers = new Array<number>(length);
  const read = (from: number, to: number, low: number, high: number): void => {
    const count = to - from;
    if (count === 0) return;
    if (high - low + 1 === count) {
      for (let at = from; at < to; at++) numbers[at] = low + at - from;
      return;
    }
    const middle = (from + to) >>> 1;
    const lowest = low + middle - from;
    const number = lowest + readBelow(reader, high - (to - middle - 1) - lowest + 1);
    numbers[middle] = number;
    read(from, middle, low, number - 1);
    read(middle + 1, to, number + 1, high);
  };
  read(0, length, min, max);
  return numbers;
}

/** A number from 1 to 2^30: its length in bits, then the bits (Elias's gamma code). */
export function writeCount(writer: BitWriter, count: number): void {
  const bits = 31 - Math.clz32(count);
  for (let at = 0; at < bits; at++) writer.bits(0, 1);
  writer.bits(1, 1);
  writeBits(writer, count & (2 ** bits - 1), bits);
}

/** Read it; 0 where there is no such number. */
export function readCount(reader: BitReader): number {
  let bits = 0;
  while (reader.bits(1) === 0) if (++bits > 30) return 0;
  return (2 ** bits) | readBits(reader, bits);
}
