import { crc32 } from 'node:zlib';

/** Content is checked in pieces of this many bytes; on disk a CRC-32 follows each. */
export const pieceBytes = 64 * 1024;
export const checkBytes = 4;

/** What a content of `length` bytes takes on disk. */
export function storedBytes(length: number): number {
  return length + Math.ceil(length / pieceBytes) * checkBytes;
}

/** The check depends on whose piece it is and which: one that got to a wrong place is found out. */
const seedOf = (serial: number, index: number) => (Math.imul(serial % 2 ** 32, 0x9e3779b1) + index) >>> 0;

/** The four bytes that follow a piece on disk; the piece may be in several parts. */
export function pieceCheck(parts: readonly Uint8Array[], serial: number, index: number): Uint8Array {
  const check = Buffer.allocUnsafe(checkBytes);
  let sum = seedOf(serial, index);
  for (const part of parts) sum = crc32(part, sum);
  check.writeUInt32LE(sum);
  return check;
}

/** The piece in what was read from disk; undefined when it is not what was written. */
export function checkedPiece(stored: Buffer, serial: number, index: number): Buffer | undefined {
  const length = stored.length - checkBytes;
  if (length < 1) return undefined;
  const piece = stored.subarray(0, length);
  return crc32(piece, seedOf(serial, index)) === stored.readUInt32LE(length) ? piece : undefined;
}
