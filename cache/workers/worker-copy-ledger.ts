import type { Clock } from '../../kernel/index.ts';
import type { Learned, ReadyTable } from '../doors/index.ts';
import type { Entry } from '../storage/index.ts';
import { type FromWorker, maxCopyBytes, type ToWorker } from './messages.ts';

export interface CopyHolder {
  /** The clock of its response timeout. */
  readonly clock: Clock;
  /** False when so much is still unsent that no more copies shall be sent. */
  send(message: ToWorker, content?: Uint8Array): boolean;
  /** End it because it does not answer; when this resolves, its copies no longer exist. */
  end(): Promise<void>;
}

export interface CopyAccount {
  heard(message: FromWorker): void;
  /** The worker has ended, and all its copies with it. */
  close(): void;
}

/** The max time for a worker to confirm a drop; then it is ended. */
const maxSilenceMs = 2_000;

/** The copies that workers have, and the drops that they have yet to confirm. */
export class WorkerCopyLedger {
  readonly #table: ReadyTable;
  readonly #accounts = new Set<Account>();
  /** URLs under which a response is being stored, with the number of writers. */
  readonly #written = new Map<string, number>();
  readonly #dropping = new Map<string, number>();
  #droppingAll = 0;
  #settled: Promise<void> | undefined;
  #pending = 0;
  #onSettled: () => void = () => undefined;

  constructor(table: ReadyTable) {
    this.#table = table;
  }

  open(holder: CopyHolder): CopyAccount {
    const account = new Account(holder, {
      copiesOf: (url) => (this.isUnsettled(url) ? [] : this.#table.under(url)),
      drop: (url) => this.drop(url),
    });
    this.#accounts.add(account);
    return {
      heard: (message) => account.heard(message),
      close: () => {
        this.#accounts.delete(account);
        account.close();
      },
    };
  }

  /** The responses under a URL, or any without one, have changed: no worker may answer with the old ones. */
  drop(url?: string): void {
    for (const account of this.#accounts) {
      const dropped = account.drop(url);
      if (dropped !== undefined) this.#await(account, dropped, url);
    }
  }

  /** A response is being stored: no worker answers with the old one until the returned function is called. */
  writing(url: string): () => void {
    this.drop(url);
    add(this.#written, url, 1);
    let isDone = false;
    return () => {
      if (!isDone) add(this.#written, url, -1);
      isDone = true;
    };
  }

  /** Whether a worker may still answer with an old response of the URL, or a new one is being stored. */
  isUnsettled(url: string): boolean {
    return this.#droppingAll > 0 || this.#dropping.has(url) || this.#written.has(url);
  }

  /** Resolves when every worker has confirmed its drops; undefined when all have. */
  settled(): Promise<void> | undefined {
    if (this.#pending === 0) return undefined;
    this.#settled ??= new Promise((resolve) => {
      this.#onSettled = resolve;
    });
    return this.#settled;
  }

  #await(account: Account, dropped: Promise<void>, url: string | undefined): void {
    this.#pending += 1;
    if (url === undefined) this.#droppingAll += 1;
    else add(this.#dropping, url, 1);
    const patience = new AbortController();
    account.holder.clock.sleep(maxSilenceMs, patience.signal).then(
      () => account.holder.end(),
      () => undefined,
    );
    void dropped.then(() => {
      patience.abort();
      if (url === undefined) this.#droppingAll -= 1;
      else add(this.#dropping, url, -1);
      this.#pending -= 1;
      if (this.#pending > 0) return;
      this.#settled = undefined;
      this.#onSettled();
    });
  }
}

function add(counts: Map<string, number>, key: string, change: 1 | -1): void {
  const count = (counts.get(key) ?? 0) + change;
  if (count === 0) counts.delete(key);
  else counts.set(key, count);
}

interface Ready {
  copiesOf(url: string): readonly Learned[];
  drop(url: string): void;
}

class Account {
  readonly holder: CopyHolder;
  readonly #ready: Ready;
  readonly #copies = new Map<number, Learned>();
  /** By URL: the copies by their entry. */
  readonly #byUrl = new Map<string, Map<object, number>>();
  readonly #tickets = new Map<number, () => void>();
  #last = 0;

  constructor(holder: CopyHolder, ready: Ready) {
    this.holder = holder;
    this.#ready = ready;
  }

  /** Undefined when the worker has no copy of it. */
  drop(url: string | undefined): Promise<void> | undefined {
    if (url === undefined ? this.#byUrl.size === 0 : !this.#byUrl.has(url)) return undefined;
    if (url === undefined) this.#byUrl.clear();
    else this.#byUrl.delete(url);
    const ticket = ++this.#last;
    const dropped = new Promise<void>((resolve) => this.#tickets.set(ticket, resolve));
    this.holder.send({ is: 'drop', ticket, ...(url !== undefined && { url }) });
    return dropped;
  }

  heard(message: FromWorker): void {
    if (message.is === 'want') {
      for (const url of message.urls) if (!this.#give(url)) return;
    } else if (message.is === 'hits') {
      for (const [copy, count, bytes] of message.hits) this.#hit(copy, count, bytes);
    } else if (message.is === 'gone') {
      for (const copy of message.copies) this.#forget(copy);
    } else if (message.is === 'dropped') {
      this.#tickets.get(message.ticket)?.();
      this.#tickets.delete(message.ticket);
    }
  }

  close(): void {
    for (const done of this.#tickets.values()) done();
    this.#tickets.clear();
    this.#copies.clear();
    this.#byUrl.clear();
  }

  /** Send the prebuilt responses under a URL that the worker does not have yet. */
  #give(url: string): boolean {
    for (const learned of this.#ready.copiesOf(url)) {
      const { vary, requestFields, source } = learned;
      if (source.content.length > maxCopyBytes) continue;
      const given = this.#byUrl.get(url) ?? new Map<object, number>();
      if (given.has(source.of)) continue;
      const copy = ++this.#last;
      given.set(source.of, copy);
      this.#byUrl.set(url, given);
      this.#copies.set(copy, learned);
      const { head } = source.of as Entry;
      if (!this.holder.send({ is: 'give', copy, url, vary, requestFields, head }, source.content))
        return false;
    }
    return true;
  }

  #hit(copy: number, count: number, bytes: number): void {
    const learned = this.#copies.get(copy);
    if (learned === undefined) return;
    learned.source.onHits(count, bytes);
    // A response that has left the store is answered no longer than in this process.
    if (learned.source.isStored?.() === false) this.#ready.drop(learned.url);
  }

  #forget(copy: number): void {
    const learned = this.#copies.get(copy);
    if (learned === undefined) return;
    this.#copies.delete(copy);
    const given = this.#byUrl.get(learned.url);
    if (given?.get(learned.source.of) !== copy) return;
    given.delete(learned.source.of);
    if (given.size === 0) this.#byUrl.delete(learned.url);
  }
}
