import type { Clock } from '../kernel/index.ts';
import type { RouteResponse } from './route.ts';

/** The state of something at one moment, as one server-sent event. */
export interface StateEvent {
  /** Sent back by a browser as Last-Event-ID when it connects again; one line. */
  readonly id?: string;
  /** The event's name for listeners in a page, `message` when absent; one line. */
  readonly event?: string;
  /** Sent as JSON. */
  readonly json: unknown;
}

export interface EventStreamOptions {
  readonly clock: Clock;
  /** After this much silence a comment is sent, so that proxies keep the connection open; 15 s when absent. */
  readonly heartbeatMs?: number;
  /** How long a browser waits before it connects again; 3 s when absent. */
  readonly retryMs?: number;
}

const encoder = new TextEncoder();
const heartbeat = encoder.encode(':\n\n');

/**
 * Server-sent events (https://html.spec.whatwg.org/multipage/server-sent-events.html) for a route with `isStanding`.
 * Each event is a whole state, and the newest wins: a state that the reader has not taken is replaced by the next one, so
 * a slow reader costs one state of memory. The iterable is closed when the caller disconnects or the server closes; one
 * that waits must watch the request's `signal`, because a generator closes only where it yields.
 */
export function eventStream(states: AsyncIterable<StateEvent>, options: EventStreamOptions): RouteResponse {
  return {
    headers: {
      'content-type': 'text/event-stream; charset=utf-8',
      'cache-control': 'no-store, no-transform',
      // nginx would collect events before it sends them.
      'x-accel-buffering': 'no',
    },
    body: { [Symbol.asyncIterator]: () => new StateFrames(states, options) },
  };
}

/** One event as lines of the stream. Throws TypeError for an id or a name with a line break, or a value JSON lacks. */
export function eventFrame({ id, event, json }: StateEvent): Uint8Array {
  const data: string | undefined = JSON.stringify(json);
  if (data === undefined) throw new TypeError('an event needs a JSON value');
  const field = (name: string, value: string | undefined) => {
    if (value === undefined) return '';
    if (/[\r\n\0]/.test(value)) throw new TypeError(`the ${name} of an event is one line`);
    return `${name}: ${value}\n`;
  };
  return encoder.encode(`${field('id', id)}${field('event', event)}data: ${data}\n\n`);
}

/** The frames of a stream: pulls every state at once, and holds the newest until it is taken. */
class StateFrames implements AsyncIterator<Uint8Array> {
  readonly #states: AsyncIterable<StateEvent>;
  readonly #clock: Clock;
  readonly #heartbeatMs: number;
  readonly #retryMs: number;
  #source: AsyncIterator<StateEvent> | undefined;
  #newest: StateEvent | undefined;
  #ended = false;
  #fault: unknown;
  #wake: () => void = () => undefined;

  constructor(states: AsyncIterable<StateEvent>, { clock, heartbeatMs, retryMs }: EventStreamOptions) {
    this.#states = states;
    this.#clock = clock;
    this.#heartbeatMs = heartbeatMs ?? 15_000;
    this.#retryMs = retryMs ?? 3_000;
  }

  async next(): Promise<IteratorResult<Uint8Array>> {
    if (this.#source === undefined) {
      this.#source = this.#states[Symbol.asyncIterator]();
      void this.#pump(this.#source);
      // Sent before the first state, so that the headers are not delayed until there is one.
      return { done: false, value: encoder.encode(`retry: ${this.#retryMs}\n\n`) };
    }
    while (this.#newest === undefined && !this.#ended)
      if (await this.#silence()) return { done: false, value: heartbeat };
    const state = this.#newest;
    this.#newest = undefined;
    if (state !== undefined) return { done: false, value: eventFrame(state) };
    if (this.#fault !== undefined) throw this.#fault;
    return { done: true, value: undefined };
  }

  async return(): Promise<IteratorResult<Uint8Array>> {
    this.#newest = undefined;
    this.#source ??= this.#states[Symbol.asyncIterator]();
    if (!this.#ended) this.#close(this.#source);
    this.#ended = true;
    this.#wake();
    return { done: true, value: undefined };
  }

  /** Wait for a state or the end; true when the heartbeat is due first. */
  async #silence(): Promise<boolean> {
    const nap = new AbortController();
    this.#wake = () => nap.abort();
    return this.#clock.sleep(this.#heartbeatMs, nap.signal).then(
      () => true,
      () => false,
    );
  }

  async #pump(source: AsyncIterator<StateEvent>): Promise<void> {
    try {
      while (!this.#ended) {
        const { done, value } = await source.next();
        if (done === true || this.#ended) break;
        const isReplaced = this.#newest !== undefined;
        this.#newest = value;
        this.#wake();
        // A source that is faster than its reader must leave time for others.
        if (isReplaced) await new Promise((resolve) => setImmediate(resolve));
      }
    } catch (error) {
      if (!this.#ended) this.#fault = error;
    }
    this.#ended = true;
    this.#wake();
  }

  /** Not awaited: a generator that waits closes only when its wait ends. */
  #close(source: AsyncIterator<StateEvent>): void {
    void (async () => source.return?.())().catch(() => undefined);
  }
}
