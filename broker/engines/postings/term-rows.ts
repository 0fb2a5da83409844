import { blockKey, positionsKey, postingsKey } from '../index-database/index-keys.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import { DirectoryWriter } from './segment-directory.ts';
import { TermBlockWriter } from './term-block.ts';
import { TermFilterWriter } from './term-filter.ts';

// Max bytes of a list in its block. Longer ones have a row of their own, so that reading short ones does not
// read them too.
const maxInBlock = 512;

/** Makes a segment's rows from its terms, given in the order of their keys. */
export class TermRows {
  readonly #segment: number;
  readonly #directory: DirectoryWriter;
  readonly #filter: TermFilterWriter;
  readonly #block = new TermBlockWriter();
  #first: Uint8Array = new Uint8Array();
  #last: Uint8Array = new Uint8Array();
  #before: Uint8Array = new Uint8Array();
  #rows: PostingWrite[] = [];

  constructor(segment: number) {
    this.#segment = segment;
    this.#directory = new DirectoryWriter(segment);
    this.#filter = new TermFilterWriter(segment);
  }

  add(key: Uint8Array, postings: Uint8Array, positions: Uint8Array | undefined): void {
    if (this.#block.count === 0) this.#first = key;
    const [block, number] = [this.#directory.blocks, this.#block.count];
    const put = (rowKey: Uint8Array, value: Uint8Array) =>
      this.#rows.push({ type: 'put', key: rowKey, value });
    const short = (value: Uint8Array | undefined) =>
      value && value.length <= maxInBlock ? value : undefined;
    if (postings.length > maxInBlock) put(postingsKey(this.#segment, block, number), postings);
    if (positions !== undefined && positions.length > maxInBlock)
      put(positionsKey(this.#segment, block, number), positions);
    this.#block.add({ key, postings: short(postings), positions: short(positions) });
    this.#filter.add(key);
    this.#last = key;
    if (this.#block.full) this.#endBlock();
  }

  take(): PostingWrite[] {
    const rows = this.#rows;
    this.#rows = [];
    return rows;
  }

  end(): PostingWrite[] {
    if (this.#block.count > 0) this.#endBlock();
    const row = this.#directory.take();
    return [...this.take(), ...(row === undefined ? [] : [row]), ...this.#filter.take()];
  }

  #endBlock(): void {
    const key = blockKey(this.#segment, this.#directory.blocks);
    this.#rows.push({ type: 'put', key, value: this.#block.take() });
    const full = this.#directory.add(this.#first, this.#before);
    if (full !== undefined) this.#rows.push(full);
    this.#before = this.#last;
  }
}
