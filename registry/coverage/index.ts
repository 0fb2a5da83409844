// Which servers have the same documents: by the addresses that they gather, and by samples of their contents. Read
// coverage.ts, then neighbours.ts.

export type { Covered } from './coverage.ts';
export { Neighbours } from './neighbours.ts';
export { StoreFingerprint } from './store-fingerprint.ts';
