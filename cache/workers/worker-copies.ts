import type { Clock } from '../../kernel/index.ts';
import { type ReadyMetadata, readyHeadOf, validatorsOf } from '../answers/index.ts';
import type { ReadyAnswer, ReadyAnswers, ReadyTable, RequestValues } from '../doors/index.ts';
import type { FromWorker, HandedCopy, ToWorker } from './messages.ts';

export interface WorkerCopiesOptions extends ReadyMetadata {
  readonly table: ReadyTable;
  readonly clock: Clock;
  tell(message: FromWorker): void;
}

/** URLs that were asked for once of late, and wishes that wait. */
const mostAsked = 8_192;
const mostWanted = 256;
/** How long wishes are gathered: what was asked for is often being stored just now. */
const wishMs = 20;

/**
 * What a worker's fast lane answers from: copies that the process with the store hands over for what is asked for more
 * than once. Their heads are made here, by the same rules, as long as they are fresh.
 */
export class WorkerCopies implements ReadyAnswers {
  readonly #options: WorkerCopiesOptions;
  #asked = new Set<string>();
  readonly #wanted = new Set<string>();
  #hits = new Map<number, { count: number; bytes: number }>();
  #gone: number[] = [];

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
        const told = this.#hits.get(copy);
        this.#hits.set(copy, { count: (told?.count ?? 0) + count, bytes: (told?.bytes ?? 0) + bytes });
      },
      left: () => this.#left(copy),
    };
    if (!table.learn({ url, vary, requestFields, source }, clock.now())) this.#left(copy);
  }

  /** Give no more of it, and say so. */
  drop({ url, ticket }: ToWorker & { readonly is: 'drop' }): void {
    if (url === undefined) this.#options.table.forgetAll();
    else this.#options.table.forget(url);
    this.#reportLeft();
    this.#options.tell({ is: 'dropped', ticket });
  }

  /** Tell of what was answered since the last time. */
  tellHits(): void {
    this.#options.table.tellHits();
    this.#reportLeft();
  }

  #left(copy: number): void {
    this.#gone.push(copy);
    if (this.#gone.length === 1) setImmediate(() => this.#reportLeft());
  }

  /** Hits before what is gone: who is gone is not known any more. */
  #reportLeft(): void {
    if (this.#hits.size > 0) {
      const hits = [...this.#hits].map(([copy, { count, bytes }]) => [copy, count, bytes] as const);
      this.#hits = new Map();
      this.#options.tell({ is: 'hits', hits });
    }
    if (this.#gone.length > 0) this.#options.tell({ is: 'gone', copies: this.#gone });
    this.#gone = [];
  }

  /** What is asked for a second time is wanted. */
  #miss(url: string): void {
    if (!this.#asked.delete(url)) {
      if (this.#asked.size >= mostAsked) this.#asked = new Set();
      // A copy: a piece of a text holds all of it.
      this.#asked.add(Buffer.from(url, 'latin1').toString('latin1'));
      return;
    }
    this.#asked.add(url);
    if (this.#wanted.size >= mostWanted) return;
    if (this.#wanted.size === 0) void this.#wish();
    this.#wanted.add(url);
  }

  async #wish(): Promise<void> {
    await this.#options.clock.sleep(wishMs);
    const urls = [...this.#wanted];
    this.#wanted.clear();
    this.#options.tell({ is: 'want', urls });
  }
}
