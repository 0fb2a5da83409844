import type { Clock } from '../../kernel/index.ts';

/**
 * Calls back for what has not ended some time after it began. One timer serves all, since nearly everything ends before:
 * that costs a request no more than an entry in a map. There are as many as requests are under way.
 */
export class Timeouts implements Disposable {
  readonly #clock: Clock;
  readonly #afterMs: number;
  /** By when they are due, all after the same time, so that the first is due first. */
  readonly #begun = new Map<() => void, number>();
  readonly #closing = new AbortController();
  #isWaiting = false;

  constructor(clock: Clock, afterMs: number) {
    this.#clock = clock;
    this.#afterMs = afterMs;
  }

  /** Something has begun; it ends by calling what is given back. `late` must not throw. */
  begin(late: () => void): () => void {
    this.#begun.set(late, this.#clock.now() + this.#afterMs);
    if (!this.#isWaiting) void this.#wait();
    return () => {
      this.#begun.delete(late);
    };
  }

  async #wait(): Promise<void> {
    this.#isWaiting = true;
    for (let first = this.#first(); first !== undefined; first = this.#first()) {
      const [late, dueMs] = first;
      const leftMs = dueMs - this.#clock.now();
      if (leftMs > 0) await this.#clock.sleep(leftMs, this.#closing.signal).catch(() => this.#begun.clear());
      else {
        this.#begun.delete(late);
        late();
      }
    }
    this.#isWaiting = false;
  }

  #first(): readonly [() => void, number] | undefined {
    return this.#begun.entries().next().value;
  }

  /** Nobody is called any more. */
  [Symbol.dispose](): void {
    this.#closing.abort();
  }
}
