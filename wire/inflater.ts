import { createRequire } from 'node:module';
import { constants, createInflateRaw, type InflateRaw } from 'node:zlib';
import { failure } from '../kernel/index.ts';
import { flushTail } from './deflater.ts';
import { wireErrors } from './errors.ts';

/** One direction's decompression; payloads must come in the order in which they were compressed. */
export interface Inflater {
  /** Decompressed bytes so far, those of refused frames included. */
  readonly produced: number;
  /** Exactly `length` bytes. Stops soon after them with WIRE_TOO_LARGE; throws WIRE_FRAME for bad input. */
  inflate(input: Uint8Array, length: number): Uint8Array | Promise<Uint8Array>;
  close(): void;
}

/** Deflate yields at most 1,032 bytes from one (RFC 1951: 258 bytes from two bits). */
const maxExpansion = 1032;

/** How far one step may run past the declared length. Larger is faster: 64 KiB reads text at 200 MB/s. */
export const inflateSlackBytes = 64 * 1024;

const tooLarge = (length: number) =>
  failure(wireErrors.WIRE_TOO_LARGE, { what: 'The decompressed frame', limit: length });
const broken = (reason: string, cause?: unknown) => failure(wireErrors.WIRE_FRAME, { reason }, cause);

/** The part of zlib-sync that is used here. */
interface SyncInflate {
  push(input: Uint8Array, flush: number): void;
  readonly err: number;
  readonly result: Uint8Array | null;
}
interface ZlibSync {
  readonly Inflate: new (options: { chunkSize: number; windowBits: number }) => SyncInflate;
}

function loadZlibSync(): ZlibSync | undefined {
  try {
    return createRequire(import.meta.url)('zlib-sync') as ZlibSync;
  } catch {
    return undefined;
  }
}

const zlibSync = loadZlibSync();

class SyncInflater implements Inflater {
  readonly #inflate: SyncInflate;
  #produced = 0;

  constructor(library: ZlibSync) {
    this.#inflate = new library.Inflate({ chunkSize: 64 * 1024, windowBits: -15 });
  }

  get produced(): number {
    return this.#produced;
  }

  inflate(input: Uint8Array, length: number): Uint8Array {
    const output = new Uint8Array(length);
    let filled = 0;
    const feed = (slice: Uint8Array): number => {
      const made = this.#step(slice);
      if (made === undefined) return 0;
      this.#produced += made.length;
      if (filled + made.length > length) throw tooLarge(length);
      output.set(made, filled);
      filled += made.length;
      return made.length;
    };
    const view = Buffer.from(input.buffer, input.byteOffset, input.byteLength);
    for (let at = 0; at < view.length; ) {
      // No slice can yield more than the remaining length and the slack.
      const size = Math.floor((length - filled + inflateSlackBytes) / maxExpansion);
      feed(view.subarray(at, at + size));
      at += size;
    }
    feed(flushTail);
    // The library returns when its input is used up, even with output pending.
    while (filled < length && feed(new Uint8Array(0)) > 0);
    if (filled !== length) throw broken('it inflates to less than declared');
    return output;
  }

  close(): void {}

  #step(slice: Uint8Array): Uint8Array | undefined {
    const inflate = this.#inflate;
    inflate.push(slice, constants.Z_SYNC_FLUSH);
    if (inflate.err === constants.Z_BUF_ERROR) return undefined;
    if (inflate.err !== constants.Z_OK) throw broken('it is not deflate');
    return inflate.result ?? undefined;
  }
}

/** Inflates on a worker thread with node:zlib, which waits when its output is not read. */
class StreamInflater implements Inflater {
  #stream: InflateRaw | undefined;
  #produced = 0;
  #refuse: ((error: Error) => void) | undefined;
  #failed: Error | undefined;

  get produced(): number {
    return this.#produced;
  }

  inflate(input: Uint8Array, length: number): Promise<Uint8Array> {
    const stream = this.#open();
    return new Promise((resolve, reject) => {
      if (this.#failed) return reject(this.#failed);
      const output = new Uint8Array(length);
      let filled = 0;
      const finish = (error?: Error) => {
        stream.off('readable', collect);
        this.#refuse = undefined;
        if (error) {
          this.#failed ??= error;
          stream.destroy();
          reject(error);
        } else resolve(output);
      };
      const collect = () => {
        for (let part = stream.read(); part !== null; part = stream.read()) {
          this.#produced += part.length;
          if (filled + part.length > length) return finish(tooLarge(length));
          output.set(part, filled);
          filled += part.length;
        }
      };
      this.#refuse = finish;
      stream.on('readable', collect);
      stream.write(Buffer.concat([input, flushTail]), (error) => {
        if (this.#refuse !== finish) return;
        if (error) return finish(broken('it is not deflate', error));
        collect();
        if (this.#refuse !== finish) return;
        finish(filled === length ? undefined : broken('it inflates to less than declared'));
      });
    });
  }

  close(): void {
    this.#failed ??= broken('the session is closed');
    this.#stream?.destroy();
    this.#refuse?.(this.#failed);
  }

  #open(): InflateRaw {
    if (this.#stream) return this.#stream;
    const stream = createInflateRaw({ flush: constants.Z_SYNC_FLUSH, chunkSize: inflateSlackBytes / 2 });
    const fail = (cause?: unknown) => {
      const error = broken('it is not deflate', cause);
      this.#failed ??= error;
      this.#refuse?.(error);
    };
    stream.on('error', fail);
    // A final block ends the stream; any later payload could never be read.
    stream.on('end', () => fail());
    this.#stream = stream;
    return stream;
  }
}

/** node:zlib's inflater, available on every machine. */
export const nodeInflater = (): Inflater => new StreamInflater();

/** zlib-sync's inflater; undefined where that optional library is not installed. */
export const zlibSyncInflater = zlibSync && ((): Inflater => new SyncInflater(zlibSync));

/** The fastest inflater available. */
export const defaultInflater: () => Inflater = zlibSyncInflater ?? nodeInflater;
