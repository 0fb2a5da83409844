import type { SearchHit } from './answers.ts';

// A dash, bar or dot between blanks divides a title; the last part is often the site's own name.
const divider = /\s+(?:-{1,3}|[–—|·•»]|::)\s+(?=\S)/gu;

function tailStart(title: string): number {
  let start = 0;
  for (const { index } of title.matchAll(divider)) start = index;
  return start;
}

/**
 * Where the part of each title begins that other results of the same site end with too, by object; such a part tells
 * results of that site apart from others, not from each other.
 */
export function sharedTails(hits: readonly SearchHit[]): ReadonlyMap<string, number> {
  const key = (hit: SearchHit, start: number) => `${hit.source}\n${hit.title.slice(start)}`;
  const counts = new Map<string, number>();
  const starts = new Map<string, number>();
  for (const hit of hits) {
    const start = tailStart(hit.title);
    if (start === 0) continue;
    starts.set(hit.oid, start);
    counts.set(key(hit, start), (counts.get(key(hit, start)) ?? 0) + 1);
  }
  const shared = new Map<string, number>();
  for (const hit of hits) {
    const start = starts.get(hit.oid);
    if (start !== undefined && (counts.get(key(hit, start)) ?? 0) > 1) shared.set(hit.oid, start);
  }
  return shared;
}
