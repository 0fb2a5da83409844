import type { Clock } from '../../kernel/index.ts';

/** Calls `late` once when nothing has been heard for a while, by the clock that is given. */
export class IdleTimer implements Disposable {
  readonly #stop = new AbortController();
  readonly #clock: Clock;
  readonly #ms: number;
  #heard: number;
  #resting = false;

  constructor(clock: Clock, ms: number, late: () => void) {
    this.#clock = clock;
    this.#ms = ms;
    this.#heard = clock.now();
    this.#watch(late).catch(() => undefined);
  }

  /** Something was heard: the time begins anew. */
  heard(): void {
    this.#heard = this.#clock.now();
    this.#resting = false;
  }

  /** Nobody listens until `heard` is called next: silence does not count. */
  rest(): void {
    this.#resting = true;
  }

  async #watch(late: () => void): Promise<void> {
    for (;;) {
      if (this.#resting) this.#heard = this.#clock.now();
      const wait = this.#heard + this.#ms - this.#clock.now();
      if (wait <= 0) break;
      await this.#clock.sleep(wait, this.#stop.signal);
    }
    if (!this.#stop.signal.aborted) late();
  }

  [Symbol.dispose](): void {
    this.#stop.abort();
  }
}
