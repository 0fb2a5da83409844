import type { ClientAbort } from '../requests/index.ts';
import type { Reply } from './reply.ts';

// A client that pipelines more requests than this without reading answers is an attacker.
const maxWaiting = 256;

/** Waiting requests on all connections of a door together. */
export interface WaitingRoom {
  count: number;
  readonly max: number;
}

/** An answer in flight, and the abort of its client. */
export interface Answering {
  readonly response: Reply;
  readonly leaving: ClientAbort;
}

/**
 * The requests of one connection, one after another: pipelined requests wait, so that pipelining neither
 * multiplies the work of a connection nor changes the order of its effects.
 */
export class RequestQueue {
  answering: Answering | undefined;
  readonly #room: WaitingRoom;
  readonly #waiting: (() => Promise<void>)[] = [];
  #busy = false;

  constructor(room: WaitingRoom) {
    this.#room = room;
  }

  get isBusy(): boolean {
    return this.#busy;
  }

  /** Run now or after the earlier ones. False when too many are waiting already. `task` does not reject. */
  take(task: () => Promise<void>): boolean {
    if (!this.#busy) {
      this.#go(task).catch(() => undefined);
      return true;
    }
    if (this.#waiting.length >= maxWaiting || this.#room.count >= this.#room.max) return false;
    this.#room.count += 1;
    this.#waiting.push(task);
    return true;
  }

  /** The connection has closed: drop its waiting requests. */
  drop(): void {
    this.#room.count -= this.#waiting.length;
    this.#waiting.length = 0;
  }

  async #go(first: () => Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      for (let task: typeof first | undefined = first; task !== undefined; task = this.#next()) await task();
    } finally {
      this.#busy = false;
    }
  }

  #next(): (() => Promise<void>) | undefined {
    const task = this.#waiting.shift();
    if (task !== undefined) this.#room.count -= 1;
    return task;
  }
}
