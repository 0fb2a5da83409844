import type { Clock } from '../../kernel/index.ts';

interface Leased {
  /** The last renewal; seconds since 1970. */
  readonly updatedAt: number;
  readonly refreshSeconds: number;
  readonly ttlSeconds: number;
}

/** A renewal may be half a Refresh-Rate late: networks and timers are not exact. */
const lateFactor = 1.5;

/** When a server is late without another renewal; seconds since 1970. */
export const lateOf = ({ updatedAt, refreshSeconds }: Leased) => updatedAt + refreshSeconds * lateFactor;

/** When a lease ends; seconds since 1970. */
export const endOf = ({ updatedAt, ttlSeconds }: Leased) => updatedAt + ttlSeconds;

/** A server that has never answered is late from the beginning. */
export const stateAt = (lease: Leased & { readonly unreached?: true }, now: number) =>
  lease.unreached !== true && now < lateOf(lease) ? 'live' : 'late';

export const isLeased = (lease: Leased, now: number) => now < endOf(lease);

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
