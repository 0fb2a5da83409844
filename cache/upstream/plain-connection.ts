import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { Readable } from 'node:stream';
import type { AbortSource } from '../requests/index.ts';
import { SocketIdleTimer } from '../waiting/index.ts';
import { type PlainHead, readPlainHead } from './plain-head.ts';

interface ContentSource {
  pause(): void;
  resume(): void;
  /** The reader needs no more. */
  giveUp(): void;
}

/** The content of declared length that a plain connection delivers. */
class PlainContent extends Readable {
  readonly #source: ContentSource;
  /** Whether the source is waited for, rather than the reader. */
  isAwaited = true;

  constructor(source: ContentSource) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // It may fail before it is read; a later reader gets the error.
    this.on('error', () => undefined);
  }

  /** A chunk has been received; the last one ends the content. */
  hear(piece: Uint8Array, isLast: boolean): void {
    const wantsMore = this.push(piece);
    if (isLast) this.push(null);
    else if (!wantsMore) {
      this.isAwaited = false;
      this.#source.pause();
    }
  }

  override _read(): void {
    this.isAwaited = true;
    this.#source.resume();
  }

  override _destroy(error: Error | null, done: (error?: Error | null) => void): void {
    this.#source.giveUp();
    done(error);
  }
}

export type PlainReply =
  | { readonly kind: 'response'; readonly head: PlainHead; readonly content: Uint8Array | PlainContent }
  /** The kept connection was closed before it answered: the request may be sent again. */
  | { readonly kind: 'closed' }
  /** It sent something that Node's parser must read: the socket and all received bytes go to Node. */
  | { readonly kind: 'unusual'; readonly socket: Socket };

/** A request, and how its answer is read. Times in milliseconds. */
export interface PlainOrder {
  /** As printed by `printPlainHead`. */
  readonly text: string;
  readonly signal: AbortSource;
  readonly silenceMs: number;
  /** A larger head goes to Node, which refuses it. */
  readonly limits: { readonly maxBytes: number; readonly maxFields: number };
  hasContent(status: number): boolean;
  /** The errors for a connection that broke or became silent. */
  broken(error: unknown): Error;
  silent(): Error;
  /** The error for a connection that took too long. */
  unconnected(): Error;
}

export interface ConnectionOwner {
  /** The connection is free for the next request; `keptSeconds` is the server's own limit. */
  free(keptSeconds: number | undefined): void;
  /** The connection can no longer be used. */
  left(): void;
}

/** The read buffer of all connections, one after another: a buffer for each read would cost more than copying. */
const readBuffer = Buffer.allocUnsafeSlow(64 * 1024);

