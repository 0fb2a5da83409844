import { isAscii, isUtf8 } from 'node:buffer';
import { getFileNameLowLevel } from 'yauzl';
import { NameDecoder } from '../charsets/index.ts';

const utf8Names = 0x800;
const unicodePath = 0x7075;
const endMark = 'PK\x05\x06';
const directoryMark = 0x02014b50;
const directoryBytes = 46;

interface ExtraField {
  readonly id: number;
  readonly data: Buffer;
}

// Code page 437 (APPNOTE D.1); the library keeps its table.
const dosName = (bytes: Uint8Array) => getFileNameLowLevel(0, Buffer.from(bytes), [], true);

/**
 * Decodes the names of a zip archive: UTF-8 where a flag or a field says so or the bytes are valid, else what the names
 * of the whole archive are in by statistics, since Windows writes the code page of its language, else code page 437.
 */
export class ZipNames {
  readonly #decoder = new NameDecoder(dosName, ['cp437', 'cp850']);

  /** @param archive takes the names of its directory into account beforehand */
  constructor(archive?: Uint8Array) {
    for (const name of archive === undefined ? [] : directoryNames(archive)) this.#decoder.add(name);
  }

  /** A name with slashes between its steps; some programs of Windows write backslashes. */
  nameOf(flags: number, raw: Buffer, extraFields: readonly ExtraField[] = []): string {
    const flagged = (flags & utf8Names) !== 0 && isUtf8(raw);
    if (flagged || isAscii(raw) || extraFields.some(({ id }) => id === unicodePath))
      return getFileNameLowLevel(flags, raw, [...extraFields], false);
    // A backslash may be the second byte of a character until it is decoded.
    return this.#decoder.decode(raw).replaceAll('\\', '/');
  }
}

/** The names in the directory at the end of an archive, as far as its headers follow each other. */
function* directoryNames(archive: Uint8Array): Generator<Uint8Array> {
  const buffer = Buffer.from(archive.buffer, archive.byteOffset, archive.byteLength);
  const end = buffer.lastIndexOf(endMark, undefined, 'latin1');
  let at = end < 0 || end + 16 > buffer.length ? -1 : end - buffer.readUInt32LE(end + 12);
  while (at >= 0 && at + directoryBytes <= buffer.length && buffer.readUInt32LE(at) === directoryMark) {
    const name = at + directoryBytes;
    const behind = name + buffer.readUInt16LE(at + 28);
    yield buffer.subarray(name, behind);
    at = behind + buffer.readUInt16LE(at + 30) + buffer.readUInt16LE(at + 32);
  }
}
