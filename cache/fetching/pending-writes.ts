import type { Clock } from '../../kernel/index.ts';
import { InFlightMap } from '../waiting/index.ts';

/** The max wait for a slow store. */
const maxMs = 1_000;

/**
 * Received contents still being written to the store. The next request for the same URL waits for the write,
 * so that no client gets an older response than another got before.
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

  /** Resolves when the received response of this URL is stored, or after a second; undefined when none is pending. */
  of(url: string): Promise<unknown> | undefined {
    const stored = this.#byUrl.get(url);
    if (stored === undefined) return undefined;
    const timeout = new AbortController();
    const tooLong = this.#clock.sleep(maxMs, timeout.signal).catch(() => undefined);
    return Promise.race([stored, tooLong]).finally(() => timeout.abort());
  }
}
