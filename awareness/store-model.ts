/**
 * What a store is, declared so that schemes that would lose a change on it can be refused (the awareness paper,
 * sections 2 and 4, and "Limitations" of each scheme).
 */
export interface StoreModel {
  /** What becomes of an object that is changed: it keeps its handle, is replaced under a new one, or stays beside it. */
  readonly updates: 'in-place' | 'shadow' | 'version';
  readonly deletes: boolean;
  /** Whether the handle of a deleted object may name another one later. */
  readonly handleReuse: boolean;
  /** What a handle tells: nothing, the order of creation, or the content. */
  readonly handles: 'arbitrary' | 'sequential' | 'content-sensitive';
  /** Whether a later change always has a later timestamp than every earlier one. */
  readonly monotoneStamps: boolean;
  /** Whether deleted objects leave a tombstone; forgotten ones are behind the store's horizon. */
  readonly tombstones: boolean;
  /** Whether changes have sequence numbers, which no clock can set back. */
  readonly log: boolean;
}
