import { CorruptData, cutShort, decompress } from '../compression/index.ts';

const leadBytes = 96;
const headerStartBytes = 16;
const entryBytes = 16;
const maxEntries = 65_536;
const maxStoreBytes = 64 * 1024 * 1024;
const maxWord = 64;
const textType = 6;
// Tags of the two header fields that are read.
const payloadFormatTag = 1124;
const payloadCompressorTag = 1125;

/** An rpm package's description of its payload. */
interface RpmHeader {
  readonly format: string;
  readonly compressor: string;
  /** The offset behind the header. */
  readonly end: number;
}

/** The cpio archive in an rpm package (format 3 and 4). @throws CorruptData, or what the decoder throws */
export function rpmPayload(
  bytes: Uint8Array,
  maxWindowBytes: number,
): AsyncIterable<Uint8Array> | Iterable<Uint8Array> {
  const signature = headerAt(bytes, leadBytes);
  // The signature header is padded to eight bytes, the main one is not.
  const header = headerAt(bytes, signature.end + ((8 - (signature.end % 8)) % 8));
  if (header.format !== 'cpio') throw new CorruptData(`its payload is of the kind ${header.format}`);
  const payload = bytes.subarray(header.end);
  // A payload that is not compressed has no header field for it.
  if (Buffer.from(payload.subarray(0, 4)).toString('latin1') === '0707') return [payload];
  switch (header.compressor) {
    case 'gzip':
    case 'bzip2':
    case 'xz':
    case 'lzma':
    case 'zstd':
      return decompress(header.compressor, payload, maxWindowBytes);
    default:
      throw new CorruptData(`its payload is compressed with ${header.compressor}`);
  }
}

function headerAt(bytes: Uint8Array, start: number): RpmHeader {
  if (start + headerStartBytes > bytes.length) throw new CorruptData(cutShort);
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
  if (view.getUint32(start) !== 0x8eade801) throw new CorruptData('a header of the package is malformed');
  const count = view.getUint32(start + 8);
  const storeBytes = view.getUint32(start + 12);
  if (count > maxEntries || storeBytes > maxStoreBytes)
    throw new CorruptData('a header of the package is too large or empty');
  const store = start + headerStartBytes + count * entryBytes;
  const end = store + storeBytes;
  if (end > bytes.length) throw new CorruptData(cutShort);
  const words = new Map<number, string>();
  for (let index = 0; index < count; index++) {
    const entry = start + headerStartBytes + index * entryBytes;
    const tag = view.getUint32(entry);
    const wanted = tag === payloadFormatTag || tag === payloadCompressorTag;
    if (wanted && view.getUint32(entry + 4) === textType)
      words.set(tag, wordAt(bytes, store + view.getUint32(entry + 8), end));
  }
  return {
    format: words.get(payloadFormatTag) ?? 'cpio',
    compressor: words.get(payloadCompressorTag) ?? 'gzip',
    end,
  };
}

function wordAt(bytes: Uint8Array, at: number, end: number): string {
  const stretch = bytes.subarray(at, Math.max(at, Math.min(end, at + maxWord)));
  const zero = stretch.indexOf(0);
  return Buffer.from(zero < 0 ? stretch : stretch.subarray(0, zero)).toString('latin1');
}
