import type { Entry, PurgeTarget } from './entry.ts';
import { bothEffects, isCovered, type PurgeEffect } from './purge-effect.ts';

export interface NumberedPurge {
  readonly number: number;
  readonly target: PurgeTarget;
  readonly effect: PurgeEffect;
}

/** The max number of purges, for writes that began before them. */
const maxPurges = 4096;
/** The max characters of their targets. */
const maxText = 4 * 2 ** 20;

const textOf = (target: PurgeTarget) =>
  Object.values(target).reduce((sum, one) => sum + String(one).length, 0);

/**
 * The latest purges: a response whose fetch began before a purge may be the one to be purged, so the purge
 * applies to it when it is committed.
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
    if (this.#purges.length >= 2 * maxPurges || this.#text > 2 * maxText) this.#forget();
    return purge;
  }

  /** Drop the older half. */
  #forget(): void {
    for (const { target } of this.#purges.splice(0, Math.ceil(this.#purges.length / 2)))
      this.#text -= textOf(target);
  }

  /** The effect of purges after number `since` on an entry whose write began then. */
  since(since: number, entry: Pick<Entry, 'key' | 'tags'>): PurgeEffect {
    if (since === this.#latest) return 'nothing';
    // Some have been dropped: one of them may have covered it.
    const first = this.#purges[0]?.number ?? this.#latest + 1;
    let result: PurgeEffect = first > since + 1 ? 'validate' : 'nothing';
    for (const { number, target, effect } of this.#purges)
      if (number > since && isCovered(target, entry)) result = bothEffects(result, effect);
    return result;
  }
}
