import { type EvictionPolicy, maxLooks } from './eviction-policy.ts';
import { emptyQueue, SlotQueues, widened } from './slot-queues.ts';

const absent = 0;
const unused = 1;
const used = 2;

const usedBit = 1;
const handBit = 2;

/**
 * SIEVE (Zhang et al., NSDI 2024): a hand moves over the queue from the oldest slot; one used since its last
 * pass stays, the first unused one leaves. A hit writes one byte and moves nothing.
 */
export class Sieve implements EvictionPolicy {
  readonly name = 'sieve';
  readonly #links = new SlotQueues();
  readonly #queue = emptyQueue();
  #state = new Uint8Array(64);
  /** The slot that is looked at next; -1 begins again at the oldest. */
  #hand = -1;

  get size(): number {
    return this.#queue.size;
  }

  added(slot: number, _bytes?: number, _hash?: number): void {
    this.removed(slot);
    const capacity = this.#links.fit(slot);
    if (capacity !== undefined)
      this.#state = widened(this.#state, capacity, (length) => new Uint8Array(length));
    this.#links.append(this.#queue, slot);
    this.#state[slot] = unused;
  }

  touched(slot: number): void {
    if (this.#state[slot] === unused) this.#state[slot] = used;
  }

  removed(slot: number): void {
    if ((this.#state[slot] ?? absent) === absent) return;
    if (this.#hand === slot) this.#hand = this.#links.newer(slot);
    this.#links.remove(this.#queue, slot);
    this.#state[slot] = absent;
  }

  evict(keep?: (slot: number) => boolean): number {
    // Two passes: the first one may only remove marks.
    const max = 2 * this.#queue.size;
    for (let looks = 1; looks <= max; looks++) {
      const slot = this.#hand === -1 ? this.#queue.oldest : this.#hand;
      if ((this.#state[slot] === unused || looks > maxLooks) && keep?.(slot) !== true) {
        this.removed(slot);
        return slot;
      }
      this.#state[slot] = unused;
      this.#hand = this.#links.newer(slot);
    }
    return -1;
  }

  *states(): Generator<number> {
    for (const slot of this.#links.oldestFirst(this.#queue))
      yield slot * 16 + (this.#state[slot] === used ? usedBit : 0) + (this.#hand === slot ? handBit : 0);
  }

  restored(state: number, bytes: number, hash: number): void {
    const slot = state >>> 4;
    this.added(slot, bytes, hash);
    if ((state & usedBit) !== 0) this.touched(slot);
    if ((state & handBit) !== 0) this.#hand = slot;
  }
}
