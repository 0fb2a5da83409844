/** A call that takes longer than this is slow, as over a network. */
const slowMs = 20;
const patience = 8;

/** Whether a disk is fast enough for synchronous calls, which cost a tenth of asynchronous ones. */
export class DiskPace {
  #slowLooks = 0;

  get isSlow(): boolean {
    return this.#slowLooks >= patience;
  }

  /** Run a synchronous call and note its duration. */
  timed<Result>(work: () => Result): Result {
    const started = performance.now();
    try {
      return work();
    } finally {
      if (performance.now() - started > slowMs) this.#slowLooks++;
    }
  }
}
