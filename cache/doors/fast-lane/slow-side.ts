import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import type { SocketIdleTimer } from '../../waiting/index.ts';
import { StandIn } from './stand-in.ts';

type Done = (error?: Error | null) => void;

/**
 * A connection for Node's HTTP server while the real one stays in the fast lane: it gets one plain head at a time, and
 * the server's writes go to the real socket. When the server ends or closes this side, the real one follows.
 */
export class SlowSide extends StandIn {
  readonly #socket: Socket;
  readonly #onAnswered: () => void;
  readonly #idleTimer: Pick<SocketIdleTimer, 'allow'>;
  #detached = false;

  /** `onAnswered` is called after each response that leaves the connection open; `idleTimer` is the real socket's. */
  constructor(socket: Socket, onAnswered: () => void, idleTimer: Pick<SocketIdleTimer, 'allow'>) {
    super(socket);
    this.#socket = socket;
    this.#onAnswered = onAnswered;
    this.#idleTimer = idleTimer;
  }

  /** Signal the sides of a server's connections when a response is complete; once for each server. */
  static watch(server: Server): void {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const side: unknown = request.socket;
      if (side instanceof SlowSide) response.once('close', () => side.answered());
    });
  }

  /** Close it without the real socket, which has been given away. */
  detach(): void {
    this.#detached = true;
    this.destroy();
  }

  /** The last head is answered, and the connection stays. */
  answered(): void {
    if (!this.destroyed && !this.writableEnded) this.#onAnswered();
  }

  /** Whether the real one is TLS. */
  get encrypted(): boolean {
    return (this.#socket as { encrypted?: boolean }).encrypted === true;
  }

  /** Sets the real socket's idle limit, which applies to this side as well. */
  setTimeout(ms: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback);
    if (!this.#detached && ms > 0) this.#idleTimer.allow(ms);
    return this;
  }

  /** Deliver a head; its reader is attached from the start, so that nothing has to be buffered. */
  hear(head: Buffer): void {
    this.emit('data', head);
  }

  // Writes go to the real socket at once: a second buffer before it would double the cost.

  override write(chunk: unknown, encoding?: unknown, done?: unknown): boolean {
    if (this.#detached) return false;
    return this.#socket.write(chunk as Buffer, encoding as BufferEncoding, done as Done);
  }

  override cork(): void {
    if (!this.#detached) this.#socket.cork();
  }

  override uncork(): void {
    if (!this.#detached) this.#socket.uncork();
  }

  /** Close so that nothing written before can be taken for whole. */
  resetAndDestroy(): this {
    if (!this.#detached) this.#socket.resetAndDestroy();
    return this.destroy();
  }

  // The fast lane pushes what arrives, within its own limits.
  override _read(): void {}

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    this.#socket.write(chunk, done);
  }

  override _final(done: Done): void {
    if (this.#detached || this.#socket.writableEnded) done();
    else this.#socket.end(() => done());
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.#detached) this.#socket.destroySoon();
    done(error);
  }
}
