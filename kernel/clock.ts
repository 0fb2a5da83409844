/** Time as a parameter: protocol and store code never reads the machine's clock itself. */
export interface Clock {
  /** Wall time in milliseconds since 1970. */
  now(): number;
  /** Resolve after `ms` milliseconds; reject with the signal's reason when it aborts first. */
  sleep(ms: number, signal?: AbortSignal): Promise<void>;
}

/** The machine's clock. */
export const systemClock: Clock = {
  now: () => Date.now(),
  sleep: (ms, signal) =>
    new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        clearTimeout(timer);
        reject(signal?.reason);
      };
      // Above 2^31-1 ms a Node timer fires at once.
      const timer = setTimeout(
        () => {
          signal?.removeEventListener('abort', stop);
          resolve();
        },
        Math.min(ms, 2_147_483_647),
      );
      signal?.addEventListener('abort', stop, { once: true });
    }),
};

/** A clock that moves only by `advance`, for tests and simulations. */
export class ManualClock implements Clock {
  #now: number;
  #sleepers: { at: number; wake: () => void }[] = [];

  constructor(startMs = 1_700_000_000_000) {
    this.#now = startMs;
  }

  now(): number {
    return this.#now;
  }

  sleep(ms: number, signal?: AbortSignal): Promise<void> {
    return new Promise((resolve, reject) => {
      if (signal?.aborted) return reject(signal.reason);
      const stop = () => {
        this.#sleepers = this.#sleepers.filter((other) => other !== sleeper);
        reject(signal?.reason);
      };
      const wake = () => {
        signal?.removeEventListener('abort', stop);
        resolve();
      };
      const sleeper = { at: this.#now + ms, wake };
      this.#sleepers.push(sleeper);
      signal?.addEventListener('abort', stop, { once: true });
    });
  }

  /** Move time forward and wake the sleepers that are due, in order. */
  advance(ms: number): void {
    this.#now += ms;
    const due = this.#sleepers.filter((sleeper) => sleeper.at <= this.#now).sort((a, b) => a.at - b.at);
    this.#sleepers = this.#sleepers.filter((sleeper) => sleeper.at > this.#now);
    for (const sleeper of due) sleeper.wake();
  }
}

/** Call `due` after a time of the clock, unless it is disposed before. */
export function alarm(clock: Clock, ms: number, due: () => void): AsyncDisposable {
  const timer = new AbortController();
  const waiting = clock.sleep(ms, timer.signal).then(due, () => undefined);
  return {
    [Symbol.asyncDispose]: async () => {
      timer.abort();
      await waiting;
    },
  };
}

/** A sleep that can be cut short. */
export class Nap {
  readonly #clock: Clock;
  readonly #signal: AbortSignal;
  #current = new AbortController();

  constructor(clock: Clock, signal: AbortSignal) {
    this.#clock = clock;
    this.#signal = signal;
  }

  /** Resolves after `ms` milliseconds, at the next `wake`, or when the signal aborts. */
  async sleep(ms: number): Promise<void> {
    const nap = new AbortController();
    this.#current = nap;
    if (this.#signal.aborted) return;
    // AbortSignal.any would leave an entry in the long-lived signal for each sleep.
    const stop = () => nap.abort();
    this.#signal.addEventListener('abort', stop, { once: true });
    await this.#clock.sleep(ms, nap.signal).catch(() => undefined);
    this.#signal.removeEventListener('abort', stop);
  }

  /** End the sleep that runs, if any. */
  wake(): void {
    this.#current.abort();
  }
}
