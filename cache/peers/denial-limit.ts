import type { Clock } from '../../kernel/index.ts';

const perMinute = 100;
const maxSources = 1024;

/** Bounds how often somebody is told that it may not ask: who forges addresses must not make us send for them. */
export class DenialLimit {
  readonly #clock: Clock;
  readonly #told = new Map<string, number>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  /** Whether to tell this address once more. */
  mayReport(address: string): boolean {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= 60_000) {
      this.#told.clear();
      this.#sinceMs = now;
    }
    const told = this.#told.get(address) ?? 0;
    if (told >= perMinute || (told === 0 && this.#told.size >= maxSources)) return false;
    this.#told.set(address, told + 1);
    return true;
  }
}
