import { BrokerError } from './broker-request.ts';
import { type Failure, failureOf, unreadable } from './failure.ts';

/** The outcome of a request: an answer or a failure. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly trouble: Failure };

/**
 * The outcome of a call of the client. Every error becomes a `Failure`; aborting `signal` gives undefined, because the
 * answer is no longer wanted.
 */
export async function ask<Answer>(
  call: (options: { readonly signal: AbortSignal }) => Promise<Answer>,
  signal: AbortSignal,
): Promise<Outcome<Answer> | undefined> {
  try {
    const answer = await call({ signal });
    return signal.aborted ? undefined : { answer };
  } catch (error) {
    if (signal.aborted) return undefined;
    return { trouble: error instanceof BrokerError ? failureOf(error, navigator.onLine) : unreadable };
  }
}

/** The last answers by path, to show at once while they are asked for again. */
export class RecentAnswers<Answer> {
  readonly #byPath = new Map<string, Answer>();
  readonly #limit: number;

  constructor(limit: number) {
    this.#limit = limit;
  }

  get(path: string): Answer | undefined {
    return this.#byPath.get(path);
  }

  set(path: string, answer: Answer): void {
    this.#byPath.delete(path);
    this.#byPath.set(path, answer);
    const oldest = this.#byPath.keys().next();
    if (this.#byPath.size > this.#limit && !oldest.done) this.#byPath.delete(oldest.value);
  }
}
