/** A promise that an abort rejects; `start` gets what settles it, and returns what gives up the wait. */
export function abortable<Value>(
  signal: AbortSignal | undefined,
  start: (resolve: (value: Value) => void, reject: (reason: unknown) => void) => () => void,
): Promise<Value> {
  if (signal?.aborted) return Promise.reject(signal.reason);
  return new Promise((resolve, reject) => {
    const stop = () => {
      giveUp();
      reject(signal?.reason);
    };
    signal?.addEventListener('abort', stop, { once: true });
    const settling =
      <Result>(settle: (result: Result) => void) =>
      (result: Result) => {
        signal?.removeEventListener('abort', stop);
        settle(result);
      };
    const giveUp = start(settling(resolve), settling(reject));
  });
}
