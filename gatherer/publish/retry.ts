/** When a document is read again though it has not changed, because a fault over it may have passed by then. */
export interface Retry {
  /** In seconds since 1970. */
  readonly at: number;
  /** Seconds that are waited until then. */
  readonly after: number;
}

const firstSeconds = 3600;
const maxSeconds = 24 * 3600;

/** An hour after the first fault, then twice as long after each further one, a day at most. */
export function nextRetry(before: Retry | undefined, nowSeconds: number): Retry {
  const after = before === undefined ? firstSeconds : Math.min(before.after * 2, maxSeconds);
  return { at: nowSeconds + after, after };
}
