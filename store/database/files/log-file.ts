import { crc32c, masked } from './crc32c.ts';

// A log of LevelDB (doc/log_format.md): blocks of 32 KiB of records, each a CRC, a length, a type and data. LevelDB
// skips damaged records when it opens a log; the batches in them would be lost without a report.

const blockBytes = 32 * 1024;
const headerBytes = 7;

/** Whether every record of a log is whole; a record that a crash has cut at the end of the file does not count. */
export function isWholeLog(bytes: Buffer): boolean {
  for (let block = 0; block < bytes.length; block += blockBytes) {
    const end = Math.min(block + blockBytes, bytes.length);
    for (let at = block; at + headerBytes <= end; ) {
      const length = bytes.readUInt16LE(at + 4);
      const type = bytes[at + 6] as number;
      // Space that was reserved and not written.
      if (type === 0 && length === 0 && bytes.readUInt32LE(at) === 0) break;
      const next = at + headerBytes + length;
      if (next > end) {
        if (end === bytes.length) return true;
        return false;
      }
      if (type < 1 || type > 4) return false;
      if (masked(crc32c(bytes.subarray(at + 6, next))) !== bytes.readUInt32LE(at)) return false;
      at = next;
    }
  }
  return true;
}
