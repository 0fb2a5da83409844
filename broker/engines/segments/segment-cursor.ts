import { failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { hasPlaces } from '../index-database/index-fields.ts';
import { blockRange, keyNumber } from '../index-database/index-keys.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { blockEntries } from '../postings/term-block.ts';
import { type FoundTerm, positionsOfFound, postingsOfFound } from '../postings/term-lookup.ts';

/** One term of a segment as it is stored. */
export interface StoredTerm {
  readonly key: Uint8Array;
  readonly postings: Uint8Array;
  /** Undefined where positions are not stored. */
  readonly positions: Uint8Array | undefined;
}

/** Iterates over the terms of one segment in the order of their keys, a block in memory at a time. */
export class SegmentCursor implements AsyncDisposable {
  readonly #database: PostingDatabase;
  readonly #segment: number;
  readonly #positions: boolean;
  readonly #blocks: AsyncIterator<readonly [Uint8Array, Uint8Array]>;
  #terms: readonly StoredTerm[] = [];
  #at = 0;
  #ended = false;

  /** From block `from` on; `positions`: whether these are read too. */
  constructor(database: PostingDatabase, segment: number, positions: boolean, from = 0) {
    this.#database = database;
    this.#segment = segment;
    this.#positions = positions;
    this.#blocks = database.entries(blockRange(segment, from))[Symbol.asyncIterator]();
  }

  /** The current term, once loaded; undefined after the last one. */
  get term(): StoredTerm | undefined {
    return this.#terms[this.#at];
  }

  /** Move to the next term, which may have to be loaded. */
  advance(): void {
    this.#at++;
  }

  /** Whether the current block is still to be read. */
  get isDue(): boolean {
    return this.#at >= this.#terms.length && !this.#ended;
  }

  /** Read the current block, unless that is done. */
  load(): Promise<void> | undefined {
    return this.isDue ? this.#load() : undefined;
  }

  async #load(): Promise<void> {
    const next = await this.#blocks.next();
    this.#at = 0;
    this.#terms = [];
    this.#ended = next.done === true;
    if (next.done === true) return;
    const [key, value] = next.value;
    const block = keyNumber(key, 6);
    // The iterator may reuse its buffers while long rows are read.
    const entries = [...blockEntries(Uint8Array.from(value))];
    const found = entries.map((entry): FoundTerm => ({ segment: this.#segment, block, entry }));
    const postings = await postingsOfFound(this.#database, found);
    const positions = this.#positions ? await positionsOfFound(this.#database, found) : [];
    this.#terms = entries.map((entry, index): StoredTerm => {
      const own = postings[index];
      const places = positions[index];
      if (own === undefined || (this.#positions && hasPlaces(entry.key) && places === undefined))
        throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a row of a term is missing' });
      return { key: entry.key, postings: own, positions: places };
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    // LevelDB keeps a snapshot for every open iterator.
    await this.#blocks.return?.();
  }
}
