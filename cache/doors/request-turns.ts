import type { ClientAbort } from '../requests/index.ts';
import type { Reply } from './reply.ts';

// Who sends this many requests on one connection without waiting for an answer is no client.
const maxWaiting = 256;

/** Requests that wait for their turn on all connections of a door together. */
export interface WaitingRoom {
  count: number;
  readonly max: number;
}

/** An answer that is being given, and who may leave before its end. */
export interface Answering {
  readonly response: Reply;
  readonly leaving: ClientAbort;
}

/**
 * The requests of one connection, one after the other: those sent ahead of their turn wait, so that pipelining neither
 * multiplies the work of one connection nor changes the order of what it does.
 */
export class RequestTurns {
  /** The answer whose turn it is. */
  answering: Answering | undefined;
  readonly #room: WaitingRoom;
  readonly #waiting: (() => Promise<void>)[] = [];
  #busy = false;

  constructor(room: WaitingRoom) {
    this.#room = room;
  }

  /** Whether a request is being answered or waits. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /** Run now or when those before are done. False when too many wait already. `turn` does not reject. */
  take(turn: () => Promise<void>): boolean {
    if (!this.#busy) {
      this.#go(turn).catch(() => undefined);
      return true;
    }
    if (this.#waiting.length >= maxWaiting || this.#room.count >= this.#room.max) return false;
    this.#room.count += 1;
    this.#waiting.push(turn);
    return true;
  }

  /** The connection is gone, and with it what waits. */
  drop(): void {
    this.#room.count -= this.#waiting.length;
    this.#waiting.length = 0;
  }

  async #go(first: () => Promise<void>): Promise<void> {
    this.#busy = true;
    try {
      for (let turn: typeof first | undefined = first; turn !== undefined; turn = this.#next()) await turn();
    } finally {
      this.#busy = false;
    }
  }

  #next(): (() => Promise<void>) | undefined {
    const turn = this.#waiting.shift();
    if (turn !== undefined) this.#room.count -= 1;
    return turn;
  }
}
