import { urlKey } from '../requests/index.ts';
import { urlOfKey } from '../rules/index.ts';
import type { PurgeTarget } from '../storage/index.ts';

/** Purges that are remembered, for questions of why. */
const remembered = 1024;

/** A purge that meant a URL, whether or not there was something under it. */
export interface NotedPurge {
  readonly atMs: number;
  /** How the URL was named. */
  readonly by: 'url' | 'prefix' | 'all';
  /** Null when it was not by a prefix. */
  readonly prefix: string | null;
  readonly soft: boolean;
}

interface Noted extends NotedPurge {
  readonly means: (url: string) => boolean;
}

/** The latest purges. One by a tag is not among them: nobody knows what a response that is gone was tagged with. */
export class Purges {
  readonly #ring: Noted[] = [];
  #next = 0;

  note(target: PurgeTarget, how: { readonly soft: boolean; readonly atMs: number }): void {
    const named = nameOf(target);
    if (named === undefined) return;
    this.#ring[this.#next] = { ...named, ...how };
    this.#next = (this.#next + 1) % remembered;
  }

  /** The latest that meant what this key is of; undefined when none is remembered. */
  about(key: string): NotedPurge | undefined {
    const url = urlOfKey(key);
    const size = this.#ring.length;
    for (let back = 1; back <= size; back += 1) {
      const noted = this.#ring[(this.#next - back + remembered) % remembered];
      if (noted?.means(url)) {
        const { means, ...told } = noted;
        return told;
      }
    }
    return undefined;
  }
}

function nameOf(target: PurgeTarget): Pick<Noted, 'by' | 'prefix' | 'means'> | undefined {
  if ('tag' in target) return undefined;
  if ('all' in target) return { by: 'all', prefix: null, means: () => true };
  const { prefix } = 'prefix' in target ? target : { prefix: null };
  if (prefix !== null) return { by: 'prefix', prefix, means: (url) => url.startsWith(prefix) };
  const known = 'url' in target ? urlKey(urlOfKey(target.url)) : undefined;
  return { by: 'url', prefix: null, means: (url) => urlKey(url) === known };
}
