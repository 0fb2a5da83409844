import type { EvictionPolicy } from './eviction-policy.ts';
import { Lru } from './lru.ts';
import { S3Fifo } from './s3-fifo.ts';
import { Sieve } from './sieve.ts';

/** Every policy by the name it has in the settings. */
export const evictionPolicies = {
  sieve: () => new Sieve(),
  lru: () => new Lru(),
  's3-fifo': () => new S3Fifo(),
} as const satisfies Record<string, () => EvictionPolicy>;

export type EvictionName = keyof typeof evictionPolicies;
