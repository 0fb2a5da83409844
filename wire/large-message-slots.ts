/** Someone who may hold a slot; told when one has become free for it. */
export interface SlotHolder {
  slotGranted(): void;
}

/** A few places for messages that outgrow their channel's window: what one session holds at most beside its windows. */
export class LargeSlots {
  readonly #limit: number;
  readonly #holders = new Set<SlotHolder>();
  readonly #waiting = new Set<SlotHolder>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether `holder` has a place now; if not it is told when it has. */
  acquire(holder: SlotHolder): boolean {
    if (this.#holders.has(holder)) return true;
    if (this.#holders.size < this.#limit) {
      this.#holders.add(holder);
      return true;
    }
    this.#waiting.add(holder);
    return false;
  }

  release(holder: SlotHolder): void {
    this.#waiting.delete(holder);
    if (!this.#holders.delete(holder)) return;
    const [next] = this.#waiting;
    if (!next) return;
    this.#waiting.delete(next);
    this.#holders.add(next);
    next.slotGranted();
  }
}
