// Decides which responses a full store evicts, and which it does not admit. A policy (eviction-policy.ts) knows only slots,
// small integers that a store assigns; stores use SIEVE. Read eviction-policy.ts, then sieve.ts.
export { type EvictionPolicy, largestAdmitted } from './eviction-policy.ts';
export { Sieve } from './sieve.ts';
