import { bzip2 } from './bzip2.ts';
import { gunzip, inflateRaw } from './deflate.ts';
import { lzip, lzmaAlone, lzmaStream } from './lzip.ts';
import { uncompress } from './lzw.ts';
import { xz } from './xz.ts';
import { zstd } from './zstd.ts';

const pieceBytes = 64 * 1024;
const smallBytes = 4096;

/** The same bytes in larger pieces: pieces of one byte would take a hundred times their size in memory. */
export async function* coalesced(
  pieces: AsyncIterable<Uint8Array> | Iterable<Uint8Array>,
): AsyncGenerator<Uint8Array> {
  let held: Uint8Array = new Uint8Array(0);
  let filled = 0;
  let fault: { readonly error: unknown } | undefined;
  try {
    for await (const piece of pieces) {
      const small = piece.length < smallBytes;
      if (filled > 0 && (!small || filled + piece.length > pieceBytes)) {
        yield held.subarray(0, filled);
        filled = 0;
      }
      if (!small) yield piece;
      else if (filled === 0) {
        // Usually it stays the only piece.
        held = piece;
        filled = piece.length;
      } else {
        if (held.length < pieceBytes) held = grown(held.subarray(0, filled));
        held.set(piece, filled);
        filled += piece.length;
      }
    }
  } catch (error) {
    fault = { error };
  }
  if (filled > 0) yield held.subarray(0, filled);
  if (fault !== undefined) throw fault.error;
}

// Larger than any small piece, so it is never mistaken for a caller's array.
function grown(start: Uint8Array): Uint8Array {
  const bytes = new Uint8Array(pieceBytes);
  bytes.set(start);
  return bytes;
}

/** The compressions that are read: the word is the tool that makes it, `compress` for `.Z`. */
export type Compression = 'gzip' | 'bzip2' | 'xz' | 'lzip' | 'lzma' | 'zstd' | 'compress' | 'deflate';

/** The unpacked pieces, none empty. @throws CorruptData or UnreadVariant, after all readable bytes */
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
      return uncompress(bytes);
  }
}

/** Unpack the LZMA of a zip member (APPNOTE 5.8). @throws CorruptData */
export function* zipLzma(bytes: Uint8Array, size: number, maxWindowBytes: number): Generator<Uint8Array> {
  const properties = bytes[4] ?? 255;
  const windowBytes =
    ((bytes[5] ?? 0) | ((bytes[6] ?? 0) << 8) | ((bytes[7] ?? 0) << 16) | ((bytes[8] ?? 0) << 24)) >>> 0;
  yield* lzmaStream(bytes, 9, properties, windowBytes, maxWindowBytes, size);
}
