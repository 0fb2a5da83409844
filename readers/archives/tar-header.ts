import { isUtf8 } from 'node:buffer';
import { CorruptData } from '../compression/index.ts';

/** Bytes of a tar header; everything in a tar archive is padded to a multiple of it. */
export const blockBytes = 512;

const checksumStart = 148;
const checksumEnd = 156;
const wantedRecords: ReadonlySet<string> = new Set([
  'path',
  'size',
  'mtime',
  'GNU.sparse.name',
  'GNU.sparse.major',
  'GNU.sparse.map',
  'GNU.sparse.size',
]);

/** The fields of a tar header that are needed here. */
export interface TarHeader {
  readonly name: string;
  readonly size: number;
  /** Seconds since 1970. */
  readonly modified: number;
  /** The type's character; a zero byte is `0`. */
  readonly type: string;
  /** Whether more blocks of an old GNU sparse header follow. */
  readonly extended: boolean;
}

/** Read a header (v7, ustar, star, GNU). @throws CorruptData for a wrong checksum or a malformed number */
export function tarHeader(block: Uint8Array): TarHeader {
  if (!hasChecksum(block)) throw new CorruptData('the header of a tar entry is malformed');
  const magic = Buffer.from(block.subarray(257, 263)).toString('latin1');
  const star = Buffer.from(block.subarray(508, 512)).toString('latin1') === 'tar\0';
  // GNU stores times where ustar stores the first steps of a long name.
  const prefix = magic === 'ustar\0' ? text(block.subarray(345, star ? 476 : 500)) : '';
  const name = text(block.subarray(0, 100));
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: number(block, 124, 136),
    modified: timeOf(block),
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156] as number),
    extended: block[482] === 1,
  };
}

/** Whether bytes begin with a tar header. */
export function isTar(bytes: Uint8Array): boolean {
  if (bytes.length < blockBytes || bytes[0] === 0) return false;
  try {
    return hasChecksum(bytes);
  } catch {
    return false;
  }
}

/** The needed records of a pax header (`27 path=...`), up to the first malformed one. */
export function paxRecords(bytes: Uint8Array): ReadonlyMap<string, string> {
  const records = new Map<string, string>();
  for (let at = 0; at < bytes.length; ) {
    let length = 0;
    let digits = 0;
    for (; digits < 9; digits++) {
      const digit = (bytes[at + digits] ?? 0) - 0x30;
      if (digit < 0 || digit > 9) break;
      length = length * 10 + digit;
    }
    if (digits === 0 || bytes[at + digits] !== 0x20 || length <= digits + 1) break;
    const record = bytes.subarray(at + digits + 1, at + length - 1);
    const equals = record.indexOf(0x3d);
    const key = equals > 0 && equals < 40 ? decoded(record.subarray(0, equals)) : '';
    if (wantedRecords.has(key)) records.set(key, decoded(record.subarray(equals + 1)));
    at += length;
  }
  return records;
}

/** A name up to its zero byte: UTF-8, or Latin-1 as old systems wrote it. */
export function text(bytes: Uint8Array): string {
  const zero = bytes.indexOf(0);
  return decoded(zero < 0 ? bytes : bytes.subarray(0, zero));
}

function decoded(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString(isUtf8(bytes) ? 'utf8' : 'latin1');
}

// The sum of the header's bytes, with spaces in place of the checksum. Some old programs added signed bytes.
function hasChecksum(block: Uint8Array): boolean {
  let sum = 0;
  let high = 0;
  for (let at = 0; at < blockBytes; at++) {
    const byte = at >= checksumStart && at < checksumEnd ? 0x20 : (block[at] as number);
    sum += byte;
    if (byte >= 0x80) high++;
  }
  const stored = number(block, checksumStart, checksumEnd);
  return stored === sum || stored === sum - 256 * high;
}

// A time that makes no sense costs no member.
function timeOf(block: Uint8Array): number {
  try {
    return number(block, 136, 148);
  } catch {
    return 0;
  }
}

// Octal digits between spaces and zeros; or, marked by the highest bit, a number of base 256.
function number(block: Uint8Array, from: number, to: number): number {
  const first = block[from] as number;
  if ((first & 0x80) !== 0) {
    let value = first & 0x7f;
    for (let at = from + 1; at < to; at++) value = value * 256 + (block[at] as number);
    // All ones at the top mean a number below zero: a time before 1970, and never a size.
    if (first === 0xff) return 0;
    if (!Number.isSafeInteger(value)) throw new CorruptData('a number in it is too large');
    return value;
  }
  const digits = Buffer.from(block.subarray(from, to))
    .toString('latin1')
    .replace(/[\s\0]+/g, ' ')
    .trim();
  if (digits === '') return 0;
  if (!/^[0-7]{1,15}$/.test(digits)) throw new CorruptData('a number in it is malformed');
  return Number.parseInt(digits, 8);
}
