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
  /**
   * Choose who leaves next and forget it; -1 when nothing is left. `keep` says which slots may not leave now. It looks at
   * `mostLooks` at most before it takes whoever may leave: a million that were all used are no reason for a pause.
   */
  evict(keep?: (slot: number) => boolean): number;
  /**
   * Everyone it knows, from who came first on, as slot * 16 + four bits that say how it stands. Others may come and go
   * while this is gone through; no two are gone through at once.
   */
  standing(): Iterable<number>;
  /** One that `standing` told of comes in again, behind those that it told of before. Hash and bytes as for `added`. */
  restored(standing: number, bytes: number, hash: number): void;
  /** How many slots it knows. */
  readonly size: number;
}

/** How many are looked at to find one who leaves, at most. */
export const maxLooks = 10_000;
