import type { Clock } from '../../kernel/index.ts';
import { select } from '../answers/index.ts';
import type { PeerLookup } from '../peers/index.ts';
import { type CachePolicy, Fields, reuse } from '../rules/index.ts';
import type { EntryStore } from '../storage/index.ts';

/** Which stored responses peers may learn of: only complete ones that are fresh without the grace for clients. */
export function peerLookup(store: EntryStore, policy: CachePolicy, clock: Clock): PeerLookup {
  return {
    has: (url) => store.has(policy.queries.keyOf(url)),
    isFresh: async (url, fields, seconds) => {
      const requestFields = new Fields(fields);
      const { entry } = await select(store, policy.queries.keyOf(url), requestFields);
      if (entry === undefined || entry.part !== undefined) return false;
      const { kind } = reuse({
        requestFields,
        head: entry.head,
        invalidated: entry.invalidated,
        staleSinceMs: entry.staleSinceMs,
        nowMs: clock.now() + seconds * 1000,
        policy,
        fromCache: true,
      });
      return kind === 'fresh';
    },
  };
}
