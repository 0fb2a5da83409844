import { createHash } from 'node:crypto';

/** Format 5 of squid's cache digests: readers of format 3 and later can decode it. */
const current = 5;
const required = 3;
const headerBytes = 128;
const hashes = 4;
/** With four hash functions about one absent URL in ten is a false positive; squid uses the same. */
const bitsPerEntry = 5;
/** 16 MiB: 26 million objects. Nobody can make us store more for a peer. */
export const maxDigestBytes = 16 * 1024 * 1024;

const maskBytes = (capacity: number, bits: number) => Math.floor((capacity * bits + 7) / 8);

/**
 * A cache's contents as a Bloom filter, in squid's format: stored URLs are always found, and absent URLs are
 * sometimes found too. Nothing can be removed, so it is rebuilt from time to time.
 */
export class CacheDigest {
  readonly capacity: number;
  readonly bitsPerEntry: number;
  /** More bits may be set while it is sent: all earlier URLs are still found then. */
  readonly mask: Uint8Array;
  #count: number;

  private constructor(capacity: number, bits: number, mask: Uint8Array, count: number) {
    this.capacity = capacity;
    this.bitsPerEntry = bits;
    this.mask = mask;
    this.#count = count;
  }

  /** An empty digest for `capacity` objects; more may be added, with more false positives. */
  static empty(capacity: number): CacheDigest {
    const max = Math.floor(((maxDigestBytes - headerBytes) * 8) / bitsPerEntry);
    const entries = Math.min(max, Math.max(1, Math.floor(capacity)));
    return new CacheDigest(entries, bitsPerEntry, new Uint8Array(maskBytes(entries, bitsPerEntry)), 0);
  }

  /** A digest as a peer sent it. Undefined unless it is complete and of format 5 or compatible with it. */
  static decode(data: Uint8Array): CacheDigest | undefined {
    if (data.length <= headerBytes || data.length > maxDigestBytes) return undefined;
    const bytes = Buffer.from(data.buffer, data.byteOffset, data.length);
    const capacity = bytes.readInt32BE(4);
    const count = bytes.readInt32BE(8);
    const size = bytes.readInt32BE(16);
    const bits = bytes.readUInt8(20);
    const known = bytes.readUInt16BE(2) <= current && bytes.readUInt16BE(0) >= required;
    const sizes = capacity > 0 && count >= 0 && bits > 0 && size === maskBytes(capacity, bits);
    if (!known || !sizes || bytes.readUInt8(21) !== hashes || size !== data.length - headerBytes)
      return undefined;
    return new CacheDigest(capacity, bits, Uint8Array.prototype.slice.call(data, headerBytes), count);
  }

  get count(): number {
    return this.#count;
  }

  get bytes(): number {
    return headerBytes + this.mask.length;
  }

  /** The share of set bits; 1 for a digest that finds everything. */
  get fill(): number {
    let set = 0;
    for (const byte of this.mask) for (let rest = byte; rest !== 0; rest &= rest - 1) set++;
    return set / (this.mask.length * 8);
  }

  /** Whether so many bits are set that half of all absent URLs would be found, so that it is useless. */
  get saysNothing(): boolean {
    return this.fill ** hashes > 0.5;
  }

  add(url: string): void {
    const key = keyOf(url);
    const size = this.mask.length * 8;
    for (let at = 0; at < 16; at += 4) {
      const bit = key.readUInt32BE(at) % size;
      this.mask[bit >> 3] = (this.mask[bit >> 3] ?? 0) | (1 << (bit & 7));
    }
    this.#count++;
  }

  /** Whether a response to GET for this URL is probably stored. */
  has(url: string): boolean {
    const key = keyOf(url);
    const size = this.mask.length * 8;
    for (let at = 0; at < 16; at += 4) {
      const bit = key.readUInt32BE(at) % size;
      if (((this.mask[bit >> 3] ?? 0) & (1 << (bit & 7))) === 0) return false;
    }
    return true;
  }

  /** The bytes before the mask, `application/cache-digest`: all numbers in big-endian order. */
  header(): Uint8Array {
    const bytes = Buffer.alloc(headerBytes);
    bytes.writeUInt16BE(current, 0);
    bytes.writeUInt16BE(required, 2);
    bytes.writeInt32BE(this.capacity, 4);
    bytes.writeInt32BE(Math.min(0x7fff_ffff, this.#count), 8);
    bytes.writeInt32BE(this.mask.length, 16);
    bytes.writeUInt8(this.bitsPerEntry, 20);
    bytes.writeUInt8(hashes, 21);
    return bytes;
  }
}

/** Squid's key of a stored response: MD5 over its number of the method (GET is 1) and the URL. */
function keyOf(url: string): Buffer {
  return createHash('md5').update('\x01', 'latin1').update(url, 'latin1').digest();
}
