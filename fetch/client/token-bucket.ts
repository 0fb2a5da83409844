import type { Clock } from '../../kernel/index.ts';

/** The rate of a token bucket. */
export interface TokenBucketOptions {
  readonly clock: Clock;
  /** Tokens a second, more than 0. */
  readonly perSecond: number;
  /** Tokens that may be taken at once after a rest. */
  readonly burst: number;
  /** Max debt, in milliseconds of waiting; any debt beyond it is forgiven. No limit when absent. */
  readonly maxDebtMs?: number;
  /** Called when a taker begins to wait, with its wait in milliseconds. */
  readonly onWait?: (ms: number) => void;
}

/** A rate of tokens with bursts. Each taker gets its start time, in the order of the calls. */
export class TokenBucket {
  readonly #clock: Clock;
  readonly #msPerToken: number;
  /** How far the taken tokens may be ahead of their time. */
  readonly #aheadMs: number;
  readonly #maxDebtMs: number;
  readonly #onWait: ((ms: number) => void) | undefined;
  /** When the rate will have paid for all taken tokens; clock milliseconds. */
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

  /** Milliseconds during which at least one taker waited here. */
  get waitedMs(): number {
    return this.#waitedMs + (this.#waiters > 0 ? this.#now() - this.#waitingSince : 0);
  }

  /** Milliseconds until the rate has paid for the taken tokens; 0 without a debt. */
  get debtMs(): number {
    const now = this.#now();
    return Math.max(0, this.#paidAt - this.#aheadMs - now);
  }

  /** Take tokens, available or not; returns the clock's time in milliseconds at which their taker may begin. */
  take(tokens = 1): number {
    const now = this.#now();
    const begin = Math.max(now, this.#paidAt - this.#aheadMs);
    const paidAt = Math.max(now, this.#paidAt) + tokens * this.#msPerToken;
    this.#paidAt = Math.min(paidAt, now + this.#aheadMs + this.#maxDebtMs);
    return begin;
  }

  /** Wait for a time that `take` returned. Rejects with the signal's reason. */
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

  /** The time; a clock that was set back moves the debt with it, so that no taker waits for the difference. */
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
