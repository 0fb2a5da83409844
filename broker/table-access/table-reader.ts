import { type Fetch, readBody, TokenBucket } from '../../fetch/index.ts';
import { type Clock, failure, GarnerError } from '../../kernel/index.ts';
import { decodeObject, isOid, type Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { type DocumentTable, readTables, tableFormat } from './table-document.ts';
import { askTable, type TableAnswer, type TableQuestion } from './table-question.ts';

export interface TableReaderOptions {
  readonly store: Pick<ObjectStore, 'get'>;
  readonly fetch: Fetch;
  readonly clock: Clock;
}

/** The largest document that is read as a table. */
const maxBytes = 16 * 1024 * 1024;
/** Documents kept at once, and how long; each has at most a million cells. */
const keptDocuments = 4;
const keptMs = 5 * 60_000;
/** Documents read: so many at once, then one in a second; two at the same time. */
const readsAtOnce = 5;
const readsPerSecond = 1;
const maxReading = 2;

interface Kept {
  readonly tables: Promise<readonly DocumentTable[]>;
  readonly at: number;
}

/**
 * Documents of the store read as tables when somebody wants to see them: an access method of the object (harvest.txt
 * 3.3). Only URLs of objects here are asked for, through the guard of `fetch`.
 */
export class TableReader {
  readonly #options: TableReaderOptions;
  readonly #bucket: TokenBucket;
  readonly #kept = new Map<string, Kept>();
  #reading = 0;

  constructor(options: TableReaderOptions) {
    this.#options = options;
    this.#bucket = new TokenBucket({ clock: options.clock, perSecond: readsPerSecond, burst: readsAtOnce });
  }

  /** Ask an object's document. Throws BROKER_NO_OBJECT, BROKER_NO_TABLE, BROKER_TABLE_UNREAD, BROKER_BUSY. */
  async ask(oid: string, question: TableQuestion): Promise<TableAnswer & { readonly url: string }> {
    const stored = isOid(oid) ? await this.#options.store.get(oid as Oid) : undefined;
    if (stored === undefined) throw failure(brokerErrors.BROKER_NO_OBJECT, { oid: oid.slice(0, 64) });
    const object = decodeObject(stored.body);
    const format = tableFormat(object);
    if (format === undefined) throw failure(brokerErrors.BROKER_NO_TABLE, { url: object.url });
    const key = `${oid} ${Buffer.from(stored.digest).toString('hex')}`;
    const now = this.#options.clock.now();
    let kept = this.#kept.get(key);
    if (kept === undefined || now - kept.at > keptMs) {
      if (this.#reading >= maxReading || this.#bucket.debtMs > 0) throw failure(brokerErrors.BROKER_BUSY, {});
      this.#bucket.take();
      this.#reading++;
      const tables = this.#read(object.url, format).finally(() => {
        this.#reading--;
      });
      kept = { tables, at: now };
      // What failed is read again when it is asked for again.
      tables.catch(() => this.#kept.delete(key));
    }
    this.#kept.delete(key);
    this.#kept.set(key, kept);
    const [oldest] = this.#kept.keys();
    if (this.#kept.size > keptDocuments && oldest !== undefined) this.#kept.delete(oldest);
    return { url: object.url, ...askTable(await kept.tables, question) };
  }

  async #read(url: string, format: 'delimited' | 'sqlite'): Promise<readonly DocumentTable[]> {
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
