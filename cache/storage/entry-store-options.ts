import type { Clock, Random } from '../../kernel/index.ts';
import type { EvictionPolicy } from '../eviction/index.ts';
import type { FreeBytes } from './model/disk-condition.ts';

export interface EntryStoreOptions {
  /** Where responses survive a restart; without it all are in memory. */
  readonly folder?: string;
  /** For contents (and, without a folder, everything) in memory. */
  readonly memoryBytes: number;
  readonly diskBytes: number;
  /** No content larger than this is kept. */
  readonly largestEntryBytes: number;
  readonly policy: () => EvictionPolicy;
  /** Bytes free on the disk of the folder; the system is asked unless this says it. */
  readonly free?: FreeBytes;
  readonly clock: Clock;
  readonly random: Random;
}
