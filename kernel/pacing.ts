/** Yield to the event loop: pending requests are answered first. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/**
 * Call `work` for each number from 0 to before `end`, which may grow meanwhile, yielding to the event loop
 * after each `slice`.
 */
export async function inSlices(end: () => number, slice: number, work: (at: number) => void): Promise<void> {
  for (let at = 0; at < end(); at++) {
    if (at % slice === slice - 1) await yieldToEventLoop();
    work(at);
  }
}

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
    return yieldToEventLoop();
  }
}
