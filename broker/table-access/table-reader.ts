import { type Fetch, readBody, TokenBucket } from '../../fetch/index.ts';
import { type Clock, failure, GarnerError, RecentMap } from '../../kernel/index.ts';
import { decodeObject, isOid, type Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { type DocumentTable, readTables, type TableFormat, tableFormat } from './table-document.ts';
import { askTable, type TableAnswer, type TableQuestion } from './table-question.ts';

export interface TableReaderOptions {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** Max size of a document that is read as a table. */
const maxBytes = 16 * 1024 * 1024;
/** Max cached documents, and for how long; each has at most a million cells. */
const maxCached = 4;
const cacheMs = 5 * 60_000;
/** Rate of document reads: this many at once, then one a second; two at the same time. */
const readsAtOnce = 5;
const readsPerSecond = 1;
const maxReading = 2;

interface Cached {
  readonly tables: Promise<readonly DocumentTable[]>;
  readonly at: number;
}

/** Stored objects' documents read as tables on request (harvest.txt 3.3), under the rules of `fetch`. */
export class TableReader {
  readonly #options: TableReaderOptions;
  readonly #bucket: TokenBucket;
  readonly #cached = new RecentMap<string, Cached>(maxCached);
  #reading = 0;

  constructor(options: TableReaderOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket({ clock: options.clock, perSecond: readsPerSecond, burst: readsAtOnce });
  }

  /** Query a document. Throws BROKER_NO_OBJECT, BROKER_NO_TABLE, BROKER_TABLE_UNREAD, BROKER_BUSY. */
  async ask(oid: string, question: TableQuestion): Promise<TableAnswer & { readonly url: string }> {
    const stored = isOid(oid) ? await this.#options.store.get(oid as Oid) : undefined;
    if (stored === undefined) throw failure(brokerErrors.BROKER_NO_OBJECT, { oid: oid.slice(0, 64) });
    const object = decodeObject(stored.body);
    const format = tableFormat(object);
    if (format === undefined) throw failure(brokerErrors.BROKER_NO_TABLE, { url: object.url });
    const key = `${oid} ${Buffer.from(stored.digest).toString('hex')}`;
    const now = this.#options.clock.now();
    let cached = this.#cached.get(key);
    if (cached === undefined || now - cached.at > cacheMs) {
      if (this.#reading >= maxReading || this.#bucket.debtMs > 0) throw failure(brokerErrors.BROKER_BUSY, {});
      this.#bucket.take();
      this.#reading++;
      const tables = this.#read(object.url, format).finally(() => {
        this.#reading--;
      });
      cached = { tables, at: now };
      // A failed read is repeated at the next query.
      tables.catch(() => this.#cached.delete(key));
    }
    this.#cached.set(key, cached);
    return { url: object.url, ...askTable(await cached.tables, question) };
  }

  async #read(url: string, format: TableFormat): Promise<readonly DocumentTable[]> {
    const unread = (reason: string, cause: unknown) =>
      failure(brokerErrors.BROKER_TABLE_UNREAD, { url, reason }, cause);
    try {
      await using response = await this.#options.fetch({ url, maxBytes });
      if (response.status !== 200) throw new RangeError(`its server answered ${response.status}`);
      return await readTables(await readBody(response), format);
    } catch (error) {
      if (error instanceof GarnerError || error instanceof RangeError) throw unread(error.message, error);
      throw error;
    }
  }
}
