import type { CacheRequest } from '../requests/index.ts';
import { Fields, invalidatedUrls, keyTwins, type StoredHead, urlOfKey } from '../rules/index.ts';
import type { CacheParts } from './fetching.ts';
import type { RecentInvalidations } from './recent-invalidations.ts';
import type { SharedFetches } from './shared-fetches.ts';

/** Makes what a change has outdated unusable: RFC 9111 4.4. */
export class Invalidations {
  readonly #parts: Pick<CacheParts, 'store' | 'policy'>;
  readonly #fetches: SharedFetches;
  readonly #changes: RecentInvalidations;

  constructor(
    parts: Pick<CacheParts, 'store' | 'policy'>,
    fetches: SharedFetches,
    changes: RecentInvalidations,
  ) {
    this.#parts = parts;
    this.#fetches = fetches;
    this.#changes = changes;
  }

  /** After an unsafe method's answer; `stored` when that answer itself is kept for the target. */
  async after(request: CacheRequest, head: StoredHead, stored: boolean): Promise<void> {
    const named = invalidatedUrls(urlOfKey(request.url), head.status, new Fields(head.fields));
    const { store, policy } = this.#parts;
    const keys = new Set(named.flatMap((one) => keyTwins(policy.queries.keyOf(one))));
    for (const url of keys) {
      // What was asked for before the change may come in after it.
      this.#changes.note(url);
      this.#changes.noteMade(url);
      this.#fetches.spoil({ url });
      if (stored && url === request.url) continue;
      // A disk that does not take the note of it is not told here: the origin has made the change, and it has not failed.
      await store.invalidate(url);
    }
  }
}
