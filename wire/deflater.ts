import { constants, createDeflateRaw, type DeflateRaw } from 'node:zlib';

/** The end of every sync flush (RFC 7692, 7.2.1); left out on the wire and put back before inflating. */
export const flushTail = Uint8Array.of(0x00, 0x00, 0xff, 0xff);

/** A payload below this size is sent as it is. */
const tinyBytes = 32;

const sampleSize = 1024;

/** Whether bytes look random: the sum of squared counts of a sample is near that of uniform noise. */
function looksRandom(bytes: Uint8Array): boolean {
  if (bytes.length < sampleSize) return false;
  const counts = new Uint32Array(256);
  const step = bytes.length / sampleSize;
  for (let index = 0; index < sampleSize; index += 1) {
    const byte = bytes[Math.floor(index * step)] as number;
    counts[byte] = (counts[byte] as number) + 1;
  }
  let squares = 0;
  for (const count of counts) squares += count * count;
  // Noise gives 1,024 + 1,024²/256 = 5,120 on average; base64 text already gives over 16,000.
  return squares < 5_700;
}

/** One direction's compression: frames share a window, so that each can refer to the frames before it. */
export class Deflater {
  readonly #level: number;
  // Made at the first use: it takes about 256 KiB.
  #stream: DeflateRaw | undefined;
  #failed: Error | undefined;
  #refuse: ((error: Error) => void) | undefined;

  constructor(level: number) {
    this.#level = level;
  }

  static suits(payload: Uint8Array): boolean {
    return payload.length >= tinyBytes && !looksRandom(payload);
  }

  /** Compress the next payload, ending on a byte without the flush tail. One call at a time, in sending order. */
  deflate(payload: Uint8Array): Promise<Uint8Array> {
    const stream = this.#open();
    return new Promise((resolve, reject) => {
      if (this.#failed) return reject(this.#failed);
      this.#refuse = reject;
      const parts: Buffer[] = [];
      const collect = () => {
        for (let part = stream.read(); part !== null; part = stream.read()) parts.push(part as Buffer);
      };
      stream.on('readable', collect);
      stream.write(payload, (error) => {
        stream.off('readable', collect);
        this.#refuse = undefined;
        if (error) return reject(error);
        collect();
        const all = parts.length === 1 ? (parts[0] as Buffer) : Buffer.concat(parts);
        resolve(all.subarray(0, all.length - flushTail.length));
      });
    });
  }

  close(): void {
    this.#failed ??= new Error('the deflater is closed');
    this.#stream?.destroy();
    this.#refuse?.(this.#failed);
  }

  #open(): DeflateRaw {
    if (this.#stream) return this.#stream;
    const stream = createDeflateRaw({ level: this.#level, flush: constants.Z_SYNC_FLUSH, chunkSize: 65_536 });
    stream.on('error', (error) => {
      this.#failed ??= error;
      this.#refuse?.(error);
    });
    this.#stream = stream;
    return stream;
  }
}
