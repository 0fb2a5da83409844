/** Looks that take longer than this, as over a network, are not waited for once there were some. */
const slowMs = 20;
const patience = 8;

/**
 * Whether a disk is quick enough to be waited for at once, which costs a tenth of a promise for each look. One far away
 * would hold up everything else.
 */
export class DiskPace {
  #slowLooks = 0;

  get isSlow(): boolean {
    return this.#slowLooks >= patience;
  }

  /** Do something at once and note how long it took. */
  timed<Result>(work: () => Result): Result {
    const started = performance.now();
    try {
      return work();
    } finally {
      if (performance.now() - started > slowMs) this.#slowLooks++;
    }
  }
}
