import type { Entry, PurgeTarget } from './entry.ts';
import { bothEffects, type PurgeEffect } from './purge-effect.ts';
import { meant } from './purge-target.ts';

export interface NumberedPurge {
  readonly number: number;
  readonly target: PurgeTarget;
  readonly effect: PurgeEffect;
}

/** As many are remembered for those who began to write before them. */
const mostRemembered = 4096;

/**
 * The purges of late: a response whose fetch began before a purge may be what the purge was to get rid of, and is
 * treated so when it is committed.
 */
export class RecentPurges {
  readonly #purges: NumberedPurge[] = [];
  #latest: number;

  constructor(latest = 0) {
    this.#latest = latest;
  }

  get latest(): number {
    return this.#latest;
  }

  add(target: PurgeTarget, effect: PurgeEffect): NumberedPurge {
    const purge = { number: ++this.#latest, target, effect };
    this.#purges.push(purge);
    if (this.#purges.length >= 2 * mostRemembered) this.#purges.splice(0, mostRemembered);
    return purge;
  }

  /** What purges after number `since` mean for an entry that was begun then. */
  since(since: number, entry: Pick<Entry, 'key' | 'tags'>): PurgeEffect {
    if (since === this.#latest) return 'nothing';
    // More than are remembered: one of them may have meant it.
    let result: PurgeEffect = (this.#purges[0]?.number ?? 0) > since + 1 ? 'validate' : 'nothing';
    for (const { number, target, effect } of this.#purges)
      if (number > since && meant(target, entry)) result = bothEffects(result, effect);
    return result;
  }
}
