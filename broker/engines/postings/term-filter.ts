import { failure } from '../../../kernel/index.ts';
import { hashOf } from '../../../query/index.ts';
import { engineErrors } from '../errors.ts';
import { filterKey } from '../index-database/index-keys.ts';
import type { PostingRows, PostingWrite } from '../index-database/posting-database.ts';

/** With this many bits and probes a term, one of 120 absent terms is still searched for (Bloom 1970). */
const bitsPerTerm = 10;
const probes = 7;

const bytesPerRow = 64 * 1024;
/** Size of the filter's byte length, before the first row's own bytes. */
const headBytes = 4;
const rowsAtOnce = 64;

function mixed(hash: number): number {
  const first = Math.imul(hash ^ (hash >>> 16), 0x85eb_ca6b);
  const second = Math.imul(first ^ (first >>> 13), 0xc2b2_ae35);
  return second ^ (second >>> 16);
}

/** Calls `each` with the bits of a term. Returns whether it was true for all of them. */
function everyBit(hash: number, bits: number, each: (bit: number) => boolean): boolean {
  const step = mixed(hash) | 1;
  let at = mixed(hash + 0x9e37_79b9);
  for (let probe = 0; probe < probes; probe++) {
    if (!each((at >>> 0) % bits)) return false;
    at = (at + step) | 0;
  }
  return true;
}

/** Makes the rows of a segment's filter from its terms. */
export class TermFilterWriter {
  readonly #segment: number;
  #hashes = new Int32Array(64);
  #count = 0;

  constructor(segment: number) {
    this.#segment = segment;
  }

  add(key: Uint8Array): void {
    if (this.#count === this.#hashes.length) {
      const before = this.#hashes;
      this.#hashes = new Int32Array(2 * this.#count);
      this.#hashes.set(before);
    }
    this.#hashes[this.#count++] = hashOf(key, 0, key.length);
  }

  /** No rows for a segment without terms. */
  take(): PostingWrite[] {
    if (this.#count === 0) return [];
    const bytes = new Uint8Array(headBytes + Math.ceil((this.#count * bitsPerTerm) / 8));
    const size = bytes.length - headBytes;
    new DataView(bytes.buffer).setUint32(0, size, true);
    for (const hash of this.#hashes.subarray(0, this.#count))
      everyBit(hash, 8 * size, (bit) => {
        const at = headBytes + (bit >>> 3);
        bytes[at] = (bytes[at] as number) | (1 << (bit & 7));
        return true;
      });
    return Array.from({ length: Math.ceil(bytes.length / bytesPerRow) }, (_, row) => ({
      type: 'put',
      key: filterKey(this.#segment, row),
      value: bytes.slice(row * bytesPerRow, (row + 1) * bytesPerRow),
    }));
  }
}

/** Recognises most terms that a segment does not have, with 1.25 bytes of memory a term. */
export class TermFilter {
  readonly #bytes: Uint8Array;

  private constructor(bytes: Uint8Array) {
    this.#bytes = bytes;
  }

  /** Throws ENGINE_DAMAGED. */
  static async load(rows: Pick<PostingRows, 'getMany'>, segment: number): Promise<TermFilter> {
    const [first] = await rows.getMany([filterKey(segment, 0)]);
    if (first === undefined) return new TermFilter(new Uint8Array());
    if (first.length < headBytes) throw damaged();
    const size = new DataView(first.buffer, first.byteOffset).getUint32(0, true);
    const parts = [first.subarray(headBytes)];
    const count = Math.ceil((headBytes + size) / bytesPerRow);
    // In steps, because a damaged row may give any size.
    while (parts.length < count) {
      const wanted = Math.min(count - parts.length, rowsAtOnce);
      const keys = Array.from({ length: wanted }, (_, row) => filterKey(segment, parts.length + row));
      for (const row of await rows.getMany(keys)) {
        if (row === undefined) throw damaged();
        parts.push(row);
      }
    }
    const bytes = Uint8Array.from(Buffer.concat(parts));
    if (bytes.length !== size) throw damaged();
    return new TermFilter(bytes);
  }

  get byteLength(): number {
    return this.#bytes.length;
  }

  /** Whether the segment may have the term with this key. Without rows it may have any. */
  mayHave(key: Uint8Array): boolean {
    const bytes = this.#bytes;
    if (bytes.length === 0) return true;
    return everyBit(
      hashOf(key, 0, key.length),
      8 * bytes.length,
      (bit) => ((bytes[bit >>> 3] as number) & (1 << (bit & 7))) !== 0,
    );
  }
}

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'the filter of a segment is incomplete' });
