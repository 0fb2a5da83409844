import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { RawFields } from '../../rules/index.ts';
import type { Reply, RequestedHead } from '../reply.ts';
import { joinedBytes, keptConnection, printedHead } from './printed-head.ts';

/** A parsed head without a prebuilt answer. */
export interface LaneHead {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly fields: RawFields;
}

/** The connection as a reply uses it. */
export interface ReplyConnection {
  readonly socket: Socket;
  readonly keepAliveMs: number;
  /** The operating system has all of a reply; whether the connection stays. */
  replied(stays: boolean): void;
}

const lineEnd = '\r\n';
const closed = 'Connection: close\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';

/** The answer to one request of the fast lane, as Node's server would write it to a client of HTTP/1.1. */
export class LaneReply extends EventEmitter implements Reply, RequestedHead {
  readonly method: 'GET' | 'HEAD';
  readonly url: string;
  readonly rawHeaders: RawFields;
  readonly httpVersion = '1.1';
  readonly complete = true;
  readonly readableFlowing = null;
  readonly socket: Socket;
  destroyed = false;
  headersSent = false;
  writableFinished = false;
  chunkedEncoding = false;
  shouldKeepAlive = true;
  useChunkedEncodingByDefault = true;
  readonly #connection: ReplyConnection;
  /** The head, until it is written. */
  #head = '';
  #hasContent = true;
  #trailers = '';
  #isEnded = false;
  readonly #onWritten = () => this.#finished();

  constructor({ method, target, fields }: LaneHead, connection: ReplyConnection) {
    super();
    this.method = method;
    this.url = target;
    this.rawHeaders = fields;
    this.socket = connection.socket;
    this.#connection = connection;
  }

  get req(): this {
    return this;
  }

  /** A client that waits for 100 sends content, and goes to Node's server. */
  writeContinue(): void {}

  writeHead(status: number, reason: string, fields: readonly string[]): void {
    if (this.headersSent) throw new Error('a head was written already');
    const isBodiless = this.method === 'HEAD' || status === 204 || status === 304;
    const isFramed = isBodiless || hasLength(fields);
    const last = this.shouldKeepAlive ? keptConnection(this.#connection.keepAliveMs) : closed;
    const head = printedHead({ status, reason }, fields, isFramed ? last : last + chunked);
    if (head === undefined) throw new Error('a field has characters that cannot be sent');
    this.#hasContent = !isBodiless;
    this.chunkedEncoding = !isFramed;
    this.headersSent = true;
    this.#head = head;
  }

  flushHeaders(): void {
    if (this.destroyed || this.#head === '') return;
    this.socket.write(this.#head, 'latin1');
    this.#head = '';
  }

  write(piece: Uint8Array): boolean {
    if (this.destroyed || this.#isEnded || !this.#hasContent || piece.length === 0) return true;
    const { socket, chunkedEncoding } = this;
    socket.cork();
    this.flushHeaders();
    if (chunkedEncoding) socket.write(piece.length.toString(16) + lineEnd, 'latin1');
    let flows = socket.write(piece);
    if (chunkedEncoding) flows = socket.write(lineEnd, 'latin1');
    socket.uncork();
    return flows;
  }

  addTrailers(fields: [string, string][]): void {
    for (const [name, value] of fields) this.#trailers += `${name}: ${value}\r\n`;
  }

  end(piece?: Uint8Array): void {
    if (this.destroyed || this.#isEnded) return;
    const { socket, chunkedEncoding } = this;
    const content = this.#hasContent && piece !== undefined ? piece : nothing;
    const head = this.#head;
    if (head !== '' && !chunkedEncoding && content.length <= joinedBytes) {
      this.#head = '';
      socket.write(joined(head, content), this.#onWritten);
    } else {
      socket.cork();
      this.write(content);
      this.flushHeaders();
      socket.write(chunkedEncoding ? `0\r\n${this.#trailers}\r\n` : nothing, this.#onWritten);
      socket.uncork();
    }
    this.#isEnded = true;
  }

  destroy(): void {
    this.socket.destroy();
  }

  /** The client has read what was written. */
  drained(): void {
    this.emit('drain');
  }

  closed(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }

  #finished(): void {
    // A failed write closes the connection, which calls `closed`.
    if (this.destroyed || this.socket.destroyed) return;
    this.writableFinished = true;
    this.closed();
    this.#connection.replied(this.shouldKeepAlive);
  }
}

const nothing = new Uint8Array(0);

/** A door adds Content-Length at the end. */
function hasLength(fields: readonly string[]): boolean {
  for (let at = fields.length - 2; at >= 0; at -= 2) {
    const name = fields[at] as string;
    if (name.length === 14 && name.toLowerCase() === 'content-length') return true;
  }
  return false;
}

function joined(head: string, content: Uint8Array): Buffer {
  const whole = Buffer.allocUnsafe(head.length + content.length);
  whole.write(head, 0, 'latin1');
  whole.set(content, head.length);
  return whole;
}
