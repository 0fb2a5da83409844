import type { Database, Write } from '../../store/index.ts';
import type { FetchRow } from './fetch-row.ts';
import type { Stamp } from './restamp.ts';
import { mergeReasons, type ReasonCounts } from './skip-reasons.ts';

const rowKey = (url: string) => Buffer.from(`u${url}`);
const publishedKey = (url: string) => Buffer.from(`p${url}`);
const nextKey = Buffer.from('n');
const matchedKey = Buffer.from('m');
const countKey = Buffer.from('c');
const reasonKey = Buffer.from('t');
const filledKey = Buffer.from('f');
const stampKey = Buffer.from('s');
const doubtKey = Buffer.from('d');

const rowsAtOnce = 1000;

/** A row of a sweep, not parsed yet. */
export interface UnreadRow {
  readonly url: string;
  readonly row: () => FetchRow;
}

/** The other URL under which a document is published, if any. */
function elsewhere({ as, digest }: Partial<FetchRow> = {}): string | undefined {
  return digest === undefined ? undefined : as;
}

function urlOfKey(key: Uint8Array): string {
  return Buffer.from(key.buffer, key.byteOffset + 1, key.byteLength - 1).toString();
}

function parsed(value: Uint8Array): FetchRow {
  return JSON.parse(Buffer.from(value.buffer, value.byteOffset, value.byteLength).toString()) as FetchRow;
}

/**
 * The fetch store: one row per URL, in a database of its own. After a kill between its batch and the object store's, a
 * row may name a digest that is not in the store. But there is never a summary without a row, whose deletion no run
 * would notice.
 */
export class FetchStore {
  readonly #database: Database;
  #next: number;
  #matched: string;
  #count: number;
  #elsewhere = false;
  #filled = false;
  #isDoubtful = false;
  /** The stamps, where the next batch is to write them. */
  #stampWrites: readonly Write[] = [];
  readonly #pending = new Map<string, FetchRow | undefined>();
  /** The URLs of documents in `#pending` by the other URL under which they are published. */
  readonly #pendingAs = new Map<string, string>();

  private constructor(database: Database, counts: { next: number; matched: string; count: number }) {
    this.#database = database;
    this.#next = counts.next;
    this.#matched = counts.matched;
    this.#count = counts.count;
  }

  static async open(database: Database): Promise<FetchStore> {
    const kept = await database.getMany([nextKey, matchedKey, countKey, filledKey, doubtKey]);
    const [next = '', matched = '', count = '', filled = '', doubt = ''] = kept.map((value) =>
      Buffer.from(value ?? []).toString(),
    );
    // An unknown count equals no number.
    const rows = count === '' && next !== '' ? Number.NaN : Number(count);
    const store = new FetchStore(database, { next: Number(next), matched, count: rows });
    store.#filled = filled !== '';
    store.#isDoubtful = doubt !== '';
    for await (const _ of database.keys({ gte: publishedKey(''), lt: Buffer.from('q'), limit: 1 }))
      store.#elsewhere = true;
    return store;
  }

  /** Number of rows on disk; NaN when unknown. */
  get count(): number {
    return this.#count;
  }

  /** Whether every row with a digest has its summary in the object store in this state. */
  matches(state: string): boolean {
    return this.#matched === state && this.#pending.size === 0;
  }

