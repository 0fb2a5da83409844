/** Whether an object is wanted at a moment, and from when on that may change although the object does not. */
export interface Verdict {
  readonly holds: boolean;
  /** Seconds since 1970; absent where time plays no part. */
  readonly until?: number;
}

/**
 * The paper's filter predicate σ: which objects a client wishes to learn of. Both sides ask it of the same objects,
 * with a clock passed in, and get the same answer.
 */
export interface Filter {
  /** Canonical text: filters with equal texts are the same. */
  readonly text: string;
  /** `body` is an object's binary form; `now` in seconds since 1970. */
  judge(body: Uint8Array, now: number): Verdict;
}
