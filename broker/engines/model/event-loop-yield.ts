import { setImmediate } from 'node:timers/promises';

/** Lets the event loop turn after each so much work, whatever its unit is. */
export class Pacing {
  readonly #share: number;
  #done = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** Note work done; undefined, or a promise to wait for. */
  pause(work: number): Promise<void> | undefined {
    this.#done += work;
    if (this.#done < this.#share) return undefined;
    this.#done = 0;
    return setImmediate();
  }
}
