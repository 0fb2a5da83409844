import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Server, Socket } from 'node:net';
import { StandIn } from '../doors/index.ts';
import type { Frame } from './frames.ts';
import { answered, data, half, over, type RelayedClient, sendFrame } from './relay-frames.ts';

type Done = (error?: Error | null) => void;

/** A client's connection that another process accepted, for Node's HTTP server in this one. */
export class RelayedConnection extends StandIn {
  readonly client: RelayedClient;
  readonly #socket: Socket;
  /** Between two requests the other process applies the idle timeout. */
  #isIdle = false;
  #isCut = false;

  /** `socket` leads to the other process; its frames come in through `hear`. */
  constructor(socket: Socket, client: RelayedClient) {
    super(client);
    this.client = client;
    this.#socket = socket;
    socket.on('timeout', () => {
      if (!this.#isIdle) this.emit('timeout');
    });
    socket.on('close', () => this.destroy());
  }

  /** Signal the other process when a request is answered; once for each server. */
  static watch(server: Server): void {
    server.prependListener('request', (request: IncomingMessage, response: ServerResponse) => {
      const connection: unknown = request.socket;
      if (connection instanceof RelayedConnection) response.once('close', () => connection.#answered());
    });
  }

  hear({ kind, payload }: Frame): void {
    if (kind === data) {
      this.#isIdle = false;
      if (!this.push(payload)) this.#socket.pause();
    } else if (kind === half) this.push(null);
    else this.destroy();
  }

  setTimeout(ms: number, callback?: () => void): this {
    if (callback !== undefined) this.once('timeout', callback);
    this.#socket.setTimeout(ms);
    return this;
  }

  /** Close so that the other side cannot take the bytes before for a whole answer. */
  resetAndDestroy(): this {
    this.#isCut = true;
    return this.destroy();
  }

  #answered(): void {
    if (this.destroyed || this.writableEnded || this.client.what === 'bytes') return;
    this.#isIdle = true;
    this.#socket.setTimeout(0);
    sendFrame(this.#socket, answered);
  }

  override _read(): void {
    if (this.#socket.isPaused()) this.#socket.resume();
  }

  override _write(chunk: Buffer, _encoding: BufferEncoding, done: Done): void {
    sendFrame(this.#socket, data, chunk, done);
  }

  override _writev(chunks: { readonly chunk: Buffer }[], done: Done): void {
    this.#socket.cork();
    for (const [at, { chunk }] of chunks.entries())
      sendFrame(this.#socket, data, chunk, at === chunks.length - 1 ? done : undefined);
    this.#socket.uncork();
  }

  override _final(done: Done): void {
    sendFrame(this.#socket, half);
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    // A socket that ends without this frame was cut.
    if (!this.#isCut && error === null && this.writableLength === 0 && this.#socket.writableLength < 1024) {
      sendFrame(this.#socket, over);
      this.#socket.destroySoon();
    } else this.#socket.destroy();
    done(error);
  }
}
