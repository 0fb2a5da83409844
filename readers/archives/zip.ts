import { type Entry, fromBuffer, type ZipFile } from 'yauzl';
import { CorruptData, cutShort } from '../compression/index.ts';
import { type ArchiveEntry, folderEntry } from './archive-entry.ts';
import { Claims } from './zip-claims.ts';
import { zipContent } from './zip-content.ts';
import { localEntries } from './zip-local.ts';
import { ZipNames } from './zip-names.ts';

const endBytes = 22;
const maxBehind = 1024 * 1024;
const maxFields = 0xffffffff;
const longLocator = 0x07064b50;
const directoryMark = 0x02014b50;

/** The bytes of the zip archive in a file; undefined when its last mebibyte has no end of a directory. */
function zipBounds(bytes: Uint8Array): Uint8Array | undefined {
  const buffer = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  const lowest = Math.max(0, buffer.length - maxBehind);
  for (let at = buffer.lastIndexOf('PK\x05\x06', undefined, 'latin1'); at >= lowest; ) {
    const end = at + endBytes + (at + endBytes <= buffer.length ? buffer.readUInt16LE(at + 20) : maxFields);
    const start = end <= buffer.length ? startOf(buffer, at) : undefined;
    if (start !== undefined) return bytes.subarray(start, end);
    at = at === 0 ? -1 : buffer.lastIndexOf('PK\x05\x06', at - 1, 'latin1');
  }
  return undefined;
}

// The start of the archive, from the claimed and the actual start of its directory.
function startOf(buffer: Buffer, end: number): number | undefined {
  const size = buffer.readUInt32LE(end + 12);
  const offset = buffer.readUInt32LE(end + 16);
  const long = end >= 20 && buffer.readUInt32LE(end - 20) === longLocator;
  if (long || size === maxFields || offset === maxFields) return 0;
  const start = end - size - offset;
  if (start >= 0 && (size === 0 || buffer.readUInt32LE(end - size) === directoryMark)) return start;
  // The directory is not where its size puts it: the size may be wrong.
  return offset + 4 <= end && (offset === end || buffer.readUInt32LE(offset) === directoryMark)
    ? 0
    : undefined;
}

const encrypted = 0x01;
const unixLink = 0o120000;
const unixKinds = 0o170000;
const unixFile = 0o100000;
const unixFolder = 0o040000;

/**
 * The entries of a zip archive (also jar, war, apk, xpi) by its directory, or by the headers before each
 * entry when the directory is missing or damaged, as in a file cut short. Reads stored and deflated entries,
 * and those packed with bzip2, LZMA, xz or zstd; zip64 too. Entries that share bytes with others, as in zip
 * bombs, are rejected.
 * @throws CorruptData where the archive is damaged; the entries before it are valid
 */
export async function* zipEntries(bytes: Uint8Array, maxWindowBytes: number): AsyncGenerator<ArchiveEntry> {
  const archive = zipBounds(bytes);
  const zip = archive === undefined ? undefined : await opened(archive);
  if (archive === undefined || zip === undefined) {
    const cut = yield* localEntries(bytes, maxWindowBytes);
    throw new CorruptData(cut ? cutShort : 'its directory at the end is missing or damaged');
  }
  const claims = new Claims();
  const names = new ZipNames(archive);
  while (true) {
    let entry: Entry | undefined;
    try {
      entry = await nextEntry(zip);
    } catch (error) {
      yield* localEntries(archive, maxWindowBytes, claims.end);
      throw error;
    }
    if (entry === undefined) return;
    yield await entryOf(zip, entry, archive, { claims, names, maxWindowBytes });
  }
}

interface Reading {
  readonly claims: Claims;
  readonly names: ZipNames;
  readonly maxWindowBytes: number;
}

async function entryOf(
  zip: ZipFile,
  entry: Entry,
  bytes: Uint8Array,
  { claims, names, maxWindowBytes }: Reading,
): Promise<ArchiveEntry> {
  // Names are decoded here: the library ends the archive at the first name that it rejects.
  const name = names.nameOf(entry.generalPurposeBitFlag, entry.fileNameRaw, entry.extraFields);
  const mode = entry.externalFileAttributes >>> 16;
  const kind = entry.versionMadeBy >>> 8 === 3 ? mode & unixKinds : 0;
  if (name.endsWith('/') || kind === unixFolder) return folderEntry(name);
  const { uncompressedSize: size, compressedSize } = entry;
  const modified = entry.getLastModDate({ timezone: 'UTC' }).getTime() / 1000;
  const about = { name, size, ...(Number.isFinite(modified) && modified > 0 ? { modified } : {}) };
  const unread = { ...about, read: () => Promise.reject(new CorruptData('it cannot be read')) };
  if (kind === unixLink) return { ...unread, fault: 'a symbolic link' };
  if (kind !== 0 && kind !== unixFile) return { ...unread, fault: 'a device or pipe' };
  if ((entry.generalPurposeBitFlag & encrypted) !== 0) return { ...unread, unread: 'it is encrypted' };
  const start = await contentStart(zip, entry);
  if (start === undefined)
    return {
      ...unread,
      read: () => Promise.reject(new CorruptData('it is not at the place in the directory')),
    };
  const end = start + compressedSize;
  if (!claims.claim(entry.relativeOffsetOfLocalHeader, end))
    return { ...unread, fault: 'laid over another member' };
  const packed = {
    method: entry.compressionMethod,
    bytes: bytes.subarray(start, end),
    size,
    crc: entry.crc32,
  };
  return { ...about, read: (max) => zipContent(packed, max, maxWindowBytes) };
}

function opened(bytes: Uint8Array): Promise<ZipFile | undefined> {
  return new Promise((resolve) => {
    fromBuffer(
      Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength),
      { lazyEntries: true, decodeStrings: false, validateEntrySizes: false },
      (error, zip) => resolve(error === null ? zip : undefined),
    );
  });
}

function nextEntry(zip: ZipFile): Promise<Entry | undefined> {
  return new Promise((resolve, reject) => {
    const settle = () =>
      zip.removeAllListeners('entry').removeAllListeners('end').removeAllListeners('error');
    zip.once('entry', (entry: Entry) => {
      settle();
      resolve(entry);
    });
    zip.once('end', () => {
      settle();
      resolve(undefined);
    });
    zip.once('error', () => {
      settle();
      reject(new CorruptData('its directory is damaged from some place on'));
    });
    zip.readEntry();
  });
}

function contentStart(zip: ZipFile, entry: Entry): Promise<number | undefined> {
  return new Promise((resolve) => {
    zip.readLocalFileHeader(entry, { minimal: true }, (error, header) =>
      resolve(error === null ? header.fileDataStart : undefined),
    );
  });
}

/**
 * The directory of a zip archive of which only the ends are there, as an archive without contents; undefined when the
 * directory is not whole in the end. `head`: bytes of the beginning; `size`: bytes of the whole archive.
 */
export function zipDirectoryOfEnds(bytes: Uint8Array, head: number, size: number): Uint8Array | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset + head, bytes.length - head);
  const at = tail.lastIndexOf('PK\x05\x06', undefined, 'latin1');
  if (at < 0 || at + endBytes > tail.length) return undefined;
  const [length, offset] = [tail.readUInt32LE(at + 12), tail.readUInt32LE(at + 16)];
  // Offsets in the archive are those of the whole.
  const start = offset - (size - tail.length);
  if (start < 0 || start + length > at) return undefined;
  const listed = Buffer.from(tail.subarray(start));
  listed.writeUInt32LE(0, at - start + 16);
  return listed;
}
