import type { EvictionPolicy } from './eviction-policy.ts';
import { Lru } from './lru.ts';
import { Sieve } from './sieve.ts';

/** Every policy by the name it has in the settings. */
export const evictionPolicies = {
  sieve: () => new Sieve(),
  lru: () => new Lru(),
} as const satisfies Record<string, () => EvictionPolicy>;

export type EvictionName = keyof typeof evictionPolicies;
