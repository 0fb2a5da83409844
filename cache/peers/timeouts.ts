import type { Clock } from '../../kernel/index.ts';

/**
 * Calls back for tasks that have not ended some time after they began. One timer serves all, since nearly all
 * end before: a request costs only an entry in a map. There are as many as requests in flight.
 */
export class Timeouts implements Disposable {
  readonly #clock: Clock;
  readonly #afterMs: number;
  /** By due time. All have the same delay, so the first is due first. */
  readonly #begun = new Map<() => void, number>();
  readonly #closing = new AbortController();
  #isWaiting = false;

  constructor(clock: Clock, afterMs: number) {
    this.#clock = clock;
    this.#afterMs = afterMs;
  }

  /** A task has begun; the returned function ends it. `late` must not throw. */
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

  /** No callback is called any more. */
  [Symbol.dispose](): void {
    this.#closing.abort();
  }
}