interface InFlight {
  readonly order: PlainOrder;
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * A TCP connection to an origin that sends one request after another. It reads answers that are unambiguous,
 * and hands any other over to Node. Bytes without a request, or after an answer, close it.
 */
export class PlainConnection {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #idleTimer: SocketIdleTimer;
  #inFlight: InFlight | undefined;
  #content: PlainContent | undefined;
  /** Bytes of content still to come. */
  #left = 0;
  #keptSeconds: number | undefined;
  /** Requests that were answered here before. */
  #answered = 0;
  #error: unknown;
  #isHandedOver = false;
  readonly #onAbort = (): void => {
    const { signal } = (this.#inFlight as InFlight).order;
    this.#fail(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };

  constructor(place: TcpNetConnectOpts, owner: ConnectionOwner) {
    const socket = connect({ ...place, onread: { buffer: readBuffer, callback: this.#onBytes } });
    this.#socket = socket;
    this.#owner = owner;
    this.#idleTimer = new SocketIdleTimer(socket, () => this.#timedOut());
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.once('close', this.#onClose);
  }

  /** Give up with the error of `order` unless it connects within `ms`. */
  connectWithin(ms: number, order: PlainOrder): void {
    const socket = this.#socket;
    const timer = setTimeout(() => socket.destroy(order.unconnected()), ms);
    socket.once('connect', () => clearTimeout(timer));
    socket.once('close', () => clearTimeout(timer));
  }

  /** Send a request. Rejects with an error of `order`, or with the signal's reason. */
  ask(order: PlainOrder): Promise<PlainReply> {
    return new Promise((resolve, reject) => {
      this.#inFlight = { order, resolve, reject };
      order.signal.addEventListener('abort', this.#onAbort, { once: true });
      this.#idleTimer.allow(order.silenceMs);
      this.#socket.ref();
      this.#socket.write(order.text, 'latin1');
    });
  }

  /** Wait for the next request, max `ms`. */
  rest(ms: number): void {
    this.#idleTimer.allow(ms);
    this.#socket.unref();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** The received bytes are in `readBuffer` until this returns. Returns whether more may be read. */
  readonly #onBytes = (length: number): boolean => {
    const chunk = Buffer.from(readBuffer.subarray(0, length));
    if (this.#isHandedOver) return this.#socket.push(chunk);
    if (this.#inFlight === undefined) this.#socket.destroy();
    else if (this.#content !== undefined) this.#takeContent(this.#content, chunk);
    else this.#takeHead(this.#inFlight, chunk);
    return true;
  };

  #takeHead(inFlight: InFlight, chunk: Buffer): void {
    const { order, resolve } = inFlight;
    const head = readPlainHead(chunk, order.limits, order);
    if (head === undefined) {
      this.#handOver(inFlight, chunk);
      return;
    }
    this.#answered += 1;
    this.#keptSeconds = head.keptSeconds;
    const length = order.hasContent(head.status) ? (head.length as number) : 0;
    const here = chunk.length - head.end;
    if (here >= length) {
      const content = chunk.subarray(head.end, head.end + length);
      this.#done(here > length);
      resolve({ kind: 'response', head, content });
      return;
    }
    const socket = this.#socket;
    const content = new PlainContent({
      pause: () => this.#content === content && socket.pause(),
      resume: () => this.#content === content && socket.resume(),
      giveUp: () => this.#content === content && socket.destroy(),
    });
    this.#content = content;
    this.#left = length;
    if (here > 0) this.#takeContent(content, chunk.subarray(head.end));
    resolve({ kind: 'response', head, content });
  }

  #takeContent(content: PlainContent, chunk: Buffer): void {
    const isMore = chunk.length > this.#left;
    const piece = isMore ? chunk.subarray(0, this.#left) : chunk;
    this.#left -= piece.length;
    const isWhole = this.#left === 0;
    if (isWhole) this.#content = undefined;
    content.hear(piece, isWhole);
    if (isWhole) this.#done(isMore);
  }

  /** The answer is complete. Bytes after it are not part of it (RFC 9112 6.3), and close the connection. */
  #done(isMore: boolean): void {
    this.#inFlight?.order.signal.removeEventListener('abort', this.#onAbort);
    this.#inFlight = undefined;
    if (isMore || !this.#socket.writable) this.#socket.destroy();
    else {
      if (this.#socket.isPaused()) this.#socket.resume();
      this.#owner.free(this.#keptSeconds);
    }
  }

  /** Hand the socket over to Node, with the received bytes put back. */
  #handOver({ order, resolve }: InFlight, chunk: Buffer): void {
    const socket = this.#socket;
    order.signal.removeEventListener('abort', this.#onAbort);
    this.#inFlight = undefined;
    this.#isHandedOver = true;
    this.#idleTimer.stop();
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    // Node adds its listener in a moment; until then errors are ignored.
    socket.on('error', () => undefined);
    socket.pause();
    socket.unshift(chunk);
    // It stays in its owner's count until it closes: it is still a connection to that place.
    resolve({ kind: 'unusual', socket });
  }

  #fail(error: unknown): void {
    const inFlight = this.#inFlight;
    const content = this.#content;
    this.#inFlight = undefined;
    this.#content = undefined;
    inFlight?.order.signal.removeEventListener('abort', this.#onAbort);
    if (content !== undefined) content.destroy(error as Error);
    else inFlight?.reject(error);
    this.#socket.destroy();
  }

  #timedOut(): void {
    const inFlight = this.#inFlight;
    if (inFlight === undefined) this.#socket.destroy();
    // The client is slow, not the origin.
    else if (this.#content?.isAwaited === false) this.#idleTimer.allow(inFlight.order.silenceMs);
    else this.#fail(inFlight.order.silent());
  }

  readonly #onEnd = (): void => {
    this.#socket.destroy();
  };

  readonly #onError = (error: unknown): void => {
    this.#error = error;
  };

  readonly #onClose = (): void => {
    this.#owner.left();
    const inFlight = this.#inFlight;
    if (inFlight === undefined) return;
    const isStale = this.#answered > 0 && this.#content === undefined && isReset(this.#error);
    if (!isStale) {
      this.#fail(inFlight.order.broken(this.#error));
      return;
    }
    this.#inFlight = undefined;
    inFlight.order.signal.removeEventListener('abort', this.#onAbort);
    inFlight.resolve({ kind: 'closed' });
  };
}

/** Whether the server closed the connection as an idle one. */
function isReset(error: unknown): boolean {
  if (error === undefined) return true;
  const { code } = error as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}
