import { setImmediate } from 'node:timers/promises';

/** Yields to the event loop after a certain amount of work, in any unit. */
export class Pacing {
  readonly #share: number;
  #done = 0;

  constructor(share: number) {
    this.#share = share;
  }

  /** Add finished work. Returns undefined, or a promise to wait for. */
  pause(work: number): Promise<void> | undefined {
    this.#done += work;
    if (this.#done < this.#share) return undefined;
    this.#done = 0;
    return setImmediate();
  }
}
