import type { Socket } from 'node:net';

/**
 * Watches for inactivity with limits that change with every request: the timer with the shortest limit stays,
 * and is started again for the rest of a longer one.
 */
export class SocketIdleTimer {
  readonly #socket: Socket;
  readonly #over: () => void;
  #limitMs = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #waitedMs = 0;
  /** Bytes that had moved at the last timeout. */
  #moved = -1;
  /** Node's timer has ended, and restarts only with the next byte. */
  #isOver = false;

  /** `over` is called when nothing has moved for the limit; it then decides about the connection. */
  constructor(socket: Socket, over: () => void) {
    this.#socket = socket;
    this.#over = over;
    socket.on('timeout', this.#onTimeout);
  }

  /** From now on nothing may move for `ms` milliseconds at most. */
  allow(ms: number): void {
    const socket = this.#socket;
    this.#limitMs = ms;
    this.#waitedMs = 0;
    this.#moved = -1;
    this.#minMs = Math.min(this.#minMs, ms);
    if (this.#isOver || socket.timeout !== this.#minMs) this.#begin(this.#minMs);
  }

  stop(): void {
    this.#socket.off('timeout', this.#onTimeout);
    this.#socket.setTimeout(0);
  }

  #begin(ms: number): void {
    this.#isOver = false;
    this.#socket.setTimeout(ms);
  }

  readonly #onTimeout = (): void => {
    const socket = this.#socket;
    const moved = socket.bytesRead + socket.bytesWritten;
    const waited = socket.timeout ?? 0;
    this.#waitedMs = this.#moved === moved ? this.#waitedMs + waited : waited;
    this.#moved = moved;
    const leftMs = this.#limitMs - this.#waitedMs;
    this.#isOver = true;
    if (leftMs > 0) this.#begin(Math.min(leftMs, this.#minMs));
    else this.#over();
  };
}
