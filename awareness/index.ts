// What changed: how a client learns the inserts, changes and deletes of a store. One engine runs every scheme of
// the awareness paper, schemes are data, and sockets, databases and clocks are passed in.
export { elementId, SetFingerprint } from './fingerprint.ts';
export type { Replica, ReplicaState } from './replica.ts';
export { admissible, type Cost, type CostInput, cost, type Refusal, type Scheme, sound } from './scheme.ts';
export { schemeNamed, schemes } from './schemes.ts';
export type {
  Change,
  Entry,
  Epoch,
  Lsn,
  Marker,
  PublishedObject,
  Refresh,
  Source,
  SourceSnapshot,
  SourceState,
  StoreModel,
} from './source.ts';
export { type Lesson, learnFrom, serveVector, type VectorElement } from './uni-aware.ts';
