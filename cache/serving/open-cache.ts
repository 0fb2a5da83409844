import type { Clock, Random } from '../../kernel/index.ts';
import type { ReadyAnswers } from '../doors/index.ts';
import { PrebuiltHits, type ReadyHitsOptions } from '../ready/index.ts';
import type { PeerRouter, Upstream } from '../requests/index.ts';
import type { CachePolicy } from '../rules/index.ts';
import { type EntryStore, openEntryStore } from '../storage/index.ts';
import type { WorkerCopyLedger } from '../workers/index.ts';
import { ObjectCache } from './object-cache.ts';

const routes = [{ to: 'origin' }] as const;

/** For a cache without neighbours: every request goes to its origin. */
const directRouter: PeerRouter = {
  routes: () => routes,
  outcome: () => undefined,
};

export interface CacheOptions {
  /** The name in Via and Cache-Status: unique among the caches that exchange requests. */
  readonly name: string;
  /** Folder of the persistent store; without it all responses are in memory. */
  readonly folder?: string;
  readonly memoryBytes: number;
  readonly diskBytes: number;
  readonly largestEntryBytes: number;
  readonly policy: CachePolicy;
  /** The max wait for another request's fetch of the same. */
  readonly collapseWaitMs: number;
  readonly upstream: Upstream;
  /** Absent: every request that the store does not answer goes to its origin. */
  readonly router?: PeerRouter;
  /** For a fast lane: max bytes of prebuilt contents, idle time of connections, whether workers share it. */
  readonly ready?: Pick<ReadyHitsOptions, 'maxBytes' | 'keepAliveMs' | 'isShared'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** An open cache with its store. */
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
  const { name, folder, policy, upstream, clock, random } = options;
  const opened = await openEntryStore({
    ...(folder !== undefined && { folder }),
    memoryBytes: options.memoryBytes,
    diskBytes: options.diskBytes,
    largestEntryBytes: options.largestEntryBytes,
    clock,
    random,
  });
  const router = options.router ?? directRouter;
  const ready = options.ready && new PrebuiltHits({ store: opened, policy, name, ...options.ready });
  const store = ready?.store ?? opened;
  const cache = new ObjectCache(
    {
      store,
      upstream,
      router,
      policy,
      name,
      clock,
      random,
      ...(ready && { ready }),
    },
    { collapseWaitMs: options.collapseWaitMs },
  );
  return {
    cache,
    store,
    ...(ready && { ready: ready.table, ...(ready.copies && { copies: ready.copies }) }),
    [Symbol.asyncDispose]: () => store[Symbol.asyncDispose](),
  };
}
