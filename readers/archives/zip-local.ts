import { cutShort } from '../compression/index.ts';
import { type ArchiveEntry, brokenEntry } from './archive-entry.ts';
import { zipContent } from './zip-content.ts';
import { ZipNames } from './zip-names.ts';

const headerBytes = 30;
const encrypted = 0x01;
const sizesFollow = 0x08;
const headerMark = 0x04034b50;
const descriptorMark = Buffer.from('PK\x07\x08', 'latin1');

/** An archive's claims about the bytes of an entry. */
interface Sizes {
  readonly crc: number;
  readonly packed: number;
  readonly size: number;
  /** Where the entry ends. */
  readonly end: number;
}

/**
 * The entries of a zip archive whose directory cannot be read, by the header before each (APPNOTE 4.3.7), as
 * far as they follow one another from `from` on. Returns whether the archive ends within an entry, which is
 * broken then.
 */
export function* localEntries(
  bytes: Uint8Array,
  maxWindowBytes: number,
  from = 0,
): Generator<ArchiveEntry, boolean> {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const names = new ZipNames();
  for (let at = beginning(buffer, from); at + headerBytes <= buffer.length; ) {
    if (buffer.readUInt32LE(at) !== headerMark) return false;
    const flags = buffer.readUInt16LE(at + 6);
    const method = buffer.readUInt16LE(at + 8);
    const nameEnd = at + headerBytes + buffer.readUInt16LE(at + 26);
    const start = nameEnd + buffer.readUInt16LE(at + 28);
    if (start > buffer.length) return true;
    const rawName = buffer.subarray(at + headerBytes, nameEnd);
    const name = names.nameOf(flags, rawName);
    const sizes = (flags & sizesFollow) === 0 ? sizesBefore(buffer, at, start) : sizesBehind(buffer, start);
    if (sizes === undefined || sizes.end > buffer.length) {
      yield brokenEntry(name, cutShort);
      return true;
    }
    const { crc, packed, size, end } = sizes;
    if (!name.endsWith('/')) {
      const content = { method, bytes: bytes.subarray(start, start + packed), size, crc };
      yield {
        name,
        size,
        ...((flags & encrypted) === 0 ? {} : { unread: 'it is encrypted' }),
        read: (max) => zipContent(content, max, maxWindowBytes),
      };
    }
    at = end;
  }
  return false;
}

// An entry before may be followed by its sizes, 12 to 24 bytes of them.
function beginning(buffer: Buffer, from: number): number {
  for (const at of [from, from + 12, from + 16, from + 20, from + 24])
    if (at + 4 <= buffer.length && buffer.readUInt32LE(at) === headerMark) return at;
  return from;
}

function startsEntry(buffer: Buffer, at: number): boolean {
  return at + 2 <= buffer.length && buffer.toString('latin1', at, at + 2) === 'PK';
}

function sizesBefore(buffer: Buffer, at: number, start: number): Sizes {
  const packed = buffer.readUInt32LE(at + 18);
  return {
    crc: buffer.readUInt32LE(at + 14),
    packed,
    size: buffer.readUInt32LE(at + 22),
    end: start + packed,
  };
}

// A program that writes to a pipe puts the sizes behind the bytes (APPNOTE 4.3.9); they are valid where the
// packed size ends there.
function sizesBehind(buffer: Buffer, start: number): Sizes | undefined {
  for (let at = buffer.indexOf(descriptorMark, start); at >= 0; at = buffer.indexOf(descriptorMark, at + 4)) {
    const packed = at - start;
    if (at + 16 > buffer.length || buffer.readUInt32LE(at + 8) !== packed) continue;
    const crc = buffer.readUInt32LE(at + 4);
    // In the long form the size is behind the upper half of the packed size.
    const long = buffer.readUInt32LE(at + 12) === 0 && startsEntry(buffer, at + 24);
    return long && !startsEntry(buffer, at + 16)
      ? { crc, packed, size: Number(buffer.readBigUInt64LE(at + 16)), end: at + 24 }
      : { crc, packed, size: buffer.readUInt32LE(at + 12), end: at + 16 };
  }
  return undefined;
}
