import type { Clock, Random } from '../../kernel/index.ts';
import type { EvictionPolicy } from '../eviction/index.ts';
import type { EntryStore } from './entry.ts';
import { MemoryStore } from './memory-store.ts';
import { openDiskStore } from './open-disk-store.ts';

export interface EntryStoreOptions {
  /** Where responses survive a restart; without it all are in memory. */
  readonly folder?: string;
  /** For contents (and, without a folder, everything) in memory. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** No content larger than this is kept. */
  readonly largestEntryBytes: number;
  readonly policy: () => EvictionPolicy;
  readonly clock: Clock;
  readonly random: Random;
}

/** Open the store of a cache. Throws STORE_LOCKED while another process has the folder, CACHE_STORE_FAILED when it cannot be used. */
export async function openEntryStore(options: EntryStoreOptions): Promise<EntryStore> {
  const { folder } = options;
  if (folder !== undefined) return openDiskStore({ ...options, folder });
  return new MemoryStore({ ...options, policy: options.policy() });
}
