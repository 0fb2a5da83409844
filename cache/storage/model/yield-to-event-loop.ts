/** Others have their turn: requests that came meanwhile are answered before what follows. */
export const yieldToEventLoop = () => new Promise<void>((resolve) => setImmediate(resolve));

/** Do something with each number from 0 to before `end`, which may grow meanwhile, `slice` of them in one go. */
export async function inSlices(end: () => number, slice: number, work: (at: number) => void): Promise<void> {
  for (let at = 0; at < end(); at++) {
    if (at % slice === slice - 1) await yieldToEventLoop();
    work(at);
  }
}
