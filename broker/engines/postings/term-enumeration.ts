import { blockRange, termKey } from '../index-database/index-keys.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SegmentDirectory } from './segment-directory.ts';
import { blockKeys } from './term-block.ts';

/** One segment's keys from some key on, a block in memory at a time. */
class KeyStream implements AsyncDisposable {
  readonly #blocks: AsyncIterator<readonly [Uint8Array, Uint8Array]>;
  #from: Uint8Array | undefined;
  #keys: readonly Uint8Array[] = [];
  #at = 0;
  #ended = false;

  constructor(database: PostingDatabase, segment: number, directory: SegmentDirectory, from: Uint8Array) {
    const range = blockRange(segment, directory.blockOf(from) ?? 0);
    this.#blocks = database.entries(range)[Symbol.asyncIterator]();
    this.#from = from;
  }

  get key(): Uint8Array | undefined {
    return this.#keys[this.#at];
  }

  advance(): void {
    this.#at++;
  }

  /** Read the current block, unless that is done. */
  load(): Promise<void> | undefined {
    return this.#at < this.#keys.length || this.#ended ? undefined : this.#load();
  }

  async #load(): Promise<void> {
    do {
      const next = await this.#blocks.next();
      this.#ended = next.done === true;
      this.#keys = next.done === true ? [] : blockKeys(next.value[1], this.#from);
      this.#at = 0;
      // Only the first block has keys before it.
      this.#from = undefined;
    } while (this.#keys.length === 0 && !this.#ended);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#blocks.return?.();
  }
}

const termsAtOnce = 256;
const decoder = new TextDecoder();

/**
 * The terms of a field from `from` on (by their UTF-8), each once, in batches. Terms of dead objects may be
 * among them. Reads about 4 KiB for every 60 terms.
 */
export async function* enumerateTerms(
  database: PostingDatabase,
  segments: readonly (readonly [segment: number, directory: SegmentDirectory])[],
  field: number,
  from: string,
): AsyncGenerator<readonly string[], undefined> {
  const first = termKey(field, from);
  const streams = segments.map(([segment, directory]) => new KeyStream(database, segment, directory, first));
  try {
    let terms: string[] = [];
    for (;;) {
      const loading = streams.flatMap((stream) => stream.load() ?? []);
      if (loading.length > 0) await Promise.all(loading);
      let min: Uint8Array | undefined;
      for (const { key } of streams)
        if (key !== undefined && (min === undefined || Buffer.compare(key, min) < 0)) min = key;
      if (min === undefined || min[0] !== field) break;
      for (const stream of streams)
        if (stream.key !== undefined && Buffer.compare(stream.key, min) === 0) stream.advance();
      terms.push(decoder.decode(min.subarray(1)));
      if (terms.length < termsAtOnce) continue;
      yield terms;
      terms = [];
    }
    if (terms.length > 0) yield terms;
  } finally {
    for (const stream of streams) await stream[Symbol.asyncDispose]();
  }
}
