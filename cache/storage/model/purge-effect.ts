import type { Entry, PurgeTarget } from './entry.ts';

/**
 * The effect of a purge or an invalidation on an entry: nothing, forget it, have it validated before any use (RFC 9111
 * 4.4), or make it stale from a moment on (a soft purge).
 */
export type PurgeEffect = 'nothing' | 'forget' | 'validate' | { readonly staleSinceMs: number };

type PurgeState = Pick<Entry, 'invalidated' | 'staleSinceMs'>;

/** The effect of one purge. */
export function effectOf(soft: boolean, atMs: number): PurgeEffect {
  return soft ? { staleSinceMs: atMs } : 'forget';
}

/** Both effects on the same entry: the stronger wins, and of two soft purges the earlier. */
export function bothEffects(one: PurgeEffect, other: PurgeEffect): PurgeEffect {
  for (const effect of ['forget', 'validate'] as const) if (one === effect || other === effect) return effect;
  if (typeof one === 'string') return other;
  if (typeof other === 'string') return one;
  return one.staleSinceMs <= other.staleSinceMs ? one : other;
}

/** The effect of earlier purges on an entry. */
export function effectOn({ invalidated, staleSinceMs }: PurgeState): PurgeEffect {
  if (invalidated) return 'validate';
  return staleSinceMs === undefined ? 'nothing' : { staleSinceMs };
}

/** The state of an entry after an effect. */
export function stateAfter(effect: PurgeEffect): PurgeState {
  return typeof effect === 'string'
    ? { invalidated: effect === 'validate' }
    : { invalidated: false, ...effect };
}

/** Whether a purge covers this entry. */
export function isCovered(target: PurgeTarget, { key, tags }: Pick<Entry, 'key' | 'tags'>): boolean {
  if ('url' in target) return key === target.url;
  if ('prefix' in target) return key.startsWith(target.prefix);
  if ('tag' in target) return tags.includes(target.tag);
  return target.all;
}
