import { type Failure, offline, refused, silent, unreadable } from './failure.ts';

/** The outcome of a request: an answer or a failure. */
export type Outcome<Answer> = { readonly answer: Answer } | { readonly trouble: Failure };

const patienceMs = 20_000;

/**
 * Call the API and read its answer. Every failure becomes a `Failure`; aborting `signal` gives undefined, because the
 * answer is no longer wanted.
 */
export async function ask<Answer>(
  path: string,
  read: (json: unknown) => Answer | undefined,
  signal: AbortSignal,
  method: 'GET' | 'POST' = 'GET',
): Promise<Outcome<Answer> | undefined> {
  const own = new AbortController();
  const stop = () => own.abort();
  signal.addEventListener('abort', stop, { once: true });
  const timer = setTimeout(stop, patienceMs);
  try {
    const response = await fetch(path, {
      method,
      signal: own.signal,
      headers: { accept: 'application/json' },
    });
    const json: unknown = await response.json().catch((cause: unknown) => {
      if (own.signal.aborted) throw cause;
      return undefined;
    });
    if (signal.aborted) return undefined;
    if (!response.ok) return { trouble: refused(response.status, json) };
    const answer = read(json);
    return answer === undefined ? { trouble: unreadable } : { answer };
  } catch {
    if (signal.aborted) return undefined;
    return { trouble: navigator.onLine ? silent : offline };
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', stop);
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
