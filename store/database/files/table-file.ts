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

/** The entries of a block in their order; undefined when it cannot be read. */
function entriesIn(bytes: Uint8Array): readonly (readonly [Buffer, Buffer])[] | undefined {
  const view = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.length < 4) return undefined;
  const end = view.length - 4 - 4 * view.readUInt32LE(view.length - 4);
  if (end < 0) return undefined;
  const entries: (readonly [Buffer, Buffer])[] = [];
  let before: Buffer = Buffer.alloc(0);
  for (let at = 0; at < end; ) {
    const shared = varint(view, at);
    const own = shared && varint(view, shared[1]);
    const length = own && varint(view, own[1]);
    if (!shared || !own || !length || shared[0] > before.length) return undefined;
    const from = length[1] + own[0];
    if (from + length[0] > end) return undefined;
    const key = Buffer.concat([before.subarray(0, shared[0]), view.subarray(length[1], from)]);
    entries.push([key, view.subarray(from, from + length[0])]);
    before = key;
    at = from + length[0];
  }
  return entries;
}

/** The places of a table's blocks: those of its entries, and that of its meta index; undefined when it has none. */
async function blocksOf(
  file: FileHandle,
  size: number,
): Promise<{ readonly blocks: readonly BlockPlace[]; readonly meta: BlockPlace } | undefined> {
  if (size < footerBytes) return undefined;
  const footer = Buffer.alloc(footerBytes);
  await file.read(footer, 0, footerBytes, size - footerBytes);
  if (!footer.subarray(40).equals(magic)) return undefined;
  const meta = placeAt(footer, 0);
  const index = meta && placeAt(footer, meta[1]);
  if (!meta || !index) return undefined;
  const block = await readBlock(file, size, index[0], true);
  const entries = block && entriesIn(block);
  const blocks: BlockPlace[] = [];
  for (const [, value] of entries ?? []) {
    const place = placeAt(value, 0);
    if (place === undefined) return undefined;
    blocks.push(place[0]);
  }
  return entries && { blocks, meta: meta[0] };
}

/** Read a table to its last block. Yields the bytes read so far; resolves to whether it is whole. */
export async function* checkTable(file: FileHandle): AsyncGenerator<number, boolean, undefined> {
  const { size } = await file.stat();
  const found = await blocksOf(file, size);
  if (found === undefined) return false;
  let read = 0;
  for (const place of [found.meta, ...found.blocks]) {
    if ((await readBlock(file, size, place, false)) === undefined) return false;
    read += place.size + trailerBytes;
    yield read;
  }
  return true;
}

/** Whether a table is whole, read without a pause. */
export async function isWholeTable(file: FileHandle): Promise<boolean> {
  const checking = checkTable(file);
  for (;;) {
    const { done, value } = await checking.next();
    if (done === true) return value;
  }
}

/** The entries of every whole block of a table, block by block; the keys are LevelDB's, with eight bytes behind the own. */
export async function* tableEntries(
  file: FileHandle,
): AsyncGenerator<readonly (readonly [Buffer, Buffer])[]> {
  const { size } = await file.stat();
  for (const place of (await blocksOf(file, size))?.blocks ?? []) {
    const block = await readBlock(file, size, place, true);
    yield (block && entriesIn(block)) ?? [];
  }
}
