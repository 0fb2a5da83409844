import type { Clock } from '../../kernel/index.ts';

/** Leases may end at any moment of any server: the timer is not set more often than this. */
const minWaitMs = 50;

/** One timer for all leases of a directory: calls `due` when the earliest time that it was given has come. */
export class LeaseTimer implements Disposable {
  readonly #clock: Clock;
  readonly #due: () => void;
  #at = Number.POSITIVE_INFINITY;
  #nap = new AbortController();

  constructor(clock: Clock, due: () => void) {
    this.#clock = clock;
    this.#due = due;
  }

  /** Be due at this time (milliseconds since 1970), or earlier where it was set earlier. */
  by(atMs: number): void {
    if (atMs >= this.#at) return;
    this.#nap.abort();
    const nap = new AbortController();
    this.#nap = nap;
    this.#at = atMs;
    const waitMs = Math.max(minWaitMs, atMs - this.#clock.now());
    // A timer of the system counts to 2^31 milliseconds; an early end looks again.
    this.#clock.sleep(Math.min(waitMs, 2 ** 31 - 1), nap.signal).then(
      () => {
        this.#at = Number.POSITIVE_INFINITY;
        this.#due();
      },
      () => undefined,
    );
  }

  [Symbol.dispose](): void {
    this.#at = Number.NEGATIVE_INFINITY;
    this.#nap.abort();
  }
}
