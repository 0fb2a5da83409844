/** A holder or waiter of a slot; it is notified when a slot becomes free for it. */
export interface SlotHolder {
  slotGranted(): void;
}

/** The slots for messages that outgrow their channel's window: they bound a session's memory beside its windows. */
export class LargeSlots {
  readonly #limit: number;
  readonly #holders = new Set<SlotHolder>();
  readonly #waiting = new Set<SlotHolder>();

  constructor(limit: number) {
    this.#limit = limit;
  }

  /** Whether `holder` has a slot now; if not it is notified when it gets one. */
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
