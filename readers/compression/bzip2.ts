import { BigEndianBits } from './big-endian-bits.ts';
import { type HuffmanTable, huffmanTable, maxCodeBits, symbolOf } from './bzip2-huffman.ts';
import { CorruptData, UnreadVariant } from './corrupt-data.ts';

const outputBytes = 64 * 1024;
const groupSymbols = 50;

/** Unpack bzip2, each block verified. @throws CorruptData, after it yielded the blocks before the fault */
export function* bzip2(bytes: Uint8Array): Generator<Uint8Array> {
  let at = 0;
  let order = new Uint32Array(0);
  while (isHeader(bytes, at)) {
    const level = (bytes[at + 3] ?? 0) - 0x30;
    const bits = new BigEndianBits(bytes, at + 4);
    let streamCrc = 0;
    while (true) {
      const high = bits.read(24);
      const low = bits.read(24);
      if (high === 0x177245 && low === 0x385090) break;
      if (high !== 0x314159 || low !== 0x265359) throw new CorruptData('a block in it has no beginning');
      const expected = bits.read32();
      // Allocated at the first block and used again: a file may be millions of empty streams.
      if (order.length < level * 100_000) order = new Uint32Array(level * 100_000);
      const { count, origin } = readBlock(bits, order.subarray(0, level * 100_000));
      const crc = yield* written(order, count, origin);
      if (crc !== expected) throw new CorruptData('a checksum in it is wrong');
      streamCrc = (((streamCrc << 1) | (streamCrc >>> 31)) ^ crc) >>> 0;
    }
    if (bits.read32() !== streamCrc) throw new CorruptData('its checksum is wrong');
    at = bits.align();
  }
  if (at === 0) throw new CorruptData('it does not begin as bzip2 does');
}

function isHeader(bytes: Uint8Array, at: number): boolean {
  const level = bytes[at + 3] ?? 0;
  return (
    bytes[at] === 0x42 && bytes[at + 1] === 0x5a && bytes[at + 2] === 0x68 && level > 0x30 && level <= 0x39
  );
}

// Fills `order` with the block's bytes and, above them, the position that follows each (Burrows-Wheeler).
function readBlock(bits: BigEndianBits, order: Uint32Array): { count: number; origin: number } {
  if (bits.read(1) === 1) throw new UnreadVariant('it is of the randomised kind that bzip2 gave up in 1997');
  const origin = bits.read(24);
  const { recency, used } = symbolsInUse(bits);
  const endSymbol = used + 1;
  const tableCount = bits.read(3);
  if (tableCount < 2 || tableCount > 6) throw new CorruptData('a block in it has no code tables');
  const selectors = readSelectors(bits, tableCount);
  const tables = Array.from({ length: tableCount }, () => readTable(bits, used + 2));

  const counts = new Uint32Array(256);
  let count = 0;
  let run = 0;
  let runBit = 1;
  let group = -1;
  let leftInGroup = 0;
  let table = tables[0] as HuffmanTable;
  while (true) {
    if (leftInGroup === 0) {
      group++;
      table = tables[selectors[group] ?? -1] as HuffmanTable;
      if (group >= selectors.length || table === undefined)
        throw new CorruptData('a block in it is too long');
      leftInGroup = groupSymbols;
    }
    leftInGroup--;
    const symbol = symbolOf(table, bits);
    if (symbol <= 1) {
      run += runBit << symbol;
      runBit <<= 1;
      // Checked at once: a run of ever more digits would overflow.
      if (count + run > order.length) throw new CorruptData('a block in it is too long');
      continue;
    }
    if (run > 0) {
      const byte = recency[0] as number;
      order.fill(byte, count, count + run);
      counts[byte] = (counts[byte] as number) + run;
      count += run;
      run = 0;
      runBit = 1;
    }
    if (symbol === endSymbol) break;
    if (count >= order.length) throw new CorruptData('a block in it is too long');
    const position = symbol - 1;
    const byte = recency[position] as number;
    recency.copyWithin(1, 0, position);
    recency[0] = byte;
    counts[byte] = (counts[byte] as number) + 1;
    order[count++] = byte;
  }
  if (origin >= count) throw new CorruptData('the start of a block in it is out of range');

  let sum = 0;
  for (let byte = 0; byte < 256; byte++) {
    const here = counts[byte] as number;
    counts[byte] = sum;
    sum += here;
  }
  for (let at = 0; at < count; at++) {
    const byte = (order[at] as number) & 0xff;
    const place = counts[byte] as number;
    counts[byte] = place + 1;
    order[place] = (order[place] as number) | (at << 8);
  }
  return { count, origin };
}

function symbolsInUse(bits: BigEndianBits): { recency: Uint8Array; used: number } {
  const recency = new Uint8Array(256);
  let used = 0;
  const rows = bits.read(16);
  for (let row = 0; row < 16; row++) {
    if (((rows >> (15 - row)) & 1) === 0) continue;
    const columns = bits.read(16);
    for (let column = 0; column < 16; column++)
      if (((columns >> (15 - column)) & 1) === 1) recency[used++] = row * 16 + column;
  }
  if (used === 0) throw new CorruptData('a block in it uses no bytes');
  return { recency, used };
}

function readSelectors(bits: BigEndianBits, tableCount: number): Uint8Array {
  const selectors = new Uint8Array(bits.read(15));
  const recency = [0, 1, 2, 3, 4, 5];
  for (let at = 0; at < selectors.length; at++) {
    let position = 0;
    while (bits.read(1) === 1)
      if (++position >= tableCount) throw new CorruptData('it refers to a missing code table');
    const [table = 0] = recency.splice(position, 1);
    recency.unshift(table);
    selectors[at] = table;
  }
  return selectors;
}

function readTable(bits: BigEndianBits, symbols: number): HuffmanTable {
  const lengths = new Uint8Array(symbols);
  let length = bits.read(5);
  for (let symbol = 0; symbol < symbols; symbol++) {
    while (true) {
      if (length < 1 || length > maxCodeBits) throw new CorruptData('a code in it is too long');
      if (bits.read(1) === 0) break;
      length += bits.read(1) === 0 ? 1 : -1;
    }
    lengths[symbol] = length;
  }
  return huffmanTable(lengths);
}

// Walks the block in its order and undoes the first run-length step: four equal bytes, then how many more.
function* written(order: Uint32Array, count: number, origin: number): Generator<Uint8Array, number> {
  let output = new Uint8Array(outputBytes);
  let filled = 0;
  let crc = 0xffffffff;
  let entry = order[(order[origin] as number) >>> 8] as number;
  let previous = -1;
  let equal = 0;
  for (let left = count; left > 0; left--) {
    const byte = entry & 0xff;
    entry = order[entry >>> 8] as number;
    let copies = 1;
    let value = byte;
    if (equal === 4) {
      copies = byte;
      value = previous;
      equal = 0;
      previous = -1;
    } else if (byte === previous) equal++;
    else {
      previous = byte;
      equal = 1;
    }
    for (; copies > 0; copies--) {
      crc = ((crc << 8) ^ (crcTable[(crc >>> 24) ^ value] as number)) >>> 0;
      output[filled++] = value;
      if (filled === outputBytes) {
        yield output;
        output = new Uint8Array(outputBytes);
        filled = 0;
      }
    }
  }
  if (filled > 0) yield output.subarray(0, filled);
  return ~crc >>> 0;
}

// The CRC-32 of bzip2 takes the most significant bit first, unlike that of gzip.
const crcTable = Uint32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = crc < 0 ? (crc << 1) ^ 0x04c11db7 : crc << 1;
  return crc >>> 0;
});
