import { urlKey } from '../requests/index.ts';
import { urlOfKey } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';

const maxPurges = 1024;

/** A purge of a URL, whether or not anything was stored under it. */
export interface NotedPurge {
  readonly atMs: number;
  readonly by: 'url' | 'prefix' | 'all';
  readonly prefix: string | null;
  readonly soft: boolean;
}

interface Noted extends NotedPurge {
  readonly covers: (url: string) => boolean;
}

/** The latest purges, except those by tag: the tags of a removed response are unknown. */
export class Purges {
  readonly #ring: Noted[] = [];
  #next = 0;

  note(target: PurgeTarget, how: { readonly soft: boolean; readonly atMs: number }): void {
    const named = nameOf(target);
    if (named === undefined) return;
    this.#ring[this.#next] = { ...named, ...how };
    this.#next = (this.#next + 1) % maxPurges;
  }

  /** The latest purge that covers the URL of this key; undefined when none is recorded. */
  about(key: string): NotedPurge | undefined {
    const url = urlOfKey(key);
    const size = this.#ring.length;
    for (let back = 1; back <= size; back += 1) {
      const noted = this.#ring[(this.#next - back + maxPurges) % maxPurges];
      if (noted?.covers(url)) {
        const { covers: _, ...purge } = noted;
        return purge;
      }
    }
    return undefined;
  }
}

function nameOf(target: PurgeTarget): Pick<Noted, 'by' | 'prefix' | 'covers'> | undefined {
  if ('tag' in target) return undefined;
  if ('all' in target) return { by: 'all', prefix: null, covers: () => true };
  const { prefix } = 'prefix' in target ? target : { prefix: null };
  if (prefix !== null) return { by: 'prefix', prefix, covers: (url) => url.startsWith(prefix) };
  const known = 'url' in target ? urlKey(urlOfKey(target.url)) : undefined;
  return { by: 'url', prefix: null, covers: (url) => urlKey(url) === known };
}
