import type { Database, Write } from '../store/index.ts';
import type { Remembered } from './enumerator.ts';

/** What the Gatherer remembers of a URL between runs, so that an unchanged document is neither read nor fetched. */
export interface FetchRow extends Remembered {
  /** Small dense number, by which a run marks what it has seen. */
  readonly ordinal: number;
  /** How documents were summarised then; under other settings they are read again. */
  readonly profile: string;
  /** Hex digest of the summary this row led to, if any; a row whose summary is not in the store counts for nothing. */
  readonly digest?: string;
}

const rowKey = (url: string) => Buffer.from(`u${url}`);
const nextKey = Buffer.from('n');

/**
 * The fetch store: one row per URL, in a database of its own. A kill may come between its batch and the object
 * store's, so that a row may name a digest which is not in the store; but there is never a summary without a row,
 * which no run would miss once its document is gone.
 */
export class FetchStore {
  readonly #database: Database;
  #next: number;
  readonly #pending = new Map<string, FetchRow | undefined>();

  private constructor(database: Database, next: number) {
    this.#database = database;
    this.#next = next;
  }

  static async open(database: Database): Promise<FetchStore> {
    const next = await database.get(nextKey);
    return new FetchStore(database, next === undefined ? 0 : Number(Buffer.from(next).toString()));
  }

  /** Ordinals given so far; a bit set of this many bits can mark every document. */
  get ordinals(): number {
    return this.#next;
  }

  async recall(url: string): Promise<FetchRow | undefined> {
    if (this.#pending.has(url)) return this.#pending.get(url);
    const value = await this.#database.get(rowKey(url));
    return value === undefined ? undefined : (JSON.parse(Buffer.from(value).toString()) as FetchRow);
  }

  /** Note a row for the next `write`; it gets the document's old ordinal or a new one, which is returned. */
  async remember(url: string, row: Omit<FetchRow, 'ordinal'>): Promise<number> {
    const ordinal = (await this.recall(url))?.ordinal ?? this.#next++;
    const full = { ordinal, ...row };
    this.#pending.set(url, full);
    return ordinal;
  }

  forget(url: string): void {
    this.#pending.set(url, undefined);
  }

  /** Write the rows noted for documents that have a summary; to be done before the summaries are written. */
  writeVouching(): Promise<void> {
    return this.#write((row) => row?.digest !== undefined);
  }

  /** Write what else was noted; to be done once the summaries that are no more have been deleted. */
  writeOthers(): Promise<void> {
    return this.#write((row) => row?.digest === undefined);
  }

  /** Every URL with its row, in order. */
  async *rows(): AsyncIterable<readonly [url: string, row: FetchRow]> {
    const range = { gte: Buffer.from('u'), lt: Buffer.from('v') };
    for await (const [key, value] of this.#database.entries(range))
      yield [Buffer.from(key.subarray(1)).toString(), JSON.parse(Buffer.from(value).toString()) as FetchRow];
  }

  async #write(wanted: (row: FetchRow | undefined) => boolean): Promise<void> {
    const noted = [...this.#pending].filter(([, row]) => wanted(row));
    if (noted.length === 0) return;
    const writes = noted.map(([url, row]): Write => {
      const key = rowKey(url);
      return row === undefined
        ? { type: 'del', key }
        : { type: 'put', key, value: Buffer.from(JSON.stringify(row)) };
    });
    writes.push({ type: 'put', key: nextKey, value: Buffer.from(String(this.#next)) });
    await this.#database.batch(writes);
    for (const [url] of noted) this.#pending.delete(url);
  }
}
