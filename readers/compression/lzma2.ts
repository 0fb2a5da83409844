import { CorruptData, cutShort } from './corrupt-data.ts';
import { LzmaDecoder, lzmaProperties } from './lzma-decoder.ts';
import { RangeDecoder } from './lzma-range.ts';
import { SlidingWindow } from './sliding-window.ts';

const outputBytes = 64 * 1024;

/**
 * Unpack LZMA2, the chunked form of LZMA in xz, from `start` of `bytes`.
 * @returns the offset behind its end mark
 * @throws CorruptData, after all bytes before the fault
 */
export function* lzma2(
  bytes: Uint8Array,
  start: number,
  windowBytes: number,
  maxWindowBytes: number,
): Generator<Uint8Array, number> {
  const window = new SlidingWindow(windowBytes, maxWindowBytes);
  const chunks = new ChunkDecoder(bytes, start, window);
  let more = true;
  while (more) {
    try {
      // Chunks may be as small as a byte; their bytes are handed on together.
      while (more && window.fresh < outputBytes && window.room > 0) more = chunks.step();
    } catch (error) {
      yield window.take();
      throw error;
    }
    yield window.take();
  }
  return chunks.at;
}

class ChunkDecoder {
  readonly #bytes: Uint8Array;
  readonly #window: SlidingWindow;
  readonly #range: RangeDecoder;
  readonly #decoder: LzmaDecoder;
  /** The start of the next chunk, or the rest of an uncompressed one. */
  at: number;
  #end = 0;
  #left = 0;
  #plain = false;
  #needsWindow = true;
  #needsProperties = true;

  constructor(bytes: Uint8Array, start: number, window: SlidingWindow) {
    this.#bytes = bytes;
    this.at = start;
    this.#window = window;
    this.#range = new RangeDecoder(bytes);
    this.#decoder = new LzmaDecoder(this.#range, window);
  }

  /** Go on a little, within the window's room; false at the end mark. */
  step(): boolean {
    if (this.#left === 0) return this.#begin();
    const max = Math.min(this.#left, this.#window.room, outputBytes);
    if (this.#plain) {
      const part = this.#bytes.subarray(this.at, this.at + max);
      if (part.length === 0) throw new CorruptData(cutShort);
      this.#window.copy(part);
      this.#decoder.skip(part.length);
      this.at += part.length;
      this.#left -= part.length;
      return true;
    }
    const { written, ended } = this.#decoder.decode(max);
    if (ended) throw new CorruptData('a part of it ends before its time');
    this.#left -= written;
    if (this.#left > 0) return true;
    if (this.#decoder.pending || this.#range.at !== this.#end || !this.#range.finished)
      throw new CorruptData('a part of it does not end where it should');
    this.at = this.#end;
    return true;
  }

  #begin(): boolean {
    const { at } = this;
    const control = this.#bytes[at];
    if (control === undefined) throw new CorruptData(cutShort);
    if (control === 0) {
      this.at = at + 1;
      return false;
    }
    if (control === 1 || control >= 0xe0) {
      this.#needsWindow = false;
      this.#window.reset();
      this.#decoder.restartPosition();
    }
    if (this.#needsWindow || (control > 2 && control < 0x80))
      throw new CorruptData('a part of it is of an unknown kind');
    this.#plain = control < 0x80;
    const headerEnd = at + (this.#plain ? 3 : control >= 0xc0 ? 6 : 5);
    if (headerEnd > this.#bytes.length) throw new CorruptData(cutShort);
    this.#left = ((this.#plain ? 0 : control & 0x1f) << 16) + (big16(this.#bytes, at + 1) + 1);
    this.at = headerEnd;
    if (this.#plain) return true;
    this.#end = headerEnd + big16(this.#bytes, at + 3) + 1;
    if (control >= 0xc0) {
      this.#decoder.reset(lzmaProperties(this.#bytes[headerEnd - 1] as number));
      this.#needsProperties = false;
    } else if (this.#needsProperties) throw new CorruptData('a part of it comes without its properties');
    else if (control >= 0xa0) this.#decoder.reset();
    this.#range.start(headerEnd, this.#end);
    return true;
  }
}

function big16(bytes: Uint8Array, at: number): number {
  return ((bytes[at] ?? 0) << 8) | (bytes[at + 1] ?? 0);
}
