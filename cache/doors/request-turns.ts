import type { ServerResponse } from 'node:http';

// Who sends this many requests without waiting for an answer is no client.
const mostWaiting = 1000;

/**
 * The requests of one connection, one after the other: those sent ahead of their turn wait, so that pipelining neither
 * multiplies the work of one connection nor changes the order of what it does.
 */
export class RequestTurns {
  /** The answer whose turn it is. */
  answering: ServerResponse | undefined;
  readonly #waiting: (() => Promise<void>)[] = [];
  #busy = false;

  /** Whether a request is being answered or waits. */
  get isBusy(): boolean {
    return this.#busy;
  }

  /** Run now or when those before are done. False when too many wait already. `turn` does not reject. */
  take(turn: () => Promise<void>): boolean {
    if (this.#waiting.length >= mostWaiting) return false;
    this.#waiting.push(turn);
    if (!this.#busy) this.#go().catch(() => undefined);
    return true;
  }

  /** The connection is gone, and with it what waits. */
  drop(): void {
    this.#waiting.length = 0;
  }

  async #go(): Promise<void> {
    this.#busy = true;
    try {
      for (let turn = this.#waiting.shift(); turn !== undefined; turn = this.#waiting.shift()) await turn();
    } finally {
      this.#busy = false;
    }
  }
}
