import { bzip2 } from './bzip2.ts';
import { coalesced } from './coalesced.ts';
import { gunzip, inflateRaw } from './deflate.ts';
import { lzip, lzmaAlone, lzmaStream } from './lzip.ts';
import { lzw } from './lzw.ts';
import { xz } from './xz.ts';
import { zstd } from './zstd.ts';

/** The compressions that are read: the word is the tool that makes it, `compress` for `.Z`. */
export type Compression = 'gzip' | 'bzip2' | 'xz' | 'lzip' | 'lzma' | 'zstd' | 'compress' | 'deflate';

/**
 * The pieces that `bytes` unpacks to, none of them empty and few of them small.
 * @throws CorruptData or UnreadVariant, after what could be read
 */
export function decompress(
  compression: Compression,
  bytes: Uint8Array,
  maxWindowBytes: number,
): AsyncIterable<Uint8Array> {
  return coalesced(decoder(compression, bytes, maxWindowBytes));
}

function decoder(
  compression: Compression,
  bytes: Uint8Array,
  maxWindowBytes: number,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  switch (compression) {
    case 'gzip':
      return gunzip(bytes);
    case 'deflate':
      return inflateRaw(bytes);
    case 'bzip2':
      return bzip2(bytes);
    case 'xz':
      return xz(bytes, maxWindowBytes);
    case 'lzip':
      return lzip(bytes, maxWindowBytes);
    case 'lzma':
      return lzmaAlone(bytes, maxWindowBytes);
    case 'zstd':
      return zstd(bytes, maxWindowBytes);
    case 'compress':
      return lzw(bytes);
  }
}

/**
 * Unpack the LZMA of a zip member: two bytes of version, two of the size of the properties, the properties, then a
 * stream (APPNOTE 5.8). @throws CorruptData
 */
export function* zipLzma(bytes: Uint8Array, size: number, maxWindowBytes: number): Generator<Uint8Array> {
  const properties = bytes[4] ?? 255;
  const windowBytes =
    ((bytes[5] ?? 0) | ((bytes[6] ?? 0) << 8) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 24)) >>> 0;
  yield* lzmaStream(bytes, 9, properties, windowBytes, maxWindowBytes, size);
}