  /** Note on disk that `matches` is true for this state, until the next row is written. */
  async noteMatch(state: string): Promise<void> {
    if (this.#matched === state) return;
    await this.#database.batch([{ type: 'put', key: matchedKey, value: Buffer.from(state) }]);
    this.#matched = state;
  }

  /** Whether a run has ended since the store was made: until then a missing row means nothing. */
  get filled(): boolean {
    return this.#filled;
  }

  /** Note on disk that a run has ended. */
  async noteFilled(): Promise<void> {
    if (this.#filled && this.#stampWrites.length === 0) return;
    const filled: Write = { type: 'put', key: filledKey, value: Buffer.from('1') };
    await this.#database.batch([filled, ...this.#stampWrites]);
    this.#filled = true;
    this.#stampWrites = [];
  }

  /** From the next batch on summaries may have this stamp; resolves to the others that they may have from runs before. */
  async addStamp(stamp: Stamp): Promise<readonly Stamp[]> {
    const known = await this.#stamps();
    const others = known.filter((one) => JSON.stringify(one) !== JSON.stringify(stamp));
    if (others.length > 0 || known.length === 0) this.#setStamps([...others, stamp]);
    return others;
  }

  /** Every summary has this stamp. */
  keepStamp(stamp: Stamp): void {
    this.#setStamps([stamp]);
  }

  async #stamps(): Promise<readonly Stamp[]> {
    const value = await this.#database.get(stampKey);
    return value === undefined ? [] : [JSON.parse(Buffer.from(value).toString()) as Stamp | Stamp[]].flat();
  }

  #setStamps(stamps: readonly Stamp[]): void {
    this.#stampWrites = [{ type: 'put', key: stampKey, value: Buffer.from(JSON.stringify(stamps)) }];
  }

  /** Whether summaries may be without a row, since files of this store or of the object store were damaged. */
  get isDoubtful(): boolean {
    return this.#isDoubtful;
  }

