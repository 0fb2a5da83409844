/**
 * What is watched of one who asks and may leave before the answer: as much of an AbortSignal as that takes. Node's own
 * outlive every small collection, and with them all that listens to them: one for each request made the pauses of the
 * collector several times as long.
 */
export interface AbortSource {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** One who asks, and may leave. Listeners are called once, in the order in which they came. */
export class ClientAbort implements AbortSource {
  #listeners: (() => void)[] = [];
  #reason: unknown;

  /** One that leaves with any of these. */
  static withAny(signals: readonly AbortSource[]): ClientAbort {
    const leaving = new ClientAbort();
    for (const signal of signals) {
      const leave = () => leaving.leave(signal.reason);
      if (signal.aborted) leave();
      else signal.addEventListener('abort', leave, { once: true });
    }
    return leaving;
  }

  get aborted(): boolean {
    return this.#reason !== undefined;
  }

  /** Why; undefined as long as nobody left. */
  get reason(): unknown {
    return this.#reason;
  }

  addEventListener(_type: 'abort', listener: () => void): void {
    if (!this.#listeners.includes(listener)) this.#listeners.push(listener);
  }

  removeEventListener(_type: 'abort', listener: () => void): void {
    const at = this.#listeners.indexOf(listener);
    if (at !== -1) this.#listeners.splice(at, 1);
  }

  /** They have left; a second time is as good as none. */
  leave(reason?: unknown): void {
    if (this.aborted) return;
    // What Node says when nobody says why.
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/** The same as an AbortSignal, for those who need one. */
export function abortSignalOf(signal: AbortSource): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  if (signal.aborted) return AbortSignal.abort(signal.reason);
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}
