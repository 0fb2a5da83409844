import type { Clock } from '../../kernel/index.ts';
import { InFlightMap } from '../waiting/index.ts';

/** Longest wait for a store that is slow to take something. */
const maxMs = 1_000;

/**
 * Contents that have come whole and that the store is taking. Clients are given their end meanwhile; whoever asks for the
 * same URL next waits until it is found there, so that nobody is answered from before what was seen last.
 */
export class PendingWrites {
  readonly #byUrl = new InFlightMap<string, Promise<unknown>>();
  readonly #clock: Clock;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** `stored` never rejects. */
  note(url: string, stored: Promise<unknown>): void {
    const before = this.#byUrl.get(url);
    const all = before === undefined ? stored : Promise.all([before, stored]);
    this.#byUrl.set(url, all);
    void all.then(() => {
      if (this.#byUrl.get(url) === all) this.#byUrl.delete(url);
    });
  }

  /** Resolves when what has come of this URL is in the store, or after a second; undefined when nothing is on its way. */
  of(url: string): Promise<unknown> | undefined {
    const stored = this.#byUrl.get(url);
    if (stored === undefined) return undefined;
    const patience = new AbortController();
    const tooLong = this.#clock.sleep(maxMs, patience.signal).catch(() => undefined);
    return Promise.race([stored, tooLong]).finally(() => patience.abort());
  }
}
