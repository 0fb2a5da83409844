import { crc32 } from 'node:zlib';

/** Bytes of a piece of content; on disk a CRC-32 follows each piece. */
export const pieceBytes = 64 * 1024;
export const checkBytes = 4;

/** Bytes of a content of `length` bytes on disk. */
export function storedBytes(length: number): number {
  return length + Math.ceil(length / pieceBytes) * checkBytes;
}

/** The checksum depends on the entry and the index of its piece: a misplaced piece is detected. */
const seedOf = (serial: number, index: number) => (Math.imul(serial % 2 ** 32, 0x9e3779b1) + index) >>> 0;

/** The checksum of a piece, which may be in several parts. */
export function pieceCheck(parts: readonly Uint8Array[], serial: number, index: number): Uint8Array {
  const check = Buffer.allocUnsafe(checkBytes);
  let sum = seedOf(serial, index);
  for (const part of parts) sum = crc32(part, sum);
  check.writeUInt32LE(sum);
  return check;
}

/** The piece in bytes read from disk; undefined when it is damaged. */
export function checkedPiece(stored: Buffer, serial: number, index: number): Buffer | undefined {
  const length = stored.length - checkBytes;
  if (length < 1) return undefined;
  const piece = stored.subarray(0, length);
  return crc32(piece, seedOf(serial, index)) === stored.readUInt32LE(length) ? piece : undefined;
}

/** Bytes in memory, in pieces as the contract of a store requires. */
export async function* bytePieces(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += pieceBytes) yield bytes.subarray(at, at + pieceBytes);
}

/** An iteration that fails at once. */
// biome-ignore lint/correctness/useYield: it yields nothing.
export async function* failing(error: unknown): AsyncGenerator<Uint8Array> {
  throw error;
}
