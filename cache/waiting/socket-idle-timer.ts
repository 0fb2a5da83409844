import type { Socket } from 'node:net';

/**
 * Looks after a connection on which nothing moves, for times that change with every request. Node's timer of a socket begins
 * anew whenever something moves; one of another length is a new one each time. So the shortest goes on, and when it is over
 * it is waited on for what is left of a longer time.
 */
export class SocketIdleTimer {
  readonly #socket: Socket;
  readonly #over: () => void;
  #limitMs = 0;
  #minMs = Number.POSITIVE_INFINITY;
  #waitedMs = 0;
  /** Bytes that had moved when it was last waited on. */
  #moved = -1;
  /** Node's timer has ended, and begins anew with what moves only. */
  #isOver = false;

  /** `over` is called when nothing has moved for as long as it may; it is to say how it goes on. */
  constructor(socket: Socket, over: () => void) {
    this.#socket = socket;
    this.#over = over;
    socket.on('timeout', this.#onTimeout);
  }

  /** From now on nothing may move for so long, in milliseconds. */
  allow(ms: number): void {
    const socket = this.#socket;
    this.#limitMs = ms;
    this.#waitedMs = 0;
    this.#moved = -1;
    this.#minMs = Math.min(this.#minMs, ms);
    if (this.#isOver || socket.timeout !== this.#minMs) this.#begin(this.#minMs);
  }

  /** Look after it no more. */
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
