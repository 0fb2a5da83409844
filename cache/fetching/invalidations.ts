import type { CacheRequest } from '../requests/index.ts';
import { Fields, invalidatedUrls, keyTwins, type StoredHead, urlOfKey } from '../rules/index.ts';
import type { CacheParts } from './fetching.ts';
import type { RecentInvalidations } from './recent-invalidations.ts';
import type { SharedFetches } from './shared-fetches.ts';

/** Invalidates stored responses after a change: RFC 9111 4.4. */
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

  /** After the answer to an unsafe method; `stored` when that answer itself is stored for the target. */
  async after(request: CacheRequest, head: StoredHead, stored: boolean): Promise<void> {
    const named = invalidatedUrls(urlOfKey(request.url), head.status, new Fields(head.fields));
    const { store, policy } = this.#parts;
    const keys = new Set(named.flatMap((one) => keyTwins(policy.queries.keyOf(one))));
    for (const url of keys) {
      // A response requested before the change may arrive after it.
      this.#changes.note(url);
      this.#changes.noteMade(url);
      this.#fetches.spoil({ url });
      if (stored && url === request.url) continue;
      // A disk error is not reported to the client: the origin has made the change successfully.
      await store.invalidate(url);
    }
  }
}
