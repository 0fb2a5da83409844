/**
 * Decides which stored response leaves when room is needed. Slots are small integers that the store hands out and uses
 * again; a policy keeps what it knows of a slot in typed arrays that grow by doubling. All calls are constant time
 * (amortised).
 */
export interface EvictionPolicy {
  readonly name: string;
  /** A response came in. `hash` is 32 bits of its key (for ghosts), `bytes` what it takes. */
  added(slot: number, bytes: number, hash: number): void;
  /** It was used. The hot path: no allocation, no list move if that can be had. */
  touched(slot: number): void;
  /** It left for another reason than eviction. */
  removed(slot: number): void;
  /** Choose who leaves next and forget it; -1 when nothing is left. `keep` says which slots may not leave now. */
  evict(keep?: (slot: number) => boolean): number;
  /** How many slots it knows. */
  readonly size: number;
}
