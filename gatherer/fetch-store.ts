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
  /** How many documents inside this one have summaries of their own. */
  readonly parts?: number;
  /** This is a document inside another, whose row is that of the URL before the fragment. */
  readonly part?: true;
  /** The URL under which its summary is published, when that is another. */
  readonly as?: string;
  /** Refresh-Rate of its summary in seconds, when that is its own. */
  readonly refresh?: number;
}

const rowKey = (url: string) => Buffer.from(`u${url}`);
const publishedKey = (url: string) => Buffer.from(`p${url}`);
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

  /** Forget what was noted and not written. What was written stands: a row counts only with the summary it names. */
  discard(): void {
    this.#pending.clear();
  }

  /** The URL and row of the document whose summary is published under a URL; of what was written alone. */
  async publishedAs(url: string): Promise<readonly [url: string, row: FetchRow] | undefined> {
    const elsewhere = await this.#database.get(publishedKey(url));
    const candidates = elsewhere === undefined ? [url] : [Buffer.from(elsewhere).toString(), url];
    for (const candidate of candidates) {
      const row = await this.recall(candidate);
      if (row?.digest !== undefined && (row.as ?? candidate) === url) return [candidate, row];
    }
    return undefined;
  }

  /** Every URL that begins with `prefix`, with its row, in order. */
  async *rows(prefix = ''): AsyncIterable<readonly [url: string, row: FetchRow]> {
    const from = rowKey(prefix);
    // No URL holds the byte 0xff.
    const range = { gte: from, lt: Buffer.concat([from, Uint8Array.of(0xff)]) };
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
    await this.#database.batch([...(await this.#publishedWrites(noted)), ...writes]);
    for (const [url] of noted) this.#pending.delete(url);
  }

  /** What leads from published URLs to the documents of these rows; what they leave goes before what they take. */
  async #publishedWrites(noted: readonly (readonly [string, FetchRow | undefined])[]): Promise<Write[]> {
    const before = await this.#database.getMany(noted.map(([url]) => rowKey(url)));
    const [left, taken]: [Write[], Write[]] = [[], []];
    for (const [at, [url, row]] of noted.entries()) {
      const value = before[at];
      const was =
        value === undefined ? undefined : (JSON.parse(Buffer.from(value).toString()) as FetchRow).as;
      if (was === row?.as) continue;
      if (was !== undefined) {
        const owner = await this.#database.get(publishedKey(was));
        // Another document may be published there by now.
        if (owner !== undefined && Buffer.from(owner).toString() === url)
          left.push({ type: 'del', key: publishedKey(was) });
      }
      if (row?.as !== undefined)
        taken.push({ type: 'put', key: publishedKey(row.as), value: Buffer.from(url) });
    }
    return [...left, ...taken];
  }
}
