import type { Clock } from '../../kernel/index.ts';

/**
 * Calls `late` once after `ms` milliseconds without a call of `heard`, by the given clock. The cache has another idle
 * timer, `SocketIdleTimer`: it changes its limit with every request and so runs on Node's own timer of the socket,
 * which costs no promise per wait but follows no other clock.
 */
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

  /** Data came: the time starts again. */
  heard(): void {
    this.#heard = this.#clock.now();
    this.#resting = false;
  }

  /** The client stopped reading: silence does not count until the next `heard`. */
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
