import { ByteReader, ByteWriter } from './byte-codec.ts';
import { directoryKey, directoryRange } from './index-keys.ts';
import type { PostingDatabase, PostingWrite } from './posting-database.ts';
import { sharedLength } from './term-block.ts';

const blocksPerRow = 512;

/** Notes from which key on each block of a segment holds terms. */
export class DirectoryWriter {
  readonly #segment: number;
  readonly #row = new ByteWriter();
  #rows = 0;
  #blocks = 0;
  #last: Uint8Array = new Uint8Array();

  constructor(segment: number) {
    this.#segment = segment;
  }

  get blocks(): number {
    return this.#blocks;
  }

  /**
   * The next block, the first key in it and the last key of the block before; keeps as little of the key as tells
   * them apart. Answers a row that is full.
   */
  add(first: Uint8Array, before: Uint8Array): PostingWrite | undefined {
    const full = this.#blocks > 0 && this.#blocks % blocksPerRow === 0 ? this.take() : undefined;
    const least = first.subarray(0, sharedLength(before, first) + 1);
    const shared = sharedLength(this.#last, least);
    this.#row.varint(shared);
    this.#row.varint(least.length - shared);
    this.#row.bytes(least.subarray(shared));
    this.#last = least;
    this.#blocks++;
    return full;
  }

  /** The row that is not full yet, if it has anything. */
  take(): PostingWrite | undefined {
    if (this.#row.length === 0) return undefined;
    this.#last = new Uint8Array();
    return { type: 'put', key: directoryKey(this.#segment, this.#rows++), value: this.#row.take() };
  }
}

/** Which block of a segment a key is in: about 14 bytes of memory for every 4 KiB of the segment. */
export class SegmentDirectory {
  readonly #keys: Uint8Array;
  /** Where each block's key begins in `#keys`, and where the last one ends. */
  readonly #starts: Uint32Array;

  private constructor(keys: Uint8Array, starts: Uint32Array) {
    this.#keys = keys;
    this.#starts = starts;
  }

  static async load(database: PostingDatabase, segment: number): Promise<SegmentDirectory> {
    const keys = new ByteWriter();
    const starts: number[] = [0];
    for await (const [, value] of database.entries(directoryRange(segment))) {
      const reader = new ByteReader(value);
      let last: Uint8Array = new Uint8Array();
      while (!reader.done) {
        const shared = reader.varint();
        const rest = reader.bytes(reader.varint());
        last = Buffer.concat([last.subarray(0, shared), rest]);
        keys.bytes(last);
        starts.push(keys.length);
      }
    }
    return new SegmentDirectory(keys.take(), Uint32Array.from(starts));
  }

  get byteLength(): number {
    return this.#keys.byteLength + this.#starts.byteLength;
  }

  get blocks(): number {
    return this.#starts.length - 1;
  }

  /** The block that holds the key if any does, or undefined where it sorts before all of them. */
  blockOf(key: Uint8Array): number | undefined {
    let low = 0;
    let high = this.blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      const first = this.#keys.subarray(this.#starts[middle], this.#starts[middle + 1]);
      if (Buffer.compare(first, key) <= 0) low = middle + 1;
      else high = middle;
    }
    return low === 0 ? undefined : low - 1;
  }
}
