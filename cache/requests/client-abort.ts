/** The used parts of an AbortSignal: one of Node's for each request made the collector's pauses longer. */
export interface AbortSource {
  readonly aborted: boolean;
  readonly reason: unknown;
  addEventListener(type: 'abort', listener: () => void, options?: { readonly once?: boolean }): void;
  removeEventListener(type: 'abort', listener: () => void): void;
}

/** The abort of a client's request. Listeners are called once, in the order in which they were added. */
export class ClientAbort implements AbortSource {
  #listeners: (() => void)[] = [];
  #reason: unknown;

  /** Aborts as soon as any of these signals does. */
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

  /** The reason; undefined as long as it is not aborted. */
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

  /** Abort; a second call has no effect. */
  leave(reason?: unknown): void {
    if (this.aborted) return;
    // Node's own reason when none is given.
    this.#reason = reason ?? new DOMException('This operation was aborted', 'AbortError');
    const listeners = this.#listeners;
    this.#listeners = [];
    for (const listener of listeners) listener();
  }
}

/** The same as an AbortSignal. */
export function abortSignalOf(signal: AbortSource): AbortSignal {
  if (signal instanceof AbortSignal) return signal;
  if (signal.aborted) return AbortSignal.abort(signal.reason);
  const controller = new AbortController();
  signal.addEventListener('abort', () => controller.abort(signal.reason), { once: true });
  return controller.signal;
}
