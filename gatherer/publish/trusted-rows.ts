import type { Enumerated, OrderedRecall, Remembered } from '../enumerate/index.ts';
import { replayFindings } from './document-findings.ts';
import type { FetchRow } from './fetch-row.ts';
import type { FetchStore, UnreadRow } from './fetch-store.ts';
import type { Production } from './production.ts';
import { RowWindow } from './row-window.ts';
import type { Tally } from './run-statistics.ts';
import type { SeenSet } from './seen-set.ts';

/** Finds rows by URLs in ascending order in one sweep; returns a promise only when it must read more rows. */
class RowSweep implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly UnreadRow[]>;
  #batch: readonly UnreadRow[] = [];
  #at = 0;
  #ended = false;

  constructor(batches: AsyncIterable<readonly UnreadRow[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The row of a URL, if there is one. */
  find(url: string): UnreadRow | undefined | Promise<UnreadRow | undefined> {
    if (this.#forward(url) || this.#ended) return this.#current(url);
    return this.#readOn(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }

  /** Whether a row that does not come before the URL has been reached. */
  #forward(url: string): boolean {
    const batch = this.#batch;
    while (this.#at < batch.length && (batch[this.#at] as UnreadRow).url < url) this.#at++;
    return this.#at < batch.length;
  }

  async #readOn(url: string): Promise<UnreadRow | undefined> {
    while (!this.#forward(url)) {
      const next = await this.#batches.next();
      this.#ended = next.done === true;
      if (next.done === true) return undefined;
      this.#batch = next.value;
      this.#at = 0;
    }
    return this.#current(url);
  }

  #current(url: string): UnreadRow | undefined {
    const found = this.#batch[this.#at];
    return found?.url === url ? found : undefined;
  }
}

export interface RecollectionOptions {
  readonly fetchStore: FetchStore;
  readonly production: Production;
  /** Digest of the summarising settings; rows of another profile count as unknown. */
  readonly profile: string;
  /** The bounds of a document's time and memory; a document that failed is read again with others. */
  readonly bounds: string;
}

/** Kept documents per yielded one. */
const storedPerSent = 64;

/**
 * The rows that enumerators may recall: those whose summary is still in the store. Rows and store are compared once;
 * while nothing else writes to either, later runs trust the rows, and an unchanged document costs no read of the store.
 */
export class TrustedRows {
  readonly #options: RecollectionOptions;
  /** Rows as returned: an enumerator that yields one has nothing new to store. */
  #handedOut = new WeakSet<Remembered>();
  /** Items that are left out and have no row. */
  #unknown = new WeakSet<Enumerated>();
  #window: RowWindow;
  #trusted = false;
  #sound = true;

  constructor(options: RecollectionOptions) {
    this.#options = options;
    this.#window = new RowWindow(options.fetchStore);
  }

  /** Begin a run or an update, which ends with the disposal. Nothing else writes to the store meanwhile. */
  begin(): Disposable {
    const { fetchStore, production } = this.#options;
    this.#trusted = production.settled && fetchStore.matches(production.state);
    this.#sound = true;
    return {
      [Symbol.dispose]: () => {
        this.#trusted = false;
        this.#handedOut = new WeakSet();
        this.#unknown = new WeakSet();
        this.#window = new RowWindow(fetchStore);
      },
    };
  }

  /** Whether rows have their summaries in the store, so that it need not be read. */
  get isTrusted(): boolean {
    return this.#trusted;
  }

  /** Noted rows may not have been written. */
  lose(): void {
    this.#trusted = false;
    this.#sound = false;
  }

  /** A row stays unchanged: if its summary is not in the store, not everything matches. */
  async stays(url: string, row: FetchRow): Promise<void> {
    if (!(await this.#holds(url, row))) this.#sound = false;
  }

  /** After a complete run and a sync, note that every row matches, so that the next run need not compare. */
  async noteMatch(): Promise<void> {
    const { fetchStore, production } = this.#options;
    if (this.#sound && production.settled) await fetchStore.noteMatch(production.state);
  }

  /** The row of a URL if its summary is still in the store. */
  async recall(url: string): Promise<FetchRow | undefined> {
    const row = await this.#options.fetchStore.recall(url);
    if (row === undefined || !(await this.#holds(url, row))) return undefined;
    this.#handedOut.add(row);
    return row;
  }

  /** The same below `prefix`, in order; `into` counts kept documents, which need not be yielded then. */
  inOrder(prefix: string, into?: { readonly tally: Tally; readonly seen: SeenSet }): OrderedRecall {
    const rows = into !== undefined && this.#isStill ? this.#window : undefined;
    const sweep = new RowSweep(rows?.below(prefix) ?? this.#options.fetchStore.rowBatches(prefix));
    let last: FetchRow | undefined;
    let kept = 0;
    const found = (unread: UnreadRow | undefined) => {
      last = undefined;
      if (unread === undefined) return undefined;
      const row = unread.row();
      if (!this.#trusted || !this.#isCurrent(row))
        return this.#holds(unread.url, row).then((holds) => (holds ? row : undefined));
      last = row;
      return row;
    };
    return {
      recall: (url) => {
        const unread = sweep.find(url);
        return unread instanceof Promise ? unread.then(found) : found(unread);
      },
      keep: (url, remembered) => {
        const row = remembered as FetchRow;
        if (row !== last || !this.#isSettled(row)) return false;
        this.#handedOut.add(row);
        // At intervals a document is yielded, so that the run can be stopped or slowed down.
        if (into === undefined || ++kept % storedPerSent === 0) return false;
        this.#keep(url, row, into.tally, into.seen);
        return true;
      },
      leaveOut: (item) => {
        const unread = sweep.find(item.url);
        const note = (row: UnreadRow | undefined) => void (row === undefined && this.#unknown.add(item));
        return unread instanceof Promise ? unread.then(note) : note(unread);
      },
      [Symbol.asyncDispose]: () => sweep[Symbol.asyncDispose](),
    };
  }

  /** The row of a URL from those read ahead, if it is still current. */
  readAhead(url: string): FetchRow | undefined {
    return this.#isStill ? this.#window.find(url) : undefined;
  }

  /** Whether no row was noted or written since the begin of a run that trusts the rows. */
  get #isStill(): boolean {
    const { fetchStore, production } = this.#options;
    return this.#trusted && fetchStore.matches(production.state);
  }

  /** Whether an item was left out and has no row, nor gets one in this run. */
  isUnknown(item: Enumerated): boolean {
    return this.#unknown.has(item);
  }

  /** Every document with a summary, or with parts that have summaries. */
  async *known(prefix?: string): AsyncIterable<string> {
    for await (const [url, row] of this.#options.fetchStore.rows(prefix))
      if (row.part === undefined && (row.digest !== undefined || row.parts !== undefined)) yield url;
  }

  /** Keep an unchanged document whose row was returned and needs no work; false: it needs work. */
  keep(url: string, remember: Remembered, tally: Tally, seen: SeenSet): boolean {
    if (!this.#handedOut.has(remember) || !this.#isSettled(remember as FetchRow)) return false;
    this.#keep(url, remember as FetchRow, tally, seen);
    return true;
  }

  /** The rows of a document's parts. */
  async *parts(url: string): AsyncIterable<readonly [string, FetchRow]> {
    for await (const [at, row] of this.#options.fetchStore.rows(`${url}#`))
      if (row.part !== undefined) yield [at, row];
  }

  #keep(url: string, row: FetchRow, tally: Tally, seen: SeenSet): void {
    seen.add(row.ordinal);
    if (row.findings !== undefined) replayFindings(url, row.findings, tally);
    if (row.digest !== undefined || row.findings?.left === undefined) tally.done(url, 'unchanged');
  }

  #isSettled({ due, digest, parts }: FetchRow): boolean {
    if (!this.#trusted || parts !== undefined) return false;
    return digest === undefined || (due !== undefined && !this.#options.production.isDue(due));
  }

  /** Whether a row is of the present settings, and its document is not to be tried again. */
  #isCurrent({ profile, retry }: FetchRow): boolean {
    const { production, profile: current, bounds } = this.#options;
    return (
      profile === current && (retry === undefined || (retry.bounds === bounds && !production.isDue(retry.at)))
    );
  }

  /** Whether the summaries of a row and of its parts are still in the store. */
  async #holds(url: string, row: FetchRow): Promise<boolean> {
    const { production } = this.#options;
    const { digest, as, parts } = row;
    if (!this.#isCurrent(row)) return false;
    if (this.#trusted) return true;
    if (digest !== undefined && digest !== (await production.digest(as ?? url))) return false;
    if (parts === undefined) return true;
    for await (const [at, part] of this.parts(url)) if (!(await this.#holds(at, part))) return false;
    return true;
  }
}
