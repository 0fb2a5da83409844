import type { Entry, PurgeTarget } from './entry.ts';
import { bothEffects, type PurgeEffect } from './purge-effect.ts';
import { meant } from './purge-target.ts';

export interface NumberedPurge {
  readonly number: number;
  readonly target: PurgeTarget;
  readonly effect: PurgeEffect;
}

/** As many are remembered for those who began to write before them. */
const maxRemembered = 4096;
/** And so many characters of what they name. */
const maxText = 4 * 2 ** 20;

const textOf = (target: PurgeTarget) =>
  Object.values(target).reduce((sum, one) => sum + String(one).length, 0);

/**
 * The purges of late: a response whose fetch began before a purge may be what the purge was to get rid of, and is
 * treated so when it is committed.
 */
export class RecentPurges {
  readonly #purges: NumberedPurge[] = [];
  #latest: number;
  #text = 0;

  constructor(latest = 0) {
    this.#latest = latest;
  }

  get latest(): number {
    return this.#latest;
  }

  add(target: PurgeTarget, effect: PurgeEffect): NumberedPurge {
    const purge = { number: ++this.#latest, target, effect };
    this.#purges.push(purge);
    this.#text += textOf(target);
    if (this.#purges.length >= 2 * maxRemembered || this.#text > 2 * maxText) this.#forget();
    return purge;
  }

  /** The older half is remembered no more. */
  #forget(): void {
    for (const { target } of this.#purges.splice(0, Math.ceil(this.#purges.length / 2)))
      this.#text -= textOf(target);
  }

  /** What purges after number `since` mean for an entry that was begun then. */
  since(since: number, entry: Pick<Entry, 'key' | 'tags'>): PurgeEffect {
    if (since === this.#latest) return 'nothing';
    // More than are remembered: one of them may have meant it.
    const first = this.#purges[0]?.number ?? this.#latest + 1;
    let result: PurgeEffect = first > since + 1 ? 'validate' : 'nothing';
    for (const { number, target, effect } of this.#purges)
      if (number > since && meant(target, entry)) result = bothEffects(result, effect);
    return result;
  }
}
