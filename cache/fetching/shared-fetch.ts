import { type AbortSource, ClientAbort } from '../requests/index.ts';
import type { Fetched } from './fetching.ts';

/** What nobody takes is not kept for anyone. */
function release(fetched: Fetched): void {
  if (fetched.kind === 'response') fetched.content?.release();
}

/** One fetch that several requests wait for. It is given up when nobody does, until its answer has begun. */
export class SharedFetch {
  readonly #control = new ClientAbort();
  readonly #fetched: Promise<Fetched>;
  #waiting = 0;
  #begun = false;

  /**
   * `told` hears of its end before those who wait. With `unattended` it goes on though nobody waits, as for a refresh behind a
   * stale answer.
   */
  constructor(
    run: (signal: AbortSource) => Promise<Fetched>,
    told: (shared: SharedFetch, fetched: Fetched | undefined) => void,
    { unattended = false } = {},
  ) {
    this.#fetched = this.#run(run, told);
    if (!unattended) return;
    this.#waiting = 1;
    this.#fetched.then(release, () => undefined);
  }

  async #run(
    run: (signal: AbortSource) => Promise<Fetched>,
    told: (shared: SharedFetch, fetched: Fetched | undefined) => void,
  ): Promise<Fetched> {
    let fetched: Fetched | undefined;
    try {
      fetched = await run(this.#control);
      return fetched;
    } finally {
      this.#begun = true;
      told(this, fetched);
    }
  }

  /** One who has waited takes nothing of the answer: when nobody else does either, it is let go. */
  decline(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) void this.#fetched.then(release, () => undefined);
  }

  /** Wait for the answer's head; rejects at once when `signal` aborts, and with whatever the fetch throws. */
  wait(signal: AbortSource): Promise<Fetched> {
    if (signal.aborted) return Promise.reject(signal.reason);
    this.#waiting += 1;
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting -= 1;
        reject(signal.reason);
        if (this.#waiting > 0) return;
        if (!this.#begun) this.#control.leave(signal.reason);
        void this.#fetched.then(release, () => undefined);
      };
      signal.addEventListener('abort', leave, { once: true });
      this.#fetched.then(
        (fetched) => {
          signal.removeEventListener('abort', leave);
          resolve(fetched);
        },
        (error) => {
          signal.removeEventListener('abort', leave);
          reject(error);
        },
      );
    });
  }
}
