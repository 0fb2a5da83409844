import {
  type Entry,
  type Epoch,
  elementId,
  type GroupSummary,
  handleOf,
  type OrderedView,
  type Placed,
  type Position,
  type PositionRange,
  SetFingerprint,
  signatureOf,
  signatureSum,
} from '../../awareness/index.ts';
import { RecentMap } from '../../kernel/index.ts';

/** Objects in a block: it is read again at each end of a group. */
const blockSize = 64;

/** Max blocks in memory. */
const maxBlocks = 1024;

interface Block {
  /** The position of its first object. */
  readonly first: Position;
  /** The number of objects before it, and their sum. */
  readonly before: number;
  readonly sum: SetFingerprint;
}

/** Reads the entries of a set in handle order: all of them, or those of a block. */
export interface EntryReader {
  all(): AsyncIterable<Entry>;
  from(position: Position, count: number): Promise<readonly Entry[]>;
}

const placedAs = ({ oid, digest }: Entry): Placed => {
  const handle = handleOf(oid);
  return { position: handle, handle, signature: signatureOf(digest) };
};

/**
 * A set on disk in handle order, with the sum of everything before each block in memory (some 100 bytes for
 * 64 objects). The sum of a range is a difference of two sums, and only the blocks at its ends are read.
 */
export class BlockOrderedSet implements OrderedView {
  readonly #reader: EntryReader;
  readonly #epoch: Epoch;
  readonly #blocks: readonly Block[];
  readonly #total: number;
  readonly #read = new RecentMap<number, readonly Placed[]>(maxBlocks);

  private constructor(reader: EntryReader, epoch: Epoch, blocks: readonly Block[], total: number) {
    this.#reader = reader;
    this.#epoch = epoch;
    this.#blocks = blocks;
    this.#total = total;
  }

  static async make(reader: EntryReader, epoch: Epoch): Promise<BlockOrderedSet> {
    const blocks: Block[] = [];
    const sum = new SetFingerprint();
    let total = 0;
    for await (const { oid, digest } of reader.all()) {
      if (total % blockSize === 0) blocks.push({ first: handleOf(oid), before: total, sum: sum.copy() });
      sum.add(elementId(epoch, oid, digest));
      total++;
    }
    return new BlockOrderedSet(reader, epoch, blocks, total);
  }

  async count(range: PositionRange): Promise<number> {
    const [start, end] = await this.#ranks(range);
    return end - start;
  }

  async summary(range: PositionRange): Promise<GroupSummary> {
    const [start, end] = await this.#ranks(range);
    const sum = await this.#sumBefore(end);
    sum.subtract(await this.#sumBefore(start));
    return signatureSum(this.#epoch, sum);
  }

  async at(range: PositionRange, index: number): Promise<Placed> {
    const [start, end] = await this.#ranks(range);
    const rank = start + index;
    const placed =
      rank < end ? (await this.#block(Math.floor(rank / blockSize)))[rank % blockSize] : undefined;
    if (placed === undefined) throw new RangeError(`no object ${index} in a range of ${end - start}`);
    return placed;
  }

  async *entries(range: PositionRange): AsyncIterable<Placed> {
    const [start, end] = await this.#ranks(range);
    for (let rank = start; rank < end; rank++) {
      const block = await this.#block(Math.floor(rank / blockSize));
      yield block[rank % blockSize] as Placed;
    }
  }

  async #ranks({ from, above, to, below }: PositionRange): Promise<readonly [number, number]> {
    const start =
      above !== undefined
        ? await this.#rank(above, true)
        : from !== undefined
          ? await this.#rank(from, false)
          : 0;
    const end =
      below !== undefined
        ? await this.#rank(below, false)
        : to !== undefined
          ? await this.#rank(to, true)
          : this.#total;
    return [start, Math.max(start, end)];
  }

  /** The number of objects before a position, the one at it counted when `through`. */
  async #rank(position: Position, through: boolean): Promise<number> {
    let [low, high] = [0, this.#blocks.length];
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#blocks[middle] as Block).first <= position) low = middle + 1;
      else high = middle;
    }
    if (low === 0) return 0;
    const block = await this.#block(low - 1);
    let rank = (low - 1) * blockSize;
    for (const placed of block) {
      if (placed.position < position || (through && placed.position === position)) rank++;
      else break;
    }
    return rank;
  }

  async #sumBefore(rank: number): Promise<SetFingerprint> {
    const at = Math.min(Math.floor(rank / blockSize), this.#blocks.length - 1);
    if (at < 0) return new SetFingerprint();
    const { before, sum } = this.#blocks[at] as Block;
    const total = sum.copy();
    const rest = signatureSum(this.#epoch, total);
    if (rank > before) for (const placed of (await this.#block(at)).slice(0, rank - before)) rest.add(placed);
    return total;
  }

  async #block(at: number): Promise<readonly Placed[]> {
    const known = this.#read.get(at);
    if (known !== undefined) return known;
    const entries = await this.#reader.from((this.#blocks[at] as Block).first, blockSize);
    const placed = entries.map(placedAs);
    this.#read.set(at, placed);
    return placed;
  }
}
