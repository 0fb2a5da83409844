import type { FileHandle } from 'node:fs/promises';
import { crc32c, masked } from './crc32c.ts';

// A log of LevelDB (doc/log_format.md): blocks of 32 KiB of records, each a CRC, a length, a type and data. LevelDB
// skips damaged records when it opens a log; the batches in them would be lost without a report.

const blockBytes = 32 * 1024;
const headerBytes = 7;
const blocksAtOnce = 32;
const [full, first, middle, last] = [1, 2, 3, 4];

/** Whether a record with a correct CRC begins here. */
function isRecord(block: Buffer, at: number): boolean {
  if (at + headerBytes > block.length) return false;
  const type = block[at + 6] as number;
  const next = at + headerBytes + block.readUInt16LE(at + 4);
  if (type < full || type > last || next > block.length) return false;
  return masked(crc32c(block.subarray(at + 6, next))) === block.readUInt32LE(at);
}

/** Whether a record without an end in the last block is one that a crash has cut, and not one with a wrong length. */
function isCut(block: Buffer, at: number): boolean {
  const rest = block.subarray(at + 6);
  if (rest.length > 1 && masked(crc32c(rest)) === block.readUInt32LE(at)) return false;
  for (let next = at + 1; next < block.length; next++) if (isRecord(block, next)) return false;
  return true;
}

/** A part of a batch, or `undefined` where a record is damaged. */
type Part = { readonly type: number; readonly data: Buffer } | undefined;

/** The parts in one block. */
function* partsIn(block: Buffer, isLast: boolean): Generator<Part> {
  for (let at = 0; at + headerBytes <= block.length; ) {
    const length = block.readUInt16LE(at + 4);
    const type = block[at + 6] as number;
    // Space that was reserved and not written.
    if (type === 0 && length === 0 && block.readUInt32LE(at) === 0) return;
    const next = at + headerBytes + length;
    if (next > block.length && isLast && isCut(block, at)) return;
    if (isRecord(block, at)) {
      yield { type, data: block.subarray(at + headerBytes, next) };
      at = next;
      continue;
    }
    yield undefined;
    // The length itself may be wrong.
    at++;
    while (at + headerBytes <= block.length && !isRecord(block, at)) at++;
    if (at + headerBytes > block.length) return;
  }
}

/** The batches of a log in their order, and `undefined` where something is damaged. A batch cut by a crash at the end of the file is neither. */
export async function* batchesIn(file: FileHandle): AsyncGenerator<Buffer | undefined> {
  const { size } = await file.stat();
  let parts: Buffer[] | undefined;
  for (let from = 0; from < size; from += blockBytes * blocksAtOnce) {
    const bytes = Buffer.alloc(Math.min(size - from, blockBytes * blocksAtOnce));
    await file.read(bytes, 0, bytes.length, from);
    for (let at = 0; at < bytes.length; at += blockBytes) {
      const block = bytes.subarray(at, at + blockBytes);
      for (const part of partsIn(block, from + at + blockBytes >= size)) {
        if (part === undefined) {
          parts = undefined;
          yield undefined;
        } else if (part.type === full) {
          parts = undefined;
          yield part.data;
        } else if (part.type === first) parts = [part.data];
        else if (parts !== undefined) {
          parts.push(part.data);
          if (part.type === middle) continue;
          const batch = Buffer.concat(parts);
          parts = undefined;
          yield batch;
        }
      }
    }
  }
}

/** Whether every record of a log is whole. */
export async function isWholeLog(file: FileHandle): Promise<boolean> {
  for await (const batch of batchesIn(file)) if (batch === undefined) return false;
  return true;
}
