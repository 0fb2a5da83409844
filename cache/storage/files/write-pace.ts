/** A write of so few bytes that takes longer waits for the disk, and everybody with it. */
const slowMs = 2;
const [leastLeft, mostLeft] = [500, 64_000];

/**
 * Whether small writes are left to threads: 500 after one that was slow, twice as many each time that the first of the next
 * ones is slow again.
 */
export class WritePace {
  #left = 0;
  #next = leastLeft;
  #quick = 0;

  /** Whether the next small write is for a thread. */
  leaves(): boolean {
    if (this.#left === 0) return false;
    this.#left--;
    return true;
  }

  /** A small write that was not left to a thread took so long. */
  took(ms: number): void {
    if (ms > slowMs) {
      this.#left = this.#next;
      this.#next = Math.min(this.#next * 2, mostLeft);
      this.#quick = 0;
    } else if (++this.#quick >= leastLeft) this.#next = leastLeft;
  }
}
