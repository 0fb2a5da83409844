import type { ReadyAnswers } from '../doors/index.ts';
import { PrebuiltHits, type ReadyHitsOptions } from '../ready/index.ts';
import type { PeerRouter, Upstream } from '../requests/index.ts';
import type { CachePolicy } from '../rules/index.ts';
import { type EntryStore, type EntryStoreOptions, openEntryStore } from '../storage/index.ts';
import type { WorkerCopyLedger } from '../workers/index.ts';
import { ObjectCache } from './object-cache.ts';

const routes = [{ to: 'origin' }] as const;

/** For a cache without neighbours: every request goes to its origin. */
const directRouter: PeerRouter = {
  routes: () => routes,
  outcome: () => undefined,
};

export interface CacheOptions extends Omit<EntryStoreOptions, 'policy' | 'free'> {
  /** The name in Via and Cache-Status: unique among the caches that exchange requests. */
  readonly name: string;
  readonly policy: CachePolicy;
  /** The max wait for another request's fetch of the same. */
  readonly collapseWaitMs: number;
  readonly upstream: Upstream;
  /** Absent: every request that the store does not answer goes to its origin. */
  readonly router?: PeerRouter;
  /** For a fast lane: max bytes of prebuilt contents, idle time of connections, whether workers share it. */
  readonly ready?: Pick<ReadyHitsOptions, 'maxBytes' | 'keepAliveMs' | 'isShared'>;
}

export interface OpenedCache extends AsyncDisposable {
  readonly cache: ObjectCache;
  readonly store: EntryStore;
  /** For a fast lane before a door; absent without the option. */
  readonly ready?: ReadyAnswers;
  /** For workers beside that lane; absent where it is not shared. */
  readonly copies?: WorkerCopyLedger;
}

/** Open a cache's store and build the cache. Rejects with STORE_LOCKED while another process has the folder. */
export async function openCache(options: CacheOptions): Promise<OpenedCache> {
  const { name, policy, upstream, router = directRouter, clock, random, collapseWaitMs } = options;
  const { folder, memoryBytes, diskBytes, largestEntryBytes } = options;
  const budgets = { memoryBytes, diskBytes, largestEntryBytes };
  const opened = await openEntryStore({ ...(folder !== undefined && { folder }), ...budgets, clock, random });
  const ready = options.ready && new PrebuiltHits({ store: opened, policy, name, ...options.ready });
  const store = ready?.store ?? opened;
  const cache = new ObjectCache(
    { store, upstream, router, policy, name, clock, random, ...(ready && { ready }) },
    { collapseWaitMs },
  );
  return {
    cache,
    store,
    ...(ready && { ready: ready.table, ...(ready.copies && { copies: ready.copies }) }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
