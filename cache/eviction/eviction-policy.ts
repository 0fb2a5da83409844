/**
 * Decides which stored response leaves when room is needed. Slots are small integers that the store assigns and reuses;
 * a policy keeps its state by slot in typed arrays that grow by doubling. All calls take amortised constant time.
 */
export interface EvictionPolicy {
  readonly name: string;
  /** A response was stored. `hash` is 32 bits of its key (for ghosts), `bytes` its size. */
  added(slot: number, bytes: number, hash: number): void;
  /** It was used. The hot path: no allocation, and no list move if possible. */
  touched(slot: number): void;
  /** It left for another reason than eviction. */
  removed(slot: number): void;
  /**
   * Choose a slot to evict and forget it; -1 when none may leave. `keep` names the slots that may not leave now. After
   * `maxLooks` looks the policy takes any slot that may leave, so that a million used slots cause no pause.
   */
  evict(keep?: (slot: number) => boolean): number;
  /** All known slots, oldest first, as slot * 16 + four bits of state. One iteration at a time. */
  states(): Iterable<number>;
  /** Add a slot again with its state as `states` gave it, behind those restored before. */
  restored(state: number, bytes: number, hash: number): void;
  readonly size: number;
}

/** The max slots that one eviction looks at. */
export const maxLooks = 10_000;

/** A single response may take this part of a store at most, since it would evict too many others. */
const largestPart = 1 / 20;
/** A small store admits pages and pictures of this size all the same, up to half of the store. Bytes. */
const alwaysAdmitted = 2 ** 20;

/** The max bytes of a response that a store of `budget` bytes admits. */
export function largestAdmitted(budget: number): number {
  return Math.max(Math.floor(budget * largestPart), Math.min(Math.floor(budget / 2), alwaysAdmitted));
}
