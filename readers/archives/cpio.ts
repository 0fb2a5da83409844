import { NameDecoder } from '../charsets/index.ts';
import { CorruptData } from '../compression/index.ts';
import { type ArchiveEntry, folderEntry, TooLarge } from './archive-entry.ts';
import type { ChunkReader } from './chunk-reader.ts';

const maxNameBytes = 4096;
const fileKind = 0o100000;
const kindMask = 0o170000;

interface CpioHeader {
  readonly mode: number;
  readonly modified: number;
  readonly nameBytes: number;
  readonly size: number;
  /** Whether the bytes are stored with another name of the same file, as in newc. */
  readonly elsewhere?: boolean;
  /** Name and content end at a multiple of this many bytes. */
  readonly step: 1 | 2 | 4;
}

/**
 * The entries of a cpio archive: the forms newc and crc (`070701`, `070702`), odc (`070707`), and the old
 * binary form in either byte order. The payload of an rpm package is a cpio archive.
 * @throws CorruptData where the archive is damaged; the entries before it are valid
 */
export async function* cpioEntries(reader: ChunkReader): AsyncGenerator<ArchiveEntry> {
  try {
    yield* entriesOf(reader);
  } finally {
    await reader.close();
  }
}

async function* entriesOf(reader: ChunkReader): AsyncGenerator<ArchiveEntry> {
  const names = new NameDecoder();
  while (true) {
    // Padding is counted from the archive's beginning, where this reader begins.
    const header = await headerOf(reader);
    if (header.nameBytes === 0 || header.nameBytes > maxNameBytes)
      throw new CorruptData('a name in it is too long or empty');
    const name = nameOf(await reader.read(header.nameBytes), names);
    await pad(reader, header.step);
    if (name === 'TRAILER!!!') return;
    const kind = header.mode & kindMask;
    const { size } = header;
    let taken = false;
    const entry: ArchiveEntry = {
      name,
      size,
      ...(header.modified > 0 ? { modified: header.modified } : {}),
      ...faultOf(kind, header.elsewhere === true),
      read: async (max) => {
        if (size > max) throw new TooLarge(max);
        taken = true;
        return reader.read(size);
      },
    };
    yield kind === 0o040000 ? folderEntry(name) : entry;
    if (!taken) await reader.skip(size);
    await pad(reader, header.step);
  }
}

function nameOf(bytes: Uint8Array, names: NameDecoder): string {
  const zero = bytes.indexOf(0);
  return names.decode(zero < 0 ? bytes : bytes.subarray(0, zero));
}

function faultOf(kind: number, elsewhere: boolean): { readonly fault?: string } {
  if (kind === 0o120000) return { fault: 'a symbolic link' };
  if (kind !== fileKind) return { fault: 'a device or pipe' };
  return elsewhere ? { fault: 'a link to another member' } : {};
}

async function pad(reader: ChunkReader, step: number): Promise<void> {
  const over = reader.at % step;
  if (over !== 0) await reader.skip(step - over);
}

async function headerOf(reader: ChunkReader): Promise<CpioHeader> {
  const magic = await reader.peek(6);
  const word = Buffer.from(magic).toString('latin1');
  if (word === '070701' || word === '070702') {
    const text = Buffer.from(await reader.read(110)).toString('latin1');
    const field = (index: number) => digits(text.slice(6 + index * 8, 14 + index * 8), 16);
    const size = field(6);
    return {
      mode: field(1),
      elsewhere: field(4) > 1 && size === 0,
      modified: field(5),
      size,
      nameBytes: field(11),
      step: 4,
    };
  }
  if (word === '070707') {
    const text = Buffer.from(await reader.read(76)).toString('latin1');
    const field = (from: number, to: number) => digits(text.slice(from, to), 8);
    return {
      mode: field(18, 24),
      modified: field(48, 59),
      nameBytes: field(59, 65),
      size: field(65, 76),
      step: 1,
    };
  }
  const little = magic[0] === 0xc7 && magic[1] === 0x71;
  if (!little && !(magic[0] === 0x71 && magic[1] === 0xc7))
    throw new CorruptData('the header of a cpio entry is malformed');
  const bytes = await reader.read(26);
  const view = new DataView(bytes.buffer, bytes.byteOffset, 26);
  const half = (index: number) => view.getUint16(index * 2, little);
  // A number of 32 bits has its high half first in either byte order.
  const long = (index: number) => half(index) * 65536 + half(index + 1);
  return { mode: half(3), modified: long(8), nameBytes: half(10), size: long(11), step: 2 };
}

function digits(text: string, base: 8 | 16): number {
  if (!(base === 8 ? /^[0-7]+$/ : /^[\da-f]+$/i).test(text))
    throw new CorruptData('a number in it is malformed');
  return Number.parseInt(text, base);
}
