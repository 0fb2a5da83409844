import type { Changes } from './changes.ts';
import type { CacheRequest } from './exchange.ts';
import { Fields, invalidatedUrls, keyTwins, type StoredHead, urlOfKey } from './rules/index.ts';
import type { SharedFetches } from './shared-fetches.ts';
import type { EntryStore } from './storage/index.ts';

/** Makes what a change has outdated unusable: RFC 9111 4.4. */
export class Invalidations {
  readonly #store: EntryStore;
  readonly #fetches: SharedFetches;
  readonly #changes: Changes;

  constructor(store: EntryStore, fetches: SharedFetches, changes: Changes) {
    this.#store = store;
    this.#fetches = fetches;
    this.#changes = changes;
  }

  /** After an unsafe method's answer; `stored` when that answer itself is kept for the target. */
  async after(request: CacheRequest, head: StoredHead, stored: boolean): Promise<void> {
    const named = invalidatedUrls(urlOfKey(request.url), head.status, new Fields(head.fields));
    for (const url of named.flatMap((one) => keyTwins(one))) {
      // What was asked for before the change may come in after it.
      this.#changes.note(url);
      this.#changes.noteMade(url);
      this.#fetches.spoil({ url });
      if (stored && url === request.url) continue;
      // The origin has made the change: a disk that does not take the note of it is no reason to call that failed.
      await this.#store.invalidate(url).catch(() => undefined);
    }
  }
}
