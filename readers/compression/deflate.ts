import { Readable } from 'node:stream';
import { crc32, createInflateRaw, gunzipSync, inflateRawSync } from 'node:zlib';
import { CorruptData, cutShort } from './corrupt-data.ts';

const pieceBytes = 64 * 1024;
const smallBytes = 256 * 1024;
// The output of a slice with a fault is lost, so a small damaged document is cut finely.
const fineSlice = 256;
const trailerBytes = 8;
// Each member costs a stream; block-wise gzip has one for 64 KiB.
const maxMembers = 10_000;

/** Unpack gzip (RFC 1952), each member verified. @throws CorruptData, after all that could be read */
export async function* gunzip(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const small = smallResult(bytes, gunzipSync);
  if (small !== undefined) {
    if (small.length > 0) yield small;
    return;
  }
  let at = 0;
  let members = 0;
  do {
    if (++members > maxMembers) throw new CorruptData(`it is made of more than ${maxMembers} parts`);
    const start = contentStart(bytes, at);
    let crc = 0;
    const pieces = inflated(bytes.subarray(start));
    let taken = 0;
    try {
      for (let step = await pieces.next(); ; step = await pieces.next()) {
        taken = step.done === true ? step.value : 0;
        if (step.done === true) break;
        crc = crc32(step.value, crc);
        yield step.value;
      }
    } finally {
      // A caller that stops early leaves no stream open.
      await pieces.return(0);
    }
    at = start + taken + trailerBytes;
    if (at > bytes.length) throw new CorruptData(cutShort);
    const stored = new DataView(bytes.buffer, bytes.byteOffset + at - trailerBytes, 4).getUint32(0, true);
    if (stored !== crc >>> 0) throw new CorruptData('its checksum is wrong');
  } while (isMember(bytes, at));
}

/** Unpack a raw deflate stream (RFC 1951). @throws CorruptData */
export async function* inflateRaw(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  const small = smallResult(bytes, inflateRawSync);
  if (small === undefined) yield* inflated(bytes);
  else if (small.length > 0) yield small;
}

// A stream costs a hundred times as much as a small document, and most packed documents are small.
function smallResult(
  bytes: Uint8Array,
  unpack: (bytes: Uint8Array, options: { maxOutputLength: number }) => Uint8Array,
): Uint8Array | undefined {
  if (bytes.length > smallBytes) return undefined;
  try {
    return unpack(bytes, { maxOutputLength: smallBytes });
  } catch {
    // Large or damaged: the stream yields the readable part and reports the fault.
    return undefined;
  }
}

function isMember(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x1f && bytes[at + 1] === 0x8b && bytes[at + 2] === 8;
}

// Behind the header of the member at `at`: ten bytes, then the fields that its flags announce.
function contentStart(bytes: Uint8Array, at: number): number {
  if (!isMember(bytes, at)) throw new CorruptData('it does not begin as gzip does');
  const flags = bytes[at + 3] ?? 0;
  let start = at + 10;
  if ((flags & 0x04) !== 0) start += 2 + ((bytes[start] ?? 0) | ((bytes[start + 1] ?? 0) << 8));
  for (const flag of [0x08, 0x10]) {
    if ((flags & flag) === 0) continue;
    const zero = bytes.indexOf(0, start);
    if (zero < 0) throw new CorruptData(cutShort);
    start = zero + 1;
  }
  if ((flags & 0x02) !== 0) start += 2;
  if (start >= bytes.length) throw new CorruptData(cutShort);
  return start;
}

// Returns the number of bytes that the stream consumed.
async function* inflated(bytes: Uint8Array): AsyncGenerator<Uint8Array, number> {
  const unpacker = createInflateRaw({ chunkSize: pieceBytes });
  const source = Readable.from(slices(bytes, bytes.length <= smallBytes ? fineSlice : pieceBytes), {
    objectMode: true,
    highWaterMark: 1,
  });
  try {
    for await (const piece of source.pipe(unpacker)) yield piece as Uint8Array;
    return unpacker.bytesWritten;
  } catch (error) {
    throw corruption(error);
  } finally {
    source.destroy();
    unpacker.destroy();
  }
}

function* slices(bytes: Uint8Array, length: number): Generator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length);
}

function corruption(error: unknown): unknown {
  if (!(error instanceof Error) || !('code' in error)) return error;
  const { code } = error;
  if (code === 'Z_BUF_ERROR') return new CorruptData(cutShort);
  return typeof code === 'string' && code.startsWith('Z_')
    ? new CorruptData(`its compressed data is damaged (${error.message})`)
    : error;
}
