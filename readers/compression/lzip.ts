import { crc32 } from 'node:zlib';
import { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';
import { LzmaDecoder, lzmaProperties } from './lzma-decoder.ts';
import { RangeDecoder } from './lzma-range.ts';
import { SlidingWindow } from './sliding-window.ts';

const outputBytes = 64 * 1024;
const lzipHeaderBytes = 6;
const lzipTrailerBytes = 20;
const lzmaHeaderBytes = 13;
// The properties that lzip always has: 3 literal context bits, 0 literal position bits, 2 position bits.
const lzipProperties = 93;

/** Unpack lzip: all members, each verified. @throws CorruptData, after all bytes before the fault */
export function* lzip(bytes: Uint8Array, maxWindowBytes: number): Generator<Uint8Array> {
  let at = 0;
  while (at === 0 || isLzip(bytes, at)) {
    if (!isLzip(bytes, at)) throw new CorruptData('it does not begin as lzip does');
    if (bytes[at + 4] !== 1) throw new UnreadVariant(`it is of version ${bytes[at + 4] ?? 'none'} of lzip`);
    const code = bytes[at + 5] ?? 0;
    const base = 2 ** (code & 31);
    const windowBytes = base - (base / 16) * (code >> 5);
    let crc = 0;
    const chunks = lzmaStream(bytes, at + lzipHeaderBytes, lzipProperties, windowBytes, maxWindowBytes);
    let step = chunks.next();
    for (; step.done !== true; step = chunks.next()) {
      crc = crc32(step.value, crc);
      yield step.value;
    }
    if (step.value + lzipTrailerBytes > bytes.length) throw new CorruptData(cutShort);
    const trailer = new DataView(bytes.buffer, bytes.byteOffset + step.value, lzipTrailerBytes);
    if (trailer.getUint32(0, true) !== crc >>> 0) throw new CorruptData('its checksum is wrong');
    at = step.value + lzipTrailerBytes;
  }
}

/** Unpack the old .lzma format, which has neither mark nor checksum. @throws CorruptData */
export function* lzmaAlone(bytes: Uint8Array, maxWindowBytes: number): Generator<Uint8Array> {
  if (bytes.length < lzmaHeaderBytes) throw new CorruptData(cutShort);
  const view = new DataView(bytes.buffer, bytes.byteOffset, lzmaHeaderBytes);
  const size = view.getBigUint64(5, true);
  yield* lzmaStream(
    bytes,
    lzmaHeaderBytes,
    view.getUint8(0),
    view.getUint32(1, true),
    maxWindowBytes,
    size === 0xffffffffffffffffn ? undefined : Number(size),
  );
}

/** Unpack bare LZMA from `start` to its end mark or until `size` bytes. @returns where it ends */
export function* lzmaStream(
  bytes: Uint8Array,
  start: number,
  properties: number,
  windowBytes: number,
  maxWindowBytes: number,
  size = Number.POSITIVE_INFINITY,
): Generator<Uint8Array, number> {
  const window = new SlidingWindow(windowBytes, maxWindowBytes);
  const range = new RangeDecoder(bytes);
  const decoder = new LzmaDecoder(range, window);
  decoder.reset(lzmaProperties(properties));
  range.start(start, bytes.length);
  let left = size;
  while (left > 0) {
    try {
      const { written, ended } = decoder.decode(Math.min(left, window.room, outputBytes));
      left -= written;
      if (ended) break;
    } catch (error) {
      yield window.take();
      throw error;
    }
    yield window.take();
  }
  const rest = window.take();
  if (rest.length > 0) yield rest;
  if (Number.isFinite(size) && left > 0) throw new CorruptData(cutShort);
  return range.at;
}

function isLzip(bytes: Uint8Array, at: number): boolean {
  return bytes[at] === 0x4c && bytes[at + 1] === 0x5a && bytes[at + 2] === 0x49 && bytes[at + 3] === 0x50;
}
