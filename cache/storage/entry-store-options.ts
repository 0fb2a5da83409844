import type { Clock, Random } from '../../kernel/index.ts';
import type { EvictionPolicy } from '../eviction/index.ts';
import type { FreeBytes } from './model/disk-condition.ts';

export interface EntryStoreOptions {
  /** Folder of the persistent store; without it all responses are in memory. */
  readonly folder?: string;
  /** Memory for contents (and, without a folder, for everything). */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** The max size of a stored content. */
  readonly largestEntryBytes: number;
  readonly policy: () => EvictionPolicy;
  /** Bytes free on the disk of the folder; from the operating system when absent. */
  readonly free?: FreeBytes;
  readonly clock: Clock;
  readonly random: Random;
}
