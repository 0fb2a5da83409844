import { type AbortSource, ClientAbort } from '../requests/index.ts';
import type { Fetched } from './fetching.ts';

/** A content without a reader is dropped. */
function release(fetched: Fetched): void {
  if (fetched.kind === 'response') fetched.content?.release();
}

/** One fetch that several requests wait for. It is given up when none waits any more, until its answer has begun. */
export class SharedFetch {
  readonly #control = new ClientAbort();
  readonly #fetched: Promise<Fetched>;
  #waiting = 0;
  #begun = false;

  /** `onEnd` is called before the waiting requests continue; with `unattended` none has to wait for it. */
  constructor(
    run: (signal: AbortSource) => Promise<Fetched>,
    onEnd: (shared: SharedFetch, fetched: Fetched | undefined) => void,
    { unattended = false } = {},
  ) {
    this.#fetched = this.#run(run, onEnd);
    if (!unattended) return;
    this.#waiting = 1;
    this.#fetched.then(release, () => undefined);
  }

  async #run(
    run: (signal: AbortSource) => Promise<Fetched>,
    onEnd: (shared: SharedFetch, fetched: Fetched | undefined) => void,
  ): Promise<Fetched> {
    let fetched: Fetched | undefined;
    try {
      fetched = await run(this.#control);
      return fetched;
    } finally {
      this.#begun = true;
      onEnd(this, fetched);
    }
  }

  /** A waiting request does not use the answer: when no other does either, it is dropped. */
  decline(): void {
    this.#waiting -= 1;
    if (this.#waiting === 0) void this.#fetched.then(release, () => undefined);
  }

  /** Wait for the answer's head; rejects at once when `signal` aborts, and with the error of the fetch. */
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
