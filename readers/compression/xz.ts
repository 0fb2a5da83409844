import { createHash } from 'node:crypto';
import { crc32 } from 'node:zlib';
import { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';
import { Crc64 } from './crc64.ts';
import { lzma2 } from './lzma2.ts';

const streamHeaderBytes = 12;
const lzma2Filter = 0x21;

/** Unpack xz 1.2, verified; only LZMA2. @throws CorruptData or UnreadVariant, after all before the fault */
export function* xz(bytes: Uint8Array, maxWindowBytes: number): Generator<Uint8Array> {
  let at = 0;
  for (let streams = 0; ; streams++) {
    if (streams > 0) {
      while (at < bytes.length && bytes[at] === 0) at++;
      // Bytes behind a complete stream that do not begin another are ignored, as in gzip.
      if (!isStream(bytes, at)) return;
    }
    if (!isStream(bytes, at)) throw new CorruptData('it does not begin as xz does');
    if (at + streamHeaderBytes > bytes.length) throw new CorruptData(cutShort);
    checkCrc(bytes, at + 6, at + 8);
    const checkKind = (bytes[at + 7] as number) & 0x0f;
    at += streamHeaderBytes;
    while (true) {
      const indicator = bytes[at];
      if (indicator === undefined) throw new CorruptData(cutShort);
      if (indicator === 0) break;
      at = yield* block(bytes, at, checkKind, maxWindowBytes);
    }
    at = indexEnd(bytes, at) + streamHeaderBytes;
    if (at > bytes.length) throw new CorruptData(cutShort);
  }
}

function isStream(bytes: Uint8Array, at: number): boolean {
  return [0xfd, 0x37, 0x7a, 0x58, 0x5a, 0x00].every((byte, index) => bytes[at + index] === byte);
}

function* block(
  bytes: Uint8Array,
  start: number,
  checkKind: number,
  maxWindowBytes: number,
): Generator<Uint8Array, number> {
  const headerEnd = start + ((bytes[start] as number) + 1) * 4;
  if (headerEnd > bytes.length) throw new CorruptData(cutShort);
  checkCrc(bytes, start, headerEnd - 4);
  const flags = bytes[start + 1] as number;
  const reader = new NumberReader(bytes, start + 2, headerEnd - 4);
  if ((flags & 0x40) !== 0) reader.next();
  if ((flags & 0x80) !== 0) reader.next();
  if ((flags & 3) !== 0) throw new UnreadVariant('it has a filter for programs before its compression');
  if (reader.next() !== lzma2Filter || reader.next() !== 1)
    throw new UnreadVariant('it is compressed in another way than LZMA2');
  const windowBytes = windowOf(reader.byte());

  const check = contentCheck(checkKind);
  const chunks = lzma2(bytes, headerEnd, windowBytes, maxWindowBytes);
  let step = chunks.next();
  for (; step.done !== true; step = chunks.next()) {
    check.add(step.value);
    yield step.value;
  }
  let at = step.value;
  for (; (at - start) % 4 !== 0; at++)
    if (bytes[at] !== 0) throw new CorruptData('a block in it does not end where it should');
  const expected = bytes.subarray(at, at + check.length);
  if (expected.length < check.length) throw new CorruptData(cutShort);
  const actual = check.digest();
  if (actual !== undefined && !expected.every((byte, index) => byte === actual[index]))
    throw new CorruptData('a checksum in it is wrong');
  return at + check.length;
}

// The window's size as one byte: two or three shifted, and 4 GiB less one at the top.
function windowOf(byte: number): number {
  if (byte > 40) throw new CorruptData('its properties are out of range');
  return byte === 40 ? 2 ** 32 - 1 : (2 | (byte & 1)) * 2 ** ((byte >> 1) + 11);
}

interface ContentCheck {
  readonly length: number;
  add(bytes: Uint8Array): void;
  /** Undefined for an unknown kind of check, which is skipped. */
  digest(): Uint8Array | undefined;
}

function contentCheck(kind: number): ContentCheck {
  if (kind === 1) {
    let crc = 0;
    return {
      length: 4,
      add: (bytes) => {
        crc = crc32(bytes, crc);
      },
      digest: () => little32(crc),
    };
  }
  if (kind === 4) {
    const crc = new Crc64();
    return { length: 8, add: (bytes) => crc.add(bytes), digest: () => crc.digest() };
  }
  if (kind === 10) {
    const hash = createHash('sha256');
    return { length: 32, add: (bytes) => hash.update(bytes), digest: () => hash.digest() };
  }
  const length = kind === 0 ? 0 : 4 * 2 ** Math.floor((kind - 1) / 3);
  return { length, add: () => {}, digest: () => undefined };
}

// The index repeats the sizes of the blocks, which were already read.
function indexEnd(bytes: Uint8Array, start: number): number {
  const reader = new NumberReader(bytes, start + 1, bytes.length);
  const records = reader.next();
  for (let record = 0; record < records; record++) {
    reader.next();
    reader.next();
  }
  let at = reader.at;
  while ((at - start) % 4 !== 0) at++;
  checkCrc(bytes, start, at);
  return at + 4;
}

class NumberReader {
  readonly #bytes: Uint8Array;
  readonly #end: number;
  at: number;

  constructor(bytes: Uint8Array, at: number, end: number) {
    this.#bytes = bytes;
    this.at = at;
    this.#end = end;
  }

  byte(): number {
    const byte = this.#bytes[this.at];
    if (byte === undefined || this.at >= this.#end) throw new CorruptData(cutShort);
    this.at++;
    return byte;
  }

  /** A number of up to nine bytes with seven bits each, least significant first. */
  next(): number {
    let value = 0;
    for (let index = 0; index < 9; index++) {
      const byte = this.byte();
      value += (byte & 0x7f) * 2 ** (7 * index);
      if (byte < 0x80) return value;
    }
    throw new CorruptData('a number in it is too large');
  }
}

function checkCrc(bytes: Uint8Array, from: number, to: number): void {
  if (to + 4 > bytes.length) throw new CorruptData(cutShort);
  const expected = little32(crc32(bytes.subarray(from, to)));
  if (!expected.every((byte, index) => byte === bytes[to + index]))
    throw new CorruptData('a checksum in its headers is wrong');
}

function little32(value: number): Uint8Array {
  return Uint8Array.of(value & 255, (value >>> 8) & 255, (value >>> 16) & 255, value >>> 24);
}
