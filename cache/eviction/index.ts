// Who leaves when a store is full, and who is not let in. A policy (eviction-policy.ts) knows slots, small integers
// that a store hands out, and nothing of what is in them: sieve.ts is what is used, lru.ts and s3-fifo.ts are beside
// it for those who want them and to be measured against. All keep their queues in typed arrays (slot-queues.ts).
export { admits, largestAdmitted } from './admission.ts';
export type { EvictionPolicy } from './eviction-policy.ts';
export { type EvictionName, evictionPolicies } from './policies.ts';
