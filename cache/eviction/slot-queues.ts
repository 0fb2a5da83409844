const min = 64;
const none = -1;

/** The ends of a queue: the next slot to leave, and the slot that came last. */
export interface SlotQueue {
  /** -1 when it is empty. */
  oldest: number;
  newest: number;
  size: number;
}

export const emptyQueue = (): SlotQueue => ({ oldest: none, newest: none, size: 0 });

/** The queues of a policy. A slot is in at most one queue, so that all queues share two arrays. */
export class SlotQueues {
  /** The slot after and the slot before each slot; -1 at the ends. */
  #newer = new Int32Array(min).fill(none);
  #older = new Int32Array(min).fill(none);
  /** The next slot of an iteration; it moves on when that slot leaves. */
  #bookmark = none;

  /** Make room for a slot. Returns the new capacity when it changed, for the caller's own arrays. */
  fit(slot: number): number | undefined {
    if (slot < this.#newer.length) return undefined;
    let capacity = this.#newer.length;
    while (capacity <= slot) capacity *= 2;
    this.#newer = grown(this.#newer, capacity);
    this.#older = grown(this.#older, capacity);
    return capacity;
  }

  /** The slot after this one; -1 after the newest. */
  newer(slot: number): number {
    return this.#newer[slot] ?? none;
  }

  append(queue: SlotQueue, slot: number): void {
    this.#older[slot] = queue.newest;
    this.#newer[slot] = none;
    if (queue.newest === none) queue.oldest = slot;
    else this.#newer[queue.newest] = slot;
    queue.newest = slot;
    queue.size++;
  }

  /** All slots of a queue, oldest first. Slots may come and go during the iteration; one reader at a time. */
  *oldestFirst(queue: SlotQueue): Generator<number> {
    this.#bookmark = queue.oldest;
    while (this.#bookmark !== none) {
      const slot = this.#bookmark;
      this.#bookmark = this.newer(slot);
      yield slot;
    }
  }

  remove(queue: SlotQueue, slot: number): void {
    const older = this.#older[slot] ?? none;
    const newer = this.#newer[slot] ?? none;
    if (this.#bookmark === slot) this.#bookmark = newer;
    if (older === none) queue.oldest = newer;
    else this.#newer[older] = newer;
    if (newer === none) queue.newest = older;
    else this.#older[newer] = older;
    queue.size--;
  }
}

function grown(array: Int32Array<ArrayBuffer>, capacity: number): Int32Array<ArrayBuffer> {
  const larger = new Int32Array(capacity).fill(none, array.length);
  larger.set(array);
  return larger;
}

/** The same array with a larger capacity; new places are 0. */
export function widened<T extends Uint8Array | Float64Array | Uint32Array>(
  array: T,
  capacity: number,
  make: (length: number) => T,
): T {
  const larger = make(capacity);
  larger.set(array);
  return larger;
}
