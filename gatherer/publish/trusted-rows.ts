import type { Enumerated, OrderedRecall, Remembered } from '../enumerate/index.ts';
import { replayFindings } from './document-findings.ts';
import type { FetchRow } from './fetch-row.ts';
import type { FetchStore, UnreadRow } from './fetch-store.ts';
import type { Production } from './production.ts';
import { RowWindow } from './row-window.ts';
import type { Tally } from './run-statistics.ts';
import type { SeenSet } from './seen-set.ts';

/** Finds rows by URLs that come in ascending order: one sweep, and a promise only where it must read on. */
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
  /** Says how summaries are made; rows of another profile count as unknown. */
  readonly profile: string;
}

/** So many documents are kept for one that is told of. */
const storedPerSent = 64;

/**
 * What enumerators may recall: rows that still lead to what the store holds. Both are compared row by row once; as long
 * as neither is written by anybody else, later runs believe the rows, and a document that has not changed costs no look
 * at the store.
 */
export class TrustedRows {
  readonly #options: RecollectionOptions;
  /** Rows as they were handed out: an enumerator that hands one back has nothing new to remember. */
  #handedOut = new WeakSet<Remembered>();
  /** What is left out and has no row. */
  #unknown = new WeakSet<Enumerated>();
  #window: RowWindow;
  #trusted = false;
  #sound = true;

  constructor(options: RecollectionOptions) {
    this.#options = options;
    this.#window = new RowWindow(options.fetchStore);
  }

  /** A run or an update begins; it ends with the disposal. Nobody else writes to the store meanwhile. */
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

  /** Whether rows are known to lead to what the store holds without a look at it. */
  get isTrusted(): boolean {
    return this.#trusted;
  }

  /** What was noted may not have been written. */
  lose(): void {
    this.#trusted = false;
    this.#sound = false;
  }

  /** A row stays as it is: if it leads elsewhere, not everything matches. */
  async stays(url: string, row: FetchRow): Promise<void> {
    if (!(await this.#holds(url, row))) this.#sound = false;
  }

  /**
   * Note, after a whole run, that every row has been compared with the store, so that the next run need not. What the
   * store holds must be safe on disk by now.
   */
  async noteMatch(): Promise<void> {
    const { fetchStore, production } = this.#options;
    if (this.#sound && production.settled) await fetchStore.noteMatch(production.state);
  }

  /** The row of a URL if it still leads to what the store holds. */
  async recall(url: string): Promise<FetchRow | undefined> {
    const row = await this.#options.fetchStore.recall(url);
    if (row === undefined || !(await this.#holds(url, row))) return undefined;
    this.#handedOut.add(row);
    return row;
  }

  /**
   * The same for URLs below `prefix` that are asked for in their order: one sweep over the rows. With `into` a document
   * that is kept is counted there and need not be told of.
   */
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
        // Now and then one goes the long way, on which a run can be stopped or slowed down.
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

  /** The row of a URL whatever it leads to, if one that was read ahead is still it. */
  readAhead(url: string): FetchRow | undefined {
    return this.#isStill ? this.#window.find(url) : undefined;
  }

  /** Whether no row was noted or written since a run began that trusts them. */
  get #isStill(): boolean {
    const { fetchStore, production } = this.#options;
    return this.#trusted && fetchStore.matches(production.state);
  }

  /** Whether an item is of what was left out and has no row, nor gets one in this run. */
  isUnknown(item: Enumerated): boolean {
    return this.#unknown.has(item);
  }

  /** Every document that has a summary, or parts that have. */
  async *known(prefix?: string): AsyncIterable<string> {
    for await (const [url, row] of this.#options.fetchStore.rows(prefix))
      if (row.part === undefined && (row.digest !== undefined || row.parts !== undefined)) yield url;
  }

  /** Keep an unchanged document whose row was handed out and says that nothing is to be done; false: there is more. */
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

  /** Whether a row is of the present settings, and not of a document that is to be tried again. */
  #isCurrent({ profile, retry }: FetchRow): boolean {
    const { production, profile: current } = this.#options;
    return profile === current && (retry === undefined || !production.isDue(retry.at));
  }

  /** Whether a row still leads to what the store holds, and so do those of its parts. */
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
