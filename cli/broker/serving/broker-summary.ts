import { brokerFault } from '../../../broker/events.ts';
import type { SearchEngine } from '../../../broker/index.ts';
import { type Clock, systemClock } from '../../../kernel/index.ts';
import { type ContentSummary, isWorthSending, printSummary, summarise } from '../../../registry/index.ts';

export interface BrokerSummaryOptions {
  readonly engine: Pick<SearchEngine, 'vocabulary' | 'lsn' | 'count' | 'languages'>;
  /** UTF-8 bytes of its texts. */
  readonly bytes: () => number;
  /** Min time between two readings of the vocabulary. */
  readonly everyMs: number;
  readonly clock?: Clock;
}

/** A description that has no summary yet waits for it so long. */
const firstMs = 1000;

/** Reading the vocabulary takes at most one part in this many of the time. */
const restPerWork = 20;

/** The content summary of a Broker. It is made again, off the path of queries, when the index has changed. */
export class BrokerSummary implements AsyncDisposable {
  readonly #options: BrokerSummaryOptions;
  readonly #clock: Clock;
  readonly #abort = new AbortController();
  #sent: { readonly summary: ContentSummary; readonly text: string } | undefined;
  #lsn = -1;
  #nextAt = Number.NEGATIVE_INFINITY;
  #making: Promise<void> | undefined;

  constructor(options: BrokerSummaryOptions) {
    this.#options = options;
    this.#clock = options.clock ?? systemClock;
  }

  /** The summary as text: the same until it has changed enough to be worth sending. Empty while there is none. */
  async text(): Promise<string> {
    this.#refresh();
    if (this.#sent === undefined) await this.#first();
    return this.#sent?.text ?? '';
  }

  /** Resolves when no summary is being made. */
  async settled(): Promise<void> {
    await this.#making;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#abort.abort();
    await this.#making;
  }

  async #first(): Promise<void> {
    const timer = new AbortController();
    const waiting = this.#clock.sleep(firstMs, timer.signal).catch(() => undefined);
    await Promise.race([this.#making, waiting]);
    timer.abort();
    await waiting;
  }

  #refresh(): void {
    const { engine } = this.#options;
    const isDue = engine.lsn !== this.#lsn && this.#clock.now() >= this.#nextAt;
    if (!isDue || this.#abort.signal.aborted) return;
    this.#making ??= this.#make().finally(() => {
      this.#making = undefined;
    });
  }

  async #make(): Promise<void> {
    const { engine, bytes, everyMs } = this.#options;
    const { signal } = this.#abort;
    const { lsn, count } = engine;
    const startedAt = this.#clock.now();
    try {
      const vocabulary = engine.vocabulary?.();
      if (vocabulary === undefined) return;
      const languages = [...engine.languages].sort((a, b) => b[1] - a[1]);
      const facts = { objects: count, bytes: bytes(), languages };
      const summary = await summarise(vocabulary, facts, signal);
      if (this.#sent === undefined || isWorthSending(this.#sent.summary, summary))
        this.#sent = { summary, text: printSummary(summary) };
      this.#lsn = lsn;
    } catch (error) {
      if (!signal.aborted) brokerFault.publish({ where: 'content summary', error });
    }
    const now = this.#clock.now();
    this.#nextAt = now + Math.max(everyMs, restPerWork * (now - startedAt));
  }
}
