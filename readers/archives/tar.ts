import { tarBlockBytes } from '../bytes/index.ts';
import { NameDecoder } from '../charsets/index.ts';
import { CorruptData } from '../compression/index.ts';
import { type ArchiveEntry, folderEntry, TooLarge } from './archive-entry.ts';
import type { ChunkReader } from './chunk-reader.ts';
import { paxRecords, type TarHeader, tarHeader, text } from './tar-header.ts';

const maxNoteBytes = 1024 * 1024;

const faults: Readonly<Record<string, string>> = {
  '1': 'a link to another member',
  '2': 'a symbolic link',
  '3': 'a device',
  '4': 'a device',
  '6': 'a pipe',
};
// Folders, GNU's lists of a folder's contents, and volume labels.
const passedOver: ReadonlySet<string> = new Set(['5', 'D', 'V']);
const withoutContent: ReadonlySet<string> = new Set(['1', '2', '3', '4', '5', '6']);

/**
 * The entries of a tar archive, one after the other as they arrive: the forms of Unix version 7, ustar, star,
 * pax and GNU with its long names. Sparse files are not read, since the archive does not have all their
 * bytes. Two blocks of zeros, or the end of the bytes between two entries, end the archive.
 * @param toTheEnd read the bytes after the archive too, where the program that writes it may report a failure
 * @throws CorruptData where the archive is damaged; the entries before it are valid
 */
export async function* tarEntries(reader: ChunkReader, toTheEnd = false): AsyncGenerator<ArchiveEntry> {
  try {
    yield* entriesOf(reader);
    if (toTheEnd) for await (const piece of reader.rest()) void piece;
  } finally {
    await reader.close();
  }
}

async function* entriesOf(reader: ChunkReader): AsyncGenerator<ArchiveEntry> {
  let everywhere: ReadonlyMap<string, string> = new Map();
  let here: ReadonlyMap<string, string> = new Map();
  let longName: string | undefined;
  const names = new NameDecoder();
  let zeros = 0;
  while (zeros < 2) {
    if ((await reader.peek(1)).length === 0) return;
    const block = await reader.read(tarBlockBytes);
    if (block.every((byte) => byte === 0)) {
      zeros++;
      continue;
    }
    zeros = 0;
    const header = tarHeader(block, names);
    if ('xgLK'.includes(header.type)) {
      const note = await noteOf(reader, header);
      if (header.type === 'x') here = paxRecords(note, names);
      else if (header.type === 'g') everywhere = new Map([...everywhere, ...paxRecords(note, names)]);
      else if (header.type === 'L') longName = text(note, names);
      continue;
    }
    if (header.type === 'S') await passExtensions(reader, header);
    const pax = new Map([...everywhere, ...here]);
    const size = withoutContent.has(header.type) ? 0 : sizeOf(header, pax);
    let left = size + padding(size);
    const name = pax.get('GNU.sparse.name') ?? pax.get('path') ?? longName ?? header.name;
    const folder = passedOver.has(header.type) || (header.type === '0' && name.endsWith('/'));
    here = new Map();
    longName = undefined;
    if (folder) yield folderEntry(name);
    else
      yield {
        name,
        size,
        ...timeOf(header, pax),
        ...whyNot(header, pax),
        read: async (max) => {
          if (size > max) throw new TooLarge(max);
          left -= size;
          return reader.read(size);
        },
      };
    await reader.skip(left).catch((error: unknown) => {
      // The last member is whole though its padding was cut off.
      if (left >= tarBlockBytes) throw error;
    });
  }
}

async function noteOf(reader: ChunkReader, { size }: TarHeader): Promise<Uint8Array> {
  if (size > maxNoteBytes) throw new CorruptData('a name or note in it is too long');
  const note = await reader.read(size);
  await reader.skip(padding(size));
  return note;
}

async function passExtensions(reader: ChunkReader, header: TarHeader): Promise<void> {
  for (let more = header.extended; more; ) more = (await reader.read(tarBlockBytes))[504] === 1;
}

function sizeOf(header: TarHeader, pax: ReadonlyMap<string, string>): number {
  const declared = pax.get('size');
  if (declared === undefined) return header.size;
  const size = /^\d{1,40}$/.test(declared) ? Number(declared) : Number.NaN;
  if (!Number.isSafeInteger(size)) throw new CorruptData('a number in it is malformed');
  return size;
}

function padding(size: number): number {
  return (tarBlockBytes - (size % tarBlockBytes)) % tarBlockBytes;
}

function timeOf(header: TarHeader, pax: ReadonlyMap<string, string>): { readonly modified?: number } {
  const modified = Number(pax.get('mtime') ?? header.modified);
  return Number.isFinite(modified) && modified > 0 ? { modified } : {};
}

function whyNot(
  header: TarHeader,
  pax: ReadonlyMap<string, string>,
): { readonly fault?: string; readonly unread?: string } {
  const fault = faults[header.type];
  if (fault !== undefined) return { fault };
  if (
    header.type === 'S' ||
    pax.has('GNU.sparse.major') ||
    pax.has('GNU.sparse.map') ||
    pax.has('GNU.sparse.size')
  )
    return { unread: 'it is a sparse file' };
  return header.type === '0' || header.type === '7'
    ? {}
    : { unread: `it is of the unknown kind ${JSON.stringify(header.type)}` };
}
