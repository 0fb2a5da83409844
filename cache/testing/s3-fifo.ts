import { type EvictionPolicy, maxLooks } from '../eviction/eviction-policy.ts';
import { emptyQueue, SlotQueues, widened } from '../eviction/slot-queues.ts';
import { Ghosts } from './ghosts.ts';

const absent = 0;
const small = 1;
const main = 2;
/** The small queue gets this part of the bytes. */
const smallPart = 0.1;
const maxUses = 3;
/** Set in the state of a slot in the main queue, beside the two bits of its uses. */
const mainBit = 4;

/**
 * S3-FIFO (Yang et al., SOSP 2023): new slots enter a small queue. Slots used there more than once go on to
 * the main queue. Slots that left unused and come again go to the main queue at once. Counts up to three
 * uses.
 */
export class S3Fifo implements EvictionPolicy {
  readonly name = 's3-fifo';
  readonly #links = new SlotQueues();
  readonly #small = emptyQueue();
  readonly #main = emptyQueue();
  readonly #ghosts = new Ghosts();
  #where = new Uint8Array(64);
  #uses = new Uint8Array(64);
  #bytes = new Float64Array(64);
  #hashes = new Uint32Array(64);
  #smallBytes = 0;
  #mainBytes = 0;

  get size(): number {
    return this.#small.size + this.#main.size;
  }

  added(slot: number, bytes: number, hash: number): void {
    this.removed(slot);
    const capacity = this.#links.fit(slot);
    if (capacity !== undefined) this.#widen(capacity);
    this.#bytes[slot] = bytes;
    this.#hashes[slot] = hash;
    this.#uses[slot] = 0;
    this.#enter(slot, this.#ghosts.take(hash >>> 0, this.#ghostLimit) ? main : small);
  }

  touched(slot: number): void {
    const uses = this.#uses[slot] ?? maxUses;
    if (uses < maxUses) this.#uses[slot] = uses + 1;
  }

  removed(slot: number): void {
    const where = this.#where[slot] ?? absent;
    if (where !== absent) this.#leave(slot, where);
  }

  evict(keep?: (slot: number) => boolean): number {
    // Every slot once through the small queue, and through the main one as often as it was used.
    let keptInMain = 0;
    const max = (maxUses + 3) * this.size;
    for (let looks = 1; looks <= max; looks++) {
      const stuck = keptInMain >= this.#main.size && this.#small.size > 0;
      const fromSmall = stuck || this.#smallIsNext();
      const slot = fromSmall ? this.#small.oldest : this.#main.oldest;
      const kept = keep?.(slot) === true;
      const uses = this.#uses[slot] ?? 0;
      if (!kept && (uses <= (fromSmall ? 1 : 0) || looks > maxLooks)) {
        this.#leave(slot, fromSmall ? small : main);
        if (fromSmall) this.#ghosts.add(this.#hashes[slot] ?? 0, this.#ghostLimit);
        return slot;
      }
      if (!fromSmall && uses === 0) keptInMain++;
      this.#leave(slot, fromSmall ? small : main);
      this.#uses[slot] = fromSmall || uses === 0 ? 0 : uses - 1;
      this.#enter(slot, main);
    }
    return -1;
  }

  *states(): Generator<number> {
    for (const slot of this.#links.oldestFirst(this.#small)) yield slot * 16 + (this.#uses[slot] ?? 0);
    for (const slot of this.#links.oldestFirst(this.#main))
      yield slot * 16 + mainBit + (this.#uses[slot] ?? 0);
  }

  restored(state: number, bytes: number, hash: number): void {
    const slot = state >>> 4;
    this.added(slot, bytes, hash);
    this.#uses[slot] = state & maxUses;
    if ((state & mainBit) === 0 || this.#where[slot] === main) return;
    this.#leave(slot, small);
    this.#enter(slot, main);
  }

  /** As many ghosts as the longer queue has slots. */
  get #ghostLimit(): number {
    return Math.max(this.#main.size, this.#small.size);
  }

  #smallIsNext(): boolean {
    if (this.#main.size === 0) return true;
    return this.#small.size > 0 && this.#smallBytes > (this.#smallBytes + this.#mainBytes) * smallPart;
  }

  #enter(slot: number, where: number): void {
    this.#where[slot] = where;
    this.#links.append(where === small ? this.#small : this.#main, slot);
    if (where === small) this.#smallBytes += this.#bytes[slot] ?? 0;
    else this.#mainBytes += this.#bytes[slot] ?? 0;
  }

  #leave(slot: number, where: number): void {
    this.#where[slot] = absent;
    this.#links.remove(where === small ? this.#small : this.#main, slot);
    if (where === small) this.#smallBytes -= this.#bytes[slot] ?? 0;
    else this.#mainBytes -= this.#bytes[slot] ?? 0;
  }

  #widen(capacity: number): void {
    this.#where = widened(this.#where, capacity, (length) => new Uint8Array(length));
    this.#uses = widened(this.#uses, capacity, (length) => new Uint8Array(length));
    this.#bytes = widened(this.#bytes, capacity, (length) => new Float64Array(length));
    this.#hashes = widened(this.#hashes, capacity, (length) => new Uint32Array(length));
  }
}
