import type { EvictionPolicy } from '../eviction/eviction-policy.ts';
import { Sieve } from '../eviction/sieve.ts';
import { Lru } from './lru.ts';
import { S3Fifo } from './s3-fifo.ts';

/** The policy of the stores, and others to compare it with. */
export const evictionPolicies = {
  sieve: () => new Sieve(),
  lru: () => new Lru(),
  's3-fifo': () => new S3Fifo(),
} as const satisfies Record<string, () => EvictionPolicy>;

export type EvictionName = keyof typeof evictionPolicies;
