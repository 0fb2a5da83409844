import { promisify } from 'node:util';
import { crc32, inflateRaw, inflateRawSync } from 'node:zlib';
import { CorruptData, decompress, UnreadVariant, zipLzma } from '../compression/index.ts';
import { gathered, TooLarge } from './archive-entry.ts';

/** A zip entry's packed bytes and the archive's claims about them. */
export interface PackedEntry {
  /** The compression method's number (APPNOTE 4.4.5). */
  readonly method: number;
  readonly bytes: Uint8Array;
  /** Bytes when unpacked; may be a lie. */
  readonly size: number;
  readonly crc: number;
}

const smallBytes = 256 * 1024;
const otherSize = 'it has another size than the archive says';
const inflateAside = promisify<Uint8Array, { maxOutputLength: number }, Buffer>(inflateRaw);

/** A zip entry unpacked and verified. @throws CorruptData, UnreadVariant, or TooLarge beyond `max` bytes */
export async function zipContent(
  packed: PackedEntry,
  max: number,
  maxWindowBytes: number,
): Promise<Uint8Array> {
  if (packed.size > max) throw new TooLarge(max);
  const content = await unpacked(packed, maxWindowBytes);
  if (content.length !== packed.size) throw new CorruptData(otherSize);
  if (crc32(content) !== packed.crc >>> 0) throw new CorruptData('its checksum is wrong');
  return content;
}

async function unpacked(packed: PackedEntry, maxWindowBytes: number): Promise<Uint8Array> {
  const { bytes, method, size } = packed;
  switch (method) {
    case 0:
      return bytes;
    case 8:
      return inflated(bytes, size);
    case 12:
      return promised(decompress('bzip2', bytes, maxWindowBytes), size);
    case 14:
      return promised(zipLzma(bytes, size, maxWindowBytes), size);
    case 93:
      return promised(decompress('zstd', bytes, maxWindowBytes), size);
    case 95:
      return promised(decompress('xz', bytes, maxWindowBytes), size);
    default:
      throw new UnreadVariant(`it is packed by method ${method} of zip`);
  }
}

// The claimed size was charged before; further bytes are not read.
async function promised(
  chunks: Iterable<Uint8Array> | AsyncIterable<Uint8Array>,
  size: number,
): Promise<Uint8Array> {
  try {
    return await gathered(chunks, size);
  } catch (error) {
    throw error instanceof TooLarge ? new CorruptData(otherSize) : error;
  }
}

async function inflated(bytes: Uint8Array, size: number): Promise<Uint8Array> {
  // One byte more than claimed is enough to detect a wrong size.
  const options = { maxOutputLength: size + 1 };
  try {
    return size <= smallBytes && bytes.length <= smallBytes
      ? inflateRawSync(bytes, options)
      : await inflateAside(bytes, options);
  } catch (error) {
    if (error instanceof RangeError) throw new CorruptData(otherSize);
    throw new CorruptData('its compressed data is damaged');
  }
}
