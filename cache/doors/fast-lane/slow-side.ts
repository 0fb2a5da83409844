import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { Duplex } from 'node:stream';
import type { SocketIdleTimer } from '../../waiting/index.ts';

type Done = (error?: Error | null) => void;

/**
 * What node's HTTP server takes for a connection while the real one stays in the fast lane: it is given one plain head at
 * a time, and what it writes goes out on the real socket. When it ends or cuts its side, so does the real one.
 */
export class SlowSide extends Duplex {
  readonly #socket: Socket;
  readonly #onAnswered: () => void;
  readonly #standstill: Pick<SocketIdleTimer, 'allow'>;
  #detached = false;

  /** `onAnswered` is called after each response that leaves the connection open; `standstill` is the real socket's. */
  constructor(socket: Socket, onAnswered: () => void, standstill: Pick<SocketIdleTimer, 'allow'>) {
    super({ allowHalfOpen: true });
    this.#socket = socket;
    this.#onAnswered = onAnswered;
    this.#standstill = standstill;
    // Whatever breaks breaks the real socket too, which tells.
    this.on('error', () => undefined);
  }

  /** Tell the sides of a server's connections when a response is done; once for each server. */
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

  /** The last head that was heard is answered, and the connection stays. */
  answered(): void {
    if (!this.destroyed && !this.writableEnded) this.#onAnswered();
  }

  /** Whether the real one is TLS. */
  get encrypted(): boolean {
    return (this.#socket as { encrypted?: boolean }).encrypted === true;
  }

  get remoteAddress(): string | undefined {
    return this.#socket.remoteAddress;
  }

  get remotePort(): number | undefined {
    return this.#socket.remotePort;
  }

  get remoteFamily(): string | undefined {
    return this.#socket.remoteFamily;
  }

  get localAddress(): string | undefined {
    return this.#socket.localAddress;
  }

  get localPort(): number | undefined {
    return this.#socket.localPort;
  }

  /** The real socket's, which stands still when this side does. */
  setTimeout(ms: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback);
    if (!this.#detached && ms > 0) this.#standstill.allow(ms);
    return this;
  }

  setNoDelay(): this {
    return this;
  }

  setKeepAlive(): this {
    return this;
  }

  /** Have a head read; whoever reads it is there from the start, so that nothing has to be kept for them. */
  hear(head: Buffer): void {
    this.emit('data', head);
  }

  // What is written is the real socket's business at once: a second buffer before it would cost as much as the first.

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

  /** End, and be gone when everything is written. */
  destroySoon(): void {
    if (!this.writableEnded) this.end();
    if (this.writableFinished) this.destroy();
    else this.once('finish', () => this.destroy());
  }

  /** Cut so that nothing written before can be taken for whole. */
  resetAndDestroy(): this {
    if (!this.#detached) this.#socket.resetAndDestroy();
    return this.destroy();
  }

  // What arrives is pushed by the fast lane, which has bounds of its own.
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
