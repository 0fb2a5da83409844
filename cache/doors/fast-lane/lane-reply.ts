import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import type { RawFields } from '../../rules/index.ts';
import type { Reply, RequestedHead } from '../reply.ts';
import { joinedBytes, keptConnection, printedHead } from './printed-head.ts';

/** A head that the lane has read and has no answer for. */
export interface LaneHead {
  readonly method: 'GET' | 'HEAD';
  readonly target: string;
  readonly fields: RawFields;
}

/** What a reply needs of the connection that it is written on. */
export interface ReplyConnection {
  readonly socket: Socket;
  readonly keepAliveMs: number;
  /** A reply is with the system; whether the connection stays. */
  replied(stays: boolean): void;
}

const lineEnd = '\r\n';
const closed = 'Connection: close\r\n';
const chunked = 'Transfer-Encoding: chunked\r\n';

/**
 * The answer to one request of the fast lane, written as node's HTTP server would write it to a client of HTTP/1.1. There is one
 * at a time on a connection.
 */
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
  /** Given and not written yet. */
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

  /** Who waits for that sends a content, and is left to node's server. */
  writeContinue(): void {}

  writeHead(status: number, reason: string, fields: readonly string[]): void {
    if (this.headersSent) throw new Error('a head was given already');
    const isBodiless = this.method === 'HEAD' || status === 204 || status === 304;
    const isFramed = isBodiless || hasLength(fields);
    const last = this.shouldKeepAlive ? keptConnection(this.#connection.keepAliveMs) : closed;
    const head = printedHead({ status, reason }, fields, isFramed ? last : last + chunked);
    if (head === undefined) throw new Error('a field holds what cannot be sent');
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

  /** The client has taken what was written. */
  drained(): void {
    this.emit('drain');
  }

  /** The connection is gone. */
  gone(): void {
    if (this.destroyed) return;
    this.destroyed = true;
    this.emit('close');
  }

  #finished(): void {
    // What could not be written ends the connection, which tells.
    if (this.destroyed || this.socket.destroyed) return;
    this.writableFinished = true;
    this.gone();
    this.#connection.replied(this.shouldKeepAlive);
  }
}

const nothing = new Uint8Array(0);

/** What a door adds itself stands last. */
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
