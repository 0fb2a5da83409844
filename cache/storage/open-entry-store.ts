import { Sieve } from '../eviction/index.ts';
import { openDiskStore } from './disk/open-disk-store.ts';
import { MemoryStore } from './memory/memory-store.ts';
import type { EntryStore, EntryStoreOptions } from './model/entry.ts';

/** Open the store of a cache. Rejects with STORE_LOCKED and CACHE_STORE_FAILED. */
export async function openEntryStore(options: EntryStoreOptions): Promise<EntryStore> {
  const { folder, policy = () => new Sieve() } = options;
  if (folder !== undefined) return openDiskStore({ ...options, folder, policy });
  return new MemoryStore({ ...options, policy: policy() });
}
