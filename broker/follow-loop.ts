import type { Clock, Random } from '../kernel/index.ts';

interface FollowLoopOptions {
  readonly clock: Clock;
  readonly random: Random;
  /** Waits before each pass. Wakes during the wait are served by that pass. */
  readonly ready?: () => Promise<void>;
  readonly pass: () => Promise<void>;
  /** Receives the error of a pass. The pass is tried again. */
  readonly failed: (error: unknown) => void;
}

const firstRetryMs = 1000;
const lastRetryMs = 60_000;

/** Runs a pass when woken, again when woken during one, and after a growing pause when one failed. */
export class FollowLoop {
  readonly #options: FollowLoopOptions;
  readonly #abort = new AbortController();
  #running: Promise<void> | undefined;
  #again = false;

  constructor(options: FollowLoopOptions) {
    this.#options = options;
  }

  /** Aborts when the loop is closed. */
  get signal(): AbortSignal {
    return this.#abort.signal;
  }

  wake(): void {
    if (this.signal.aborted) return;
    this.#again = true;
    this.#running ??= this.#run();
  }

  /** Resolves when no pass runs. */
  async idle(): Promise<void> {
    while (this.#running !== undefined) await this.#running;
  }

  /** Stop, after a pass that runs. */
  async close(): Promise<void> {
    this.#abort.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { clock, random, ready, pass, failed } = this.#options;
    const { signal } = this;
    let retryMs = firstRetryMs;
    while (this.#again && !signal.aborted) {
      await ready?.();
      this.#again = false;
      try {
        await pass();
        retryMs = firstRetryMs;
      } catch (error) {
        failed(error);
        await clock.sleep(retryMs * (0.5 + random.next()), signal).catch(() => undefined);
        retryMs = Math.min(2 * retryMs, lastRetryMs);
        this.#again = true;
      }
    }
    // In the same step as the last read of #again, so that a change from now on starts another run.
    this.#running = undefined;
  }
}
