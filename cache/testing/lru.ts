import type { EvictionPolicy } from '../eviction/eviction-policy.ts';
import { emptyQueue, SlotQueues, widened } from '../eviction/slot-queues.ts';

/** Least recently used: the slot unused for the longest time leaves. Every hit moves a slot in the queue. */
export class Lru implements EvictionPolicy {
  readonly name = 'lru';
  readonly #links = new SlotQueues();
  readonly #queue = emptyQueue();
  #present = new Uint8Array(64);

  get size(): number {
    return this.#queue.size;
  }

  added(slot: number): void {
    this.removed(slot);
    const capacity = this.#links.fit(slot);
    if (capacity !== undefined)
      this.#present = widened(this.#present, capacity, (length) => new Uint8Array(length));
    this.#links.append(this.#queue, slot);
    this.#present[slot] = 1;
  }

  touched(slot: number): void {
    if (this.#present[slot] !== 1 || this.#queue.newest === slot) return;
    this.#links.remove(this.#queue, slot);
    this.#links.append(this.#queue, slot);
  }

  removed(slot: number): void {
    if (this.#present[slot] !== 1) return;
    this.#links.remove(this.#queue, slot);
    this.#present[slot] = 0;
  }

  evict(keep?: (slot: number) => boolean): number {
    for (let looks = this.#queue.size; looks > 0; looks--) {
      const slot = this.#queue.oldest;
      if (keep?.(slot) !== true) {
        this.removed(slot);
        return slot;
      }
      // A slot that may not leave is in use; behind the others it is not looked at repeatedly.
      this.touched(slot);
    }
    return -1;
  }

  *states(): Generator<number> {
    for (const slot of this.#links.oldestFirst(this.#queue)) yield slot * 16;
  }

  restored(state: number): void {
    this.added(state >>> 4);
  }
}
