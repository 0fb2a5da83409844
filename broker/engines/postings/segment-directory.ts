import { ByteWriter, failure } from '../../../kernel/index.ts';
import { sharedLength } from '../codecs/front-coding.ts';
import { engineErrors } from '../errors.ts';
import { directoryKey } from '../index-database/index-keys.ts';
import type { PostingRows, PostingWrite } from '../index-database/posting-database.ts';

const blocksPerRow = 2048;
/** Size of a row's head: the number of blocks, and whether another row follows. */
const headBytes = 4;
const moreFollow = 0x8000_0000;
const endBytes = 4;

/**
 * Records the first key of each block of a segment, in rows that are searched as stored: the head, the end of
 * each key (counted from the first key), and the keys. Numbers have 32 bits, the lowest first.
 */
export class DirectoryWriter {
  readonly #segment: number;
  readonly #keys = new ByteWriter();
  #ends: number[] = [];
  #rows = 0;
  #blocks = 0;

  constructor(segment: number) {
    this.#segment = segment;
  }

  get blocks(): number {
    return this.#blocks;
  }

  /** Add a block by its first key, cut to what distinguishes it from the last before. Returns a full row. */
  add(first: Uint8Array, before: Uint8Array): PostingWrite | undefined {
    const full = this.#ends.length === blocksPerRow ? this.#take(moreFollow) : undefined;
    this.#keys.bytes(first.subarray(0, sharedLength(before, first) + 1));
    this.#ends.push(this.#keys.length);
    this.#blocks++;
    return full;
  }

  /** The last row, if there is one. */
  take(): PostingWrite | undefined {
    return this.#ends.length === 0 ? undefined : this.#take(0);
  }

  #take(more: number): PostingWrite {
    const head = new DataView(new ArrayBuffer(headBytes + endBytes * this.#ends.length));
    head.setUint32(0, (this.#ends.length | more) >>> 0, true);
    for (const [index, end] of this.#ends.entries()) head.setUint32(headBytes + endBytes * index, end, true);
    this.#ends = [];
    const value = Buffer.concat([new Uint8Array(head.buffer), this.#keys.take()]);
    return { type: 'put', key: directoryKey(this.#segment, this.#rows++), value };
  }
}

/** A stored row, whose keys are read in place. */
class DirectoryRow {
  readonly blocks: number;
  readonly hasNext: boolean;
  readonly #value: Uint8Array;
  readonly #view: DataView;
  readonly #keysAt: number;

  constructor(value: Uint8Array) {
    if (value.length < headBytes) throw damaged();
    this.#value = value;
    this.#view = new DataView(value.buffer, value.byteOffset, value.length);
    const head = this.#view.getUint32(0, true);
    this.hasNext = head >= moreFollow;
    this.blocks = head % moreFollow;
    this.#keysAt = headBytes + endBytes * this.blocks;
    if (this.blocks === 0 || this.#keysAt > value.length || this.#end(this.blocks - 1) !== value.length)
      throw damaged();
  }

  get byteLength(): number {
    return this.#value.length;
  }

  #end(block: number): number {
    return this.#keysAt + this.#view.getUint32(headBytes + endBytes * block, true);
  }

  /** Whether the block's first key is not above `key`. */
  beginsBy(block: number, key: Uint8Array): boolean {
    const from = block === 0 ? this.#keysAt : this.#end(block - 1);
    const length = this.#end(block) - from;
    const value = this.#value;
    for (let at = 0; at < length && at < key.length; at++) {
      const difference = (value[from + at] as number) - (key[at] as number);
      if (difference !== 0) return difference < 0;
    }
    return length <= key.length;
  }
}

/** Finds the block of a segment for a key. Takes about 14 bytes of memory for every 4 KiB of the segment. */
export class SegmentDirectory {
  readonly #rows: readonly DirectoryRow[];
  readonly blocks: number;

  private constructor(rows: readonly DirectoryRow[]) {
    this.#rows = rows;
    this.blocks = rows.reduce((sum, { blocks }) => sum + blocks, 0);
  }

  static async load(rows: Pick<PostingRows, 'getMany'>, segment: number): Promise<SegmentDirectory> {
    const found: DirectoryRow[] = [];
    // A segment of one row is read in one step, a large one in few.
    for (let more = 1; more > 0; ) {
      const keys = Array.from({ length: more }, (_, at) => directoryKey(segment, found.length + at));
      const known = found.length;
      for (const value of await rows.getMany(keys))
        if (value !== undefined) found.push(new DirectoryRow(value));
      more = found.at(-1)?.hasNext ? found.length : 0;
      if (more > 0 && found.length === known) throw damaged();
    }
    return new SegmentDirectory(found);
  }

  get byteLength(): number {
    return this.#rows.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /** The block that would contain the key, or undefined where the key sorts before all blocks. */
  blockOf(key: Uint8Array): number | undefined {
    let before = 0;
    let last: { readonly row: DirectoryRow; readonly before: number } | undefined;
    for (const row of this.#rows) {
      if (!row.beginsBy(0, key)) break;
      last = { row, before };
      before += row.blocks;
    }
    if (last === undefined) return undefined;
    let low = 1;
    let high = last.row.blocks;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if (last.row.beginsBy(middle, key)) low = middle + 1;
      else high = middle;
    }
    return last.before + low - 1;
  }
}

const damaged = () =>
  failure(engineErrors.ENGINE_DAMAGED, { what: 'the directory of a segment is incomplete' });