  /**
   * Rows or summaries were lost: until a complete run this store counts as not filled. With `everything` every document
   * is read again.
   */
  async doubt({ everything = false } = {}): Promise<void> {
    let [next, count] = [0, 0];
    let gone: Write[] = [];
    for await (const [url, row] of this.rows()) {
      next = Math.max(next, row.ordinal + 1);
      count++;
      if (!everything) continue;
      const without: FetchRow = { ...row, profile: '' };
      gone.push({ type: 'put', key: rowKey(url), value: Buffer.from(JSON.stringify(without)) });
      if (gone.length < rowsAtOnce) continue;
      await this.#database.batch(gone);
      gone = [];
    }
    await this.#database.batch([
      ...gone,
      { type: 'put', key: doubtKey, value: Buffer.from('1') },
      { type: 'put', key: nextKey, value: Buffer.from(String(next)) },
      { type: 'put', key: countKey, value: Buffer.from(String(count)) },
      { type: 'del', key: filledKey },
      { type: 'del', key: matchedKey },
    ]);
    [this.#next, this.#count, this.#matched] = [next, count, ''];
    [this.#filled, this.#isDoubtful] = [false, true];
  }

  /** Every summary has its row again. */
  async endDoubt(): Promise<void> {
    if (!this.#isDoubtful) return;
    await this.#database.batch([{ type: 'del', key: doubtKey }]);
    this.#isDoubtful = false;
  }

  /** The last run's reasons for URLs without a summary. */
  async skipReasons(): Promise<ReasonCounts> {
    const value = await this.#database.get(reasonKey);
    if (value === undefined) return { named: [], more: false };
    return JSON.parse(Buffer.from(value).toString()) as ReasonCounts;
  }

  /** Store the reasons of a run, unless unchanged; those of an incomplete run join the earlier ones. */
  async noteReason(now: ReasonCounts, { complete }: { readonly complete: boolean }): Promise<void> {
    const before = await this.skipReasons();
    const after = complete ? now : mergeReasons(now, before);
    const text = JSON.stringify(after);
    if (text === JSON.stringify(before)) return;
    await this.#database.batch([{ type: 'put', key: reasonKey, value: Buffer.from(text) }]);
  }

  /** Number of assigned ordinals; a bit set of this many bits can mark every document. */
  get ordinals(): number {
    return this.#next;
  }

  async recall(url: string): Promise<FetchRow | undefined> {
    if (this.#pending.has(url)) return this.#pending.get(url);
    const value = await this.#database.get(rowKey(url));
    return value === undefined ? undefined : parsed(value);
  }

  /** Note a row for the next write, with the old ordinal or a new one, which is returned. */
  remember(url: string, row: Omit<FetchRow, 'ordinal'>, before: FetchRow | undefined): number {
    const ordinal = before?.ordinal ?? this.#next++;
    const full = { ordinal, ...row };
    this.#pending.set(url, full);
    const as = elsewhere(row);
    if (as !== undefined) {
      this.#pendingAs.set(as, url);
      this.#elsewhere = true;
    }
    return ordinal;
  }

  forget(url: string): void {
    this.#pending.set(url, undefined);
  }

  /** Write the noted rows of documents with a summary; call it before the summaries are written. */
  writeVouching(): Promise<void> {
    return this.#write((row) => row?.digest !== undefined);
  }

  /** Write the other noted rows; call it after the obsolete summaries were deleted. */
  writeOthers(): Promise<void> {
    return this.#write((row) => row?.digest === undefined);
  }

  /** Discard noted rows. Written rows stay: a row counts only with its summary. */
  discard(): void {
    this.#pending.clear();
    this.#pendingAs.clear();
  }

  /** Whether any document is published under a URL that is not its own. */
  get publishesElsewhere(): boolean {
    return this.#elsewhere;
  }

  /** The URL and row of the document whose summary is published under a URL. */
  async publishedAs(url: string): Promise<readonly [url: string, row: FetchRow] | undefined> {
    const value = await this.#database.get(publishedKey(url));
    const written = value === undefined ? undefined : Buffer.from(value).toString();
    for (const candidate of [this.#pendingAs.get(url), written, url]) {
      if (candidate === undefined) continue;
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
    for await (const [key, value] of this.#database.entries(range)) yield [urlOfKey(key), parsed(value)];
  }

  /** The same in batches, not parsed yet. */
  async *rowBatches(prefix: string): AsyncIterable<readonly UnreadRow[]> {
    const from = rowKey(prefix);
    const range = { gte: from, lt: Buffer.concat([from, Uint8Array.of(0xff)]) };
    for await (const entries of this.#database.entryBatches(range))
      yield entries.map(([key, value]) => ({ url: urlOfKey(key), row: () => parsed(value) }));
  }

  /** The first `limit` rows from a URL on, not parsed yet. */
  async rowsFrom(url: string, limit: number): Promise<readonly UnreadRow[]> {
    const found: UnreadRow[] = [];
    // Keys of rows begin with a u.
    for await (const entries of this.#database.entryBatches({
      gte: rowKey(url),
      lt: Buffer.from('v'),
      limit,
    }))
      for (const [key, value] of entries) found.push({ url: urlOfKey(key), row: () => parsed(value) });
    return found;
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
    if (this.#matched !== '') writes.push({ type: 'del', key: matchedKey });
    const before = await this.#database.getMany(noted.map(([url]) => rowKey(url)));
    const grown = noted.reduce(
      (sum, [, row], at) => sum + Number(row !== undefined) - Number(before[at] !== undefined),
      this.#count,
    );
    writes.push({ type: 'put', key: countKey, value: Buffer.from(String(grown)) });
    const published = await this.#publishedWrites(noted, before);
    await this.#database.batch([...published, ...this.#stampWrites, ...writes]);
    this.#stampWrites = [];
    this.#matched = '';
    this.#count = grown;
    for (const [url, row] of noted) {
      this.#pending.delete(url);
      if (row?.as !== undefined && this.#pendingAs.get(row.as) === url) this.#pendingAs.delete(row.as);
    }
  }

  /** Writes of the index from published URLs to the documents of these rows: deletions first. */
  async #publishedWrites(
    noted: readonly (readonly [string, FetchRow | undefined])[],
    before: readonly (Uint8Array | undefined)[],
  ): Promise<Write[]> {
    const [left, taken]: [Write[], Write[]] = [[], []];
    for (const [at, [url, row]] of noted.entries()) {
      const value = before[at];
      const was = value === undefined ? undefined : elsewhere(parsed(value));
      const as = elsewhere(row);
      if (was === as) continue;
      if (was !== undefined) {
        const owner = await this.#database.get(publishedKey(was));
        // Another document may be published there now.
        if (owner !== undefined && Buffer.from(owner).toString() === url)
          left.push({ type: 'del', key: publishedKey(was) });
      }
      if (as !== undefined) taken.push({ type: 'put', key: publishedKey(as), value: Buffer.from(url) });
    }
    return [...left, ...taken];
  }
}
