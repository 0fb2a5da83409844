import { hasTarChecksum, tarNumber } from '../bytes/index.ts';
import { NameDecoder } from '../charsets/index.ts';
import { CorruptData } from '../compression/index.ts';

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
export function tarHeader(block: Uint8Array, names = new NameDecoder()): TarHeader {
  const isRight = hasTarChecksum(block);
  if (isRight !== true) throw new CorruptData(isRight || 'the header of a tar entry is malformed');
  const magic = Buffer.from(block.subarray(257, 263)).toString('latin1');
  const star = Buffer.from(block.subarray(508, 512)).toString('latin1') === 'tar\0';
  // GNU stores times where ustar stores the first steps of a long name.
  const prefix = magic === 'ustar\0' ? text(block.subarray(345, star ? 476 : 500), names) : '';
  const name = text(block.subarray(0, 100), names);
  return {
    name: prefix === '' ? name : `${prefix}/${name}`,
    size: number(block, 124, 136),
    modified: timeOf(block),
    type: block[156] === 0 ? '0' : String.fromCharCode(block[156] as number),
    extended: block[482] === 1,
  };
}

/** The needed records of a pax header (`27 path=...`), up to the first malformed one. */
export function paxRecords(bytes: Uint8Array, names = new NameDecoder()): ReadonlyMap<string, string> {
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
    const key = equals > 0 && equals < 40 ? names.decode(record.subarray(0, equals)) : '';
    if (wantedRecords.has(key)) records.set(key, names.decode(record.subarray(equals + 1)));
    at += length;
  }
  return records;
}

/** A name up to its zero byte. */
export function text(bytes: Uint8Array, names: NameDecoder): string {
  const zero = bytes.indexOf(0);
  return names.decode(zero < 0 ? bytes : bytes.subarray(0, zero));
}

// A time that makes no sense costs no member.
function timeOf(block: Uint8Array): number {
  const time = tarNumber(block, 136, 148);
  return typeof time === 'string' ? 0 : time;
}

function number(block: Uint8Array, from: number, to: number): number {
  const value = tarNumber(block, from, to);
  if (typeof value === 'string') throw new CorruptData(value);
  return value;
}
