import type { Entry } from './entry.ts';

/**
 * What a purge or an invalidation does to an entry: nothing, forget it, have it validated before any use (RFC 9111 4.4),
 * or make it stale from a moment on (a soft purge).
 */
export type PurgeEffect = 'nothing' | 'forget' | 'validate' | { readonly staleSinceMs: number };

type Standing = Pick<Entry, 'invalidated' | 'staleSinceMs'>;

/** The effect of one order to purge. */
export function effectOf(soft: boolean, atMs: number): PurgeEffect {
  return soft ? { staleSinceMs: atMs } : 'forget';
}

/** Both effects on the same entry: the stronger counts, and of two soft purges the first. */
export function bothEffects(one: PurgeEffect, other: PurgeEffect): PurgeEffect {
  for (const effect of ['forget', 'validate'] as const) if (one === effect || other === effect) return effect;
  if (typeof one === 'string') return other;
  if (typeof other === 'string') return one;
  return one.staleSinceMs <= other.staleSinceMs ? one : other;
}

/** What was done to an entry before. */
export function effectOn({ invalidated, staleSinceMs }: Standing): PurgeEffect {
  if (invalidated) return 'validate';
  return staleSinceMs === undefined ? 'nothing' : { staleSinceMs };
}

/** How an entry stands after that, as an entry says it. */
export function standingAfter(effect: PurgeEffect): Standing {
  return typeof effect === 'string'
    ? { invalidated: effect === 'validate' }
    : { invalidated: false, ...effect };
}
