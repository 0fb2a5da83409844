import type { Entry, PurgeTarget } from './entry.ts';

/** Whether a purge covers this entry. */
export function isCovered(target: PurgeTarget, { key, tags }: Pick<Entry, 'key' | 'tags'>): boolean {
  if ('url' in target) return key === target.url;
  if ('prefix' in target) return key.startsWith(target.prefix);
  if ('tag' in target) return tags.includes(target.tag);
  return target.all;
}
