import type { Clock } from '../../kernel/index.ts';
import { type ReadyMetadata, readyHeadOf, validatorsOf } from '../answers/index.ts';
import type { ReadyAnswer, ReadyAnswers, ReadyTable, RequestValues } from '../doors/index.ts';
import type { FromWorker, HandedCopy, ToWorker } from './messages.ts';

export interface WorkerCopiesOptions extends ReadyMetadata {
  readonly table: ReadyTable;
  readonly clock: Clock;
  send(message: FromWorker): void;
}

/** The max URLs that were requested once recently, and the max URLs to ask for in one message. */
const maxRequested = 8_192;
const maxWanted = 256;
/** How long wanted URLs are collected: a requested response is often being stored at that moment. */
const collectingMs = 20;

/**
 * The answers of a worker's fast lane: copies that the process with the store sends for URLs that are
 * requested more than once. Their heads are built here, by the same rules, as long as they are fresh.
 */
export class WorkerCopies implements ReadyAnswers {
  readonly #options: WorkerCopiesOptions;
  #requested = new Set<string>();
  readonly #wanted = new Set<string>();
  #hits = new Map<number, { count: number; bytes: number }>();
  #removed: number[] = [];

  constructor(options: WorkerCopiesOptions) {
    this.#options = options;
  }

  find(url: string, head: RequestValues, nowMs: number): ReadyAnswer | undefined {
    const answer = this.#options.table.find(url, head, nowMs);
    if (answer === undefined) this.#miss(url);
    return answer;
  }

  take(given: HandedCopy, content: Buffer): void {
    const { table, clock } = this.#options;
    const { copy, url, vary, requestFields, head } = given;
    const entry = { head, contentLength: content.length, invalidated: false };
    const source = {
      of: given,
      content,
      ...validatorsOf(entry),
      headAt: (nowMs: number) => readyHeadOf(entry, this.#options, nowMs),
      onHits: (count: number, bytes: number) => {
        const counted = this.#hits.get(copy);
        this.#hits.set(copy, { count: (counted?.count ?? 0) + count, bytes: (counted?.bytes ?? 0) + bytes });
      },
      left: () => this.#left(copy),
    };
    if (!table.learn({ url, vary, requestFields, source }, clock.now())) this.#left(copy);
  }

  /** Drop the copies of a URL, or all without one, and confirm. */
  drop({ url, ticket }: ToWorker & { readonly is: 'drop' }): void {
    if (url === undefined) this.#options.table.forgetAll();
    else this.#options.table.forget(url);
    this.#reportLeft();
    this.#options.send({ is: 'dropped', ticket });
  }

  reportHits(): void {
    this.#options.table.reportHits();
    this.#reportLeft();
  }

  #left(copy: number): void {
    this.#removed.push(copy);
    if (this.#removed.length === 1) setImmediate(() => this.#reportLeft());
  }

  /** Hits come before removed copies: the other side no longer knows a removed copy. */
  #reportLeft(): void {
    if (this.#hits.size > 0) {
      const hits = [...this.#hits].map(([copy, { count, bytes }]) => [copy, count, bytes] as const);
      this.#hits = new Map();
      this.#options.send({ is: 'hits', hits });
    }
    if (this.#removed.length > 0) this.#options.send({ is: 'gone', copies: this.#removed });
    this.#removed = [];
  }

  /** A URL that is requested a second time is wanted. */
  #miss(url: string): void {
    if (!this.#requested.delete(url)) {
      if (this.#requested.size >= maxRequested) this.#requested = new Set();
      // A copy: a slice of a text keeps all of it in memory.
      this.#requested.add(Buffer.from(url, 'latin1').toString('latin1'));
      return;
    }
    this.#requested.add(url);
    if (this.#wanted.size >= maxWanted) return;
    if (this.#wanted.size === 0) void this.#requestWanted();
    this.#wanted.add(url);
  }

  async #requestWanted(): Promise<void> {
    await this.#options.clock.sleep(collectingMs);
    const urls = [...this.#wanted];
    this.#wanted.clear();
    this.#options.send({ is: 'want', urls });
  }
}
