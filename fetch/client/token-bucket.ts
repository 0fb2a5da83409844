import type { Clock } from '../../kernel/index.ts';

/** What a token bucket lets through. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Tokens a second, more than 0. */
  readonly perSecond: number;
  /** Tokens that may be taken at once after a rest. */
  readonly burst: number;
  /** Longest debt, in milliseconds of waiting; what is owed beyond it is forgiven. No end when absent. */
  readonly maxDebtMs?: number;
  /** Told when somebody begins to wait, and for how long. */
  readonly onWait?: (ms: number) => void;
}

/**
 * So many tokens a second, and a few at once. Whoever takes is told when he may begin, in the order of asking: nothing
 * queues here but a time. Between any two moments no more begins than the burst and what the time between them allows.
 */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  /** How far what was taken may lie ahead of its time. */
  readonly #aheadMs: number;
  readonly #maxDebtMs: number;
  readonly #onWait: ((ms: number) => void) | undefined;
  /** When all that was taken will have come in; clock milliseconds. */
  #paidAt = Number.NEGATIVE_INFINITY;
  #lastNow = Number.NEGATIVE_INFINITY;
  #waiters = 0;
  #waitingSince = 0;
  #waitedMs = 0;

  constructor({ clock, perSecond, burst, maxDebtMs = Number.POSITIVE_INFINITY, onWait }: TokenBucketOptions) {
    this.#clock = clock;
    this.#msPerToken = 1000 / perSecond;
    this.#aheadMs = Math.max(0, burst - 1) * this.#msPerToken;
    this.#maxDebtMs = maxDebtMs;
    this.#onWait = onWait;
  }

  /** Milliseconds during which somebody waited here, however many at once. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waiters > 0 ? this.#now() - this.#waitingSince : 0);
  }

  /** Milliseconds until what was taken has come in; 0 when nothing is owed. */
  get debtMs(): number {
    const now = this.#now();
    return Math.max(0, this.#paidAt - this.#aheadMs - now);
  }

  /** Take tokens, there or not; returns the clock's time in milliseconds at which their taker may begin. */
  take(tokens = 1): number {
    const now = this.#now();
    const begin = Math.max(now, this.#paidAt - this.#aheadMs);
    const paidAt = Math.max(now, this.#paidAt) + tokens * this.#msPerToken;
    this.#paidAt = Math.min(paidAt, now + this.#aheadMs + this.#maxDebtMs);
    return begin;
  }

  /** Wait for a time that `take` returned. Rejects with the reason of the signal. */
  async waitUntil(begin: number, signal?: AbortSignal): Promise<void> {
    const now = this.#now();
    if (begin <= now) return;
    if (this.#waiters++ === 0) this.#waitingSince = now;
    this.#onWait?.(begin - now);
    try {
      await this.#clock.sleep(begin - now, signal);
    } finally {
      if (--this.#waiters === 0) this.#waitedMs += Math.max(0, this.#now() - this.#waitingSince);
    }
  }

  /** The time; a clock that was set back takes what is owed with it, so that nobody waits for the difference. */
  #now(): number {
    const now = this.#clock.now();
    if (now < this.#lastNow) {
      const back = this.#lastNow - now;
      this.#paidAt -= back;
      this.#waitingSince -= back;
    }
    this.#lastNow = now;
    return now;
  }
}
