import type { Clock } from '../../kernel/index.ts';

const perMinute = 100;
const maxSources = 1024;

/** Limits denials for each address: forged addresses must not make us send traffic to third parties. */
export class DenialLimit {
  readonly #clock: Clock;
  readonly #denials = new Map<string, number>();
  #sinceMs = Number.NEGATIVE_INFINITY;

  constructor(clock: Clock) {
    this.#clock = clock;
  }

  mayReport(address: string): boolean {
    const now = this.#clock.now();
    if (now - this.#sinceMs >= 60_000) {
      this.#denials.clear();
      this.#sinceMs = now;
    }
    const denials = this.#denials.get(address) ?? 0;
    if (denials >= perMinute || (denials === 0 && this.#denials.size >= maxSources)) return false;
    this.#denials.set(address, denials + 1);
    return true;
  }
}
