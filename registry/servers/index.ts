// The rows of a directory in memory: found by id, server id, address and name, and one timer for all their leases.
// Read server-index.ts.

export { endOf, isLeased, LeaseTimer, lateOf, stateAt } from './lease-timer.ts';
export { ListFingerprint } from './list-fingerprint.ts';
export { type ServerFilter, ServerIndex, type ServerRow } from './server-index.ts';
export { SortedKeys } from './sorted-keys.ts';
