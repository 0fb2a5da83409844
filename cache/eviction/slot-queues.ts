const min = 64;
const none = -1;

/** A queue's ends: who is next to leave, and who came last. */
export interface SlotQueue {
  /** -1 when it is empty. */
  oldest: number;
  newest: number;
  /** How many slots are in it. */
  size: number;
}

export const emptyQueue = (): SlotQueue => ({ oldest: none, newest: none, size: 0 });

/** Where a policy's slots stand in its queues: a slot is in one queue at most, so that all share two arrays. */
export class SlotQueues {
  /** The one that came next after a slot, and the one before it; -1 at the ends. */
  #newer = new Int32Array(min).fill(none);
  #older = new Int32Array(min).fill(none);
  /** Who is next for someone who goes through a queue; kept when that one leaves. */
  #bookmark = none;

  /** Make room for a slot. Gives the new capacity when it changed, for arrays that run beside. */
  fit(slot: number): number | undefined {
    if (slot < this.#newer.length) return undefined;
    let capacity = this.#newer.length;
    while (capacity <= slot) capacity *= 2;
    this.#newer = grown(this.#newer, capacity);
    this.#older = grown(this.#older, capacity);
    return capacity;
  }

  /** The slot that came next after this one; -1 after the newest. */
  newer(slot: number): number {
    return this.#newer[slot] ?? none;
  }

  /** Put a slot that is in no queue behind the newest. */
  append(queue: SlotQueue, slot: number): void {
    this.#older[slot] = queue.newest;
    this.#newer[slot] = none;
    if (queue.newest === none) queue.oldest = slot;
    else this.#newer[queue.newest] = slot;
    queue.newest = slot;
    queue.size++;
  }

  /** Everyone in a queue, the oldest first, who may come and go meanwhile; for one reader at a time. */
  *oldestFirst(queue: SlotQueue): Generator<number> {
    this.#bookmark = queue.oldest;
    while (this.#bookmark !== none) {
      const slot = this.#bookmark;
      this.#bookmark = this.newer(slot);
      yield slot;
    }
  }

  /** Take a slot out of the queue that it is in. */
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

/** The same array with room for more; what is new is 0. */
export function widened<T extends Uint8Array | Float64Array | Uint32Array>(
  array: T,
  capacity: number,
  make: (length: number) => T,
): T {
  const larger = make(capacity);
  larger.set(array);
  return larger;
}
