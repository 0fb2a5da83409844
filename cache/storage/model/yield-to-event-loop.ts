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
