import { crc32 } from 'node:zlib';
import { rowWords } from './slot-table.ts';

/** A row of the index in the journal: the row's words, the slot, and a CRC-32 of both. Bytes. */
export const recordBytes = (rowWords + 2) * 4;
/** The header of a journal, twice: one flipped bit loses nothing. Bytes. */
export const headerBytes = 2 * recordBytes;

/** The slot in a record that replaces lost ones: entries from earlier records are validated before use. */
export const everySlot = 0xffff_ffff;

const magic = Buffer.from('GARNER cache journal 1\n');

export interface JournalHeader {
  /** The seeds of the two halves of a key's hash. */
  readonly seeds: readonly [number, number];
}

/** Write a row for a slot into `into` at byte `at`; a released slot is a row of zeros. */
export function encodeRow(into: Buffer, at: number, slot: number, row: Uint32Array): void {
  for (let index = 0; index < rowWords; index++) into.writeUInt32LE(row[index] as number, at + index * 4);
  into.writeUInt32LE(slot, at + rowWords * 4);
  into.writeUInt32LE(crc32(into.subarray(at, at + recordBytes - 4)), at + recordBytes - 4);
}

/** The slot of a record, with its row written into `row`; -1 when the record is damaged. */
export function decodeRow(from: Buffer, at: number, row: Uint32Array): number {
  if (crc32(from.subarray(at, at + recordBytes - 4)) !== from.readUInt32LE(at + recordBytes - 4)) return -1;
  for (let index = 0; index < rowWords; index++) row[index] = from.readUInt32LE(at + index * 4);
  return from.readUInt32LE(at + rowWords * 4);
}

/** A header read from a journal. */
export interface WrittenHeader extends JournalHeader {
  /** The journal has at least this many bytes, unless it was cut; 0 in journals of former releases. */
  readonly synced: number;
}

export function encodeHeader({ seeds }: JournalHeader, synced = 0): Buffer {
  const one = Buffer.alloc(recordBytes);
  magic.copy(one);
  one.writeUIntLE(synced, recordBytes - 18, 6);
  one.writeUInt32LE(seeds[0], recordBytes - 12);
  one.writeUInt32LE(seeds[1], recordBytes - 8);
  one.writeUInt32LE(crc32(one.subarray(0, recordBytes - 4)), recordBytes - 4);
  return Buffer.concat([one, one]);
}

/** Decode a journal's header; undefined when both copies are damaged or it is not a journal. */
export function decodeHeader(from: Buffer): WrittenHeader | undefined {
  for (const at of [0, recordBytes]) {
    const one = from.subarray(at, at + recordBytes);
    if (one.length < recordBytes || !one.subarray(0, magic.length).equals(magic)) continue;
    if (crc32(one.subarray(0, recordBytes - 4)) !== one.readUInt32LE(recordBytes - 4)) continue;
    const seeds = [one.readUInt32LE(recordBytes - 12), one.readUInt32LE(recordBytes - 8)] as const;
    return { seeds, synced: one.readUIntLE(recordBytes - 18, 6) };
  }
  return undefined;
}
