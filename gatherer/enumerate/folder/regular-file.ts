import { createHash } from 'node:crypto';
import { type BigIntStats, closeSync, constants, fstatSync, openSync, readSync } from 'node:fs';
import { open } from 'node:fs/promises';
import { endBytes } from '../../../readers/document/index.ts';
import type { DiskPace } from './disk-pace.ts';
import { osPath } from './file-names.ts';
import { pathOfOpen } from './open-within.ts';

// A pipe in place of the file must not block.
const flags = constants.O_RDONLY | constants.O_NONBLOCK;

/** The file was replaced after it was examined. */
export class FileReplaced extends Error {
  override readonly name = 'FileReplaced';
}

/** A file as it was examined. */
export interface Examined {
  readonly path: string;
  readonly stats: BigIntStats;
  /** Its path without links, which was found to be allowed. */
  readonly real: string;
}

/** Throws FileReplaced unless an open file is the examined one, and lies where that was allowed. */
function checkSame(fd: number, opened: BigIntStats, { path, stats, real }: Examined): void {
  const isSame = opened.isFile() && opened.dev === stats.dev && opened.ino === stats.ino;
  if (isSame && (pathOfOpen(fd) ?? real) === real) return;
  throw new FileReplaced(`${path} was replaced while it was read`);
}

/** At most `maxBytes` bytes of a regular file that was examined just before. Throws FileReplaced too. */
export async function readRegularFile(examined: Examined, maxBytes: number): Promise<Uint8Array> {
  await using file = await open(osPath(examined.path), flags);
  const stats = await file.stat({ bigint: true });
  checkSame(file.fd, stats, examined);
  const bytes = Buffer.allocUnsafeSlow(Math.min(Number(stats.size), maxBytes));
  let length = 0;
  while (length < bytes.length) {
    const { bytesRead } = await file.read(bytes, length, bytes.length - length);
    if (bytesRead === 0) break;
    length += bytesRead;
  }
  return bytes.subarray(0, length);
}

/** The same synchronously: for a small file on a fast disk that costs a tenth. */
export function readRegularFileSync(examined: Examined, maxBytes: number): Uint8Array {
  const file = openSync(osPath(examined.path), flags);
  try {
    const stats = fstatSync(file, { bigint: true });
    checkSame(file, stats, examined);
    const bytes = Buffer.allocUnsafeSlow(Math.min(Number(stats.size), maxBytes));
    let length = 0;
    while (length < bytes.length) {
      const read = readSync(file, bytes, length, bytes.length - length, null);
      if (read === 0) break;
      length += read;
    }
    return bytes.subarray(0, length);
  } finally {
    closeSync(file);
  }
}

/** The beginning and the end of a regular file, `each` bytes of both in one piece. Throws FileReplaced too. */
async function readFileEnds(examined: Examined, each: number): Promise<Uint8Array> {
  await using file = await open(osPath(examined.path), flags);
  const stats = await file.stat({ bigint: true });
  checkSame(file.fd, stats, examined);
  const bytes = Buffer.alloc(2 * each);
  await file.read(bytes, 0, each, 0);
  await file.read(bytes, each, each, Number(stats.size) - each);
  return bytes;
}

/** Files up to this size are read synchronously while the disk is fast. */
const smallBytes = 512n * 1024n;

/** The bytes of an examined file; both ends of one that is larger than `maxBytes`. Throws FileReplaced too. */
export function bytesOfFile(
  examined: Examined,
  maxBytes: number,
  pace: DiskPace,
): Promise<Uint8Array> | Uint8Array {
  const { size } = examined.stats;
  if (size > BigInt(maxBytes)) return readFileEnds(examined, endBytes(maxBytes));
  return pace.isSlow || size > smallBytes
    ? readRegularFile(examined, maxBytes)
    : pace.timed(() => readRegularFileSync(examined, maxBytes));
}

/** The state of a file, and the names beside it where they matter. */
export function stampOf(stats: BigIntStats, beside: readonly string[] = []): string {
  const state = [stats.size, stats.mtimeNs, stats.ctimeNs, stats.ino]
    .map((part) => part.toString(36))
    .join('.');
  return beside.length < 2
    ? state
    : `${state}/${createHash('md5').update(beside.join('/')).digest('base64url')}`;
}

/** Whether a row's stamp was made by `stampOf`: its document was read from a file. */
export function isFileStamp(stamp = ''): boolean {
  // A time before 1970 is negative.
  return /^[0-9a-z]+(?:\.-?[0-9a-z]+){3}(?:\/|$)/.test(stamp);
}

/** The part of a stamp for the files beside one. */
export function marked(stamp = ''): string | undefined {
  return stamp.split('/')[1];
}
