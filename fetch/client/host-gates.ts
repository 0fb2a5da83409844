import type { Clock } from '../../kernel/index.ts';
import { requestWaits } from '../events.ts';
import type { TokenBucket } from './token-bucket.ts';

/** A semaphore: so many may enter, the others wait in order. */
class Door {
  #free: number;
  readonly #waiting: { enter: () => void }[] = [];

  constructor(places: number) {
    this.#free = places;
  }

  get idle(): boolean {
    return this.#waiting.length === 0;
  }

  enter(signal: AbortSignal): Promise<void> {
    if (signal.aborted) return Promise.reject(signal.reason);
    if (this.#free > 0) {
      this.#free -= 1;
      return Promise.resolve();
    }
    return new Promise((resolve, reject) => {
      const leave = () => {
        this.#waiting.splice(this.#waiting.indexOf(waiter), 1);
        reject(signal.reason);
      };
      const waiter = {
        enter: () => {
          signal.removeEventListener('abort', leave);
          resolve();
        },
      };
      this.#waiting.push(waiter);
      signal.addEventListener('abort', leave, { once: true });
    });
  }

  leave(): void {
    const next = this.#waiting.shift();
    if (next) next.enter();
    else this.#free += 1;
  }
}

interface HostState {
  readonly door: Door;
  running: number;
  /** When the last request to it was sent; clock milliseconds. */
  lastStart: number;
  /** The delay before the last request to it. */
  delayMs: number;
  /** No request is sent before this time, because the server said so. */
  heldUntil: number;
}

export interface Courtesy {
  /** Min milliseconds between the starts of two requests. */
  readonly delayMs: number;
  /** Max requests in flight. */
  readonly perHost: number;
}

// Idle hosts that are remembered; above this number the oldest is forgotten.
const rememberedHosts = 1000;

/** The delay of each host, the limit of all requests together, and their rate where one is set. */
export class HostGates {
  readonly #clock: Clock;
  readonly #all: Door;
  readonly #hosts = new Map<string, HostState>();
  readonly #rate: TokenBucket | undefined;

  /** `rate`: requests to all hosts together, of other clients too; no limit when absent. */
  constructor(clock: Clock, connections: number, rate?: TokenBucket) {
    this.#clock = clock;
    this.#all = new Door(connections);
    this.#rate = rate;
  }

  /** Wait until this host may get a request; call the returned function once when the request is over. */
  async enter(host: string, courtesy: Courtesy, signal: AbortSignal): Promise<() => void> {
    const state = this.#state(host, courtesy.perHost);
    state.running += 1;
    state.delayMs = courtesy.delayMs;
    try {
      await state.door.enter(signal);
    } catch (error) {
      state.running -= 1;
      throw error;
    }
    const leave = () => {
      state.running -= 1;
      state.door.leave();
    };
    try {
      for (;;) {
        await this.#waitTurn(host, state, courtesy.delayMs, signal);
        await this.#all.enter(signal);
        // While this request waited for a place among all, another may have gone to this host.
        const isTurn = this.#turnAt(state, courtesy.delayMs) <= this.#clock.now();
        if (isTurn && (await this.#start(state, signal))) break;
        this.#all.leave();
      }
    } catch (error) {
      leave();
      throw error;
    }
    return () => {
      this.#all.leave();
      leave();
    };
  }

  /** Send nothing to this host for `ms` milliseconds. */
  hold(host: string, ms: number): void {
    const state = this.#hosts.get(host);
    if (state) state.heldUntil = Math.max(state.heldUntil, this.#clock.now() + ms);
  }

  /** Record the start of a request when the rate allows it; false when its host was held meanwhile. */
  async #start(state: HostState, signal: AbortSignal): Promise<boolean> {
    state.lastStart = this.#rate?.take() ?? this.#clock.now();
    if (this.#rate === undefined) return true;
    try {
      await this.#rate.waitUntil(state.lastStart, signal);
    } catch (error) {
      this.#all.leave();
      throw error;
    }
    return state.heldUntil <= this.#clock.now();
  }

  #turnAt(state: HostState, delayMs: number): number {
    return Math.max(state.lastStart + delayMs, state.heldUntil);
  }

  async #waitTurn(host: string, state: HostState, delayMs: number, signal: AbortSignal): Promise<void> {
    for (;;) {
      const wait = this.#turnAt(state, delayMs) - this.#clock.now();
      if (wait <= 0) return;
      requestWaits.publish({ host, ms: wait, held: state.heldUntil > state.lastStart + delayMs });
      await this.#clock.sleep(wait, signal);
    }
  }

  #state(host: string, perHost: number): HostState {
    const known = this.#hosts.get(host);
    if (known) return known;
    this.#forgetIdle();
    const state = {
      door: new Door(perHost),
      running: 0,
      lastStart: Number.NEGATIVE_INFINITY,
      delayMs: 0,
      heldUntil: Number.NEGATIVE_INFINITY,
    };
    this.#hosts.set(host, state);
    return state;
  }

  #forgetIdle(): void {
    if (this.#hosts.size < rememberedHosts) return;
    const now = this.#clock.now();
    for (const [host, state] of this.#hosts) {
      const isDue = this.#turnAt(state, state.delayMs) <= now;
      if (state.running === 0 && state.door.idle && isDue) this.#hosts.delete(host);
      if (this.#hosts.size < rememberedHosts / 2) return;
    }
  }
}
