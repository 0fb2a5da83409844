import type { FileHandle } from 'node:fs/promises';
import { crc32c, masked } from './crc32c.ts';
import { unsnap } from './snappy.ts';

// A table of LevelDB (doc/table_format.md): blocks, each with a type and a CRC behind it; an index block with their
// places; a footer with the place of the index. LevelDB itself does not compare the CRCs when it reads.

const footerBytes = 48;
const trailerBytes = 5;
const magic = Buffer.from([0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]);
/** Max size of a block as written here; a larger length is damage. */
const maxBlockBytes = 64 * 1024 * 1024;

interface BlockPlace {
  readonly offset: number;
  readonly size: number;
}

/** An unsigned number of seven bits to a byte, and where it ends; undefined when there is none. */
function varint(bytes: Uint8Array, from: number): readonly [number, number] | undefined {
  let value = 0;
  for (let at = from, scale = 1; at < bytes.length && scale < 2 ** 50; at++, scale *= 128) {
    const byte = bytes[at] as number;
    value += (byte & 0x7f) * scale;
    if (byte < 0x80) return [value, at + 1];
  }
  return undefined;
}

function placeAt(bytes: Uint8Array, from: number): readonly [BlockPlace, number] | undefined {
  const offset = varint(bytes, from);
  const size = offset && varint(bytes, offset[1]);
  return offset && size && [{ offset: offset[0], size: size[0] }, size[1]];
}

/** A block with a correct CRC, unpacked when `unpack`; undefined when it is damaged. */
async function readBlock(
  file: FileHandle,
  fileBytes: number,
  { offset, size }: BlockPlace,
  unpack: boolean,
): Promise<Uint8Array | undefined> {
  if (size > maxBlockBytes || offset + size + trailerBytes > fileBytes) return undefined;
  const bytes = Buffer.alloc(size + trailerBytes);
  await file.read(bytes, 0, bytes.length, offset);
  if (masked(crc32c(bytes.subarray(0, size + 1))) !== bytes.readUInt32LE(size + 1)) return undefined;
  const block = bytes.subarray(0, size);
  return unpack && bytes[size] === 1 ? unsnap(block, maxBlockBytes) : block;
}

/** The places of blocks in an index block; undefined when it cannot be read. */
function placesIn(index: Uint8Array): readonly BlockPlace[] | undefined {
  const view = Buffer.from(index.buffer, index.byteOffset, index.byteLength);
  if (view.length < 4) return undefined;
  const end = view.length - 4 - 4 * view.readUInt32LE(view.length - 4);
  const places: BlockPlace[] = [];
  for (let at = 0; at < end; ) {
    const shared = varint(view, at);
    const own = shared && varint(view, shared[1]);
    const length = own && varint(view, own[1]);
    if (!own || !length) return undefined;
    const from = length[1] + own[0];
    const place = placeAt(view, from);
    if (place === undefined || place[1] > from + length[0]) return undefined;
    places.push(place[0]);
    at = from + length[0];
  }
  return end < 0 ? undefined : places;
}

/** Read a table from its end to its first block. Yields the bytes read so far; resolves to whether it is whole. */
export async function* checkTable(file: FileHandle): AsyncGenerator<number, boolean, undefined> {
  const { size } = await file.stat();
  if (size < footerBytes) return false;
  const footer = Buffer.alloc(footerBytes);
  await file.read(footer, 0, footerBytes, size - footerBytes);
  if (!footer.subarray(40).equals(magic)) return false;
  const meta = placeAt(footer, 0);
  const index = meta && placeAt(footer, meta[1]);
  if (!meta || !index) return false;
  const block = await readBlock(file, size, index[0], true);
  const places = block && placesIn(block);
  if (places === undefined) return false;
  let read = 0;
  for (const place of [meta[0], ...places]) {
    if ((await readBlock(file, size, place, false)) === undefined) return false;
    read += place.size + trailerBytes;
    yield read;
  }
  return true;
}
