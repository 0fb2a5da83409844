import { connect, type Socket, type TcpNetConnectOpts } from 'node:net';
import { Readable } from 'node:stream';
import type { AbortSource } from '../requests/index.ts';
import { SocketIdleTimer } from '../waiting/index.ts';
import { type PlainHead, readPlainHead } from './plain-head.ts';

/** The connection that a content comes from. */
interface ContentSource {
  pause(): void;
  resume(): void;
  /** The reader wants no more. */
  giveUp(): void;
}

/** A response's content of declared length on its way over a plain connection. */
class PlainContent extends Readable {
  readonly #source: ContentSource;
  /** Whether the source is waited for, not the reader. */
  isAwaited = true;

  constructor(source: ContentSource) {
    super({ highWaterMark: 64 * 1024 });
    this.#source = source;
    // It may fail before anybody reads it; whoever reads it then is told.
    this.on('error', () => undefined);
  }

  /** A piece has come; the last one ends it. */
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

/** What came of a request. */
export type PlainReply =
  | { readonly kind: 'response'; readonly head: PlainHead; readonly content: Uint8Array | PlainContent }
  /** The kept connection ended before it had said anything: the request may be sent again. */
  | { readonly kind: 'closed' }
  /** It said what node's parser is to read: the connection is its own from now on, with every byte that came. */
  | { readonly kind: 'unusual'; readonly socket: Socket };

/** What is sent, and how its answer is taken. Times in milliseconds. */
export interface PlainOrder {
  /** As printed by `printPlainHead`. */
  readonly text: string;
  readonly signal: AbortSource;
  readonly silenceMs: number;
  /** Larger heads are node's to refuse. */
  readonly limits: { readonly maxBytes: number; readonly maxFields: number };
  hasContent(status: number): boolean;
  /** What to say of a connection that broke or fell silent. */
  broken(error: unknown): Error;
  silent(): Error;
  /** What to say when connecting took too long. */
  unconnected(): Error;
}

/** Who has a connection. */
export interface ConnectionOwner {
  /** The next request may be asked; the server may have said how long it keeps the connection. */
  free(keptSeconds: number | undefined): void;
  /** None can be asked any more. */
  left(): void;
}

/** Where each connection's bytes come in, one after the other: memory of its own for each reading would cost more than copying. */
const said = Buffer.allocUnsafeSlow(64 * 1024);

interface UnderWay {
  readonly order: PlainOrder;
  readonly resolve: (reply: PlainReply) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * One connection to an origin over TCP, on which one request after the other is asked. It reads what can be read in one way
 * only, and leaves the rest to node. Whatever comes while nothing was asked, or behind an answer, ends it.
 */
export class PlainConnection {
  readonly #socket: Socket;
  readonly #owner: ConnectionOwner;
  readonly #standstill: SocketIdleTimer;
  #asked: UnderWay | undefined;
  #content: PlainContent | undefined;
  /** Bytes of content still to come. */
  #left = 0;
  #keptSeconds: number | undefined;
  /** Requests that were answered here before. */
  #answered = 0;
  #error: unknown;
  #isHandedOver = false;
  readonly #onAbort = (): void => {
    const { signal } = (this.#asked as UnderWay).order;
    this.#fail(signal.reason instanceof Error ? signal.reason : new Error('aborted'));
  };

  /** Connect to a place. */
  constructor(place: TcpNetConnectOpts, owner: ConnectionOwner) {
    const socket = connect({ ...place, onread: { buffer: said, callback: this.#onBytes } });
    this.#socket = socket;
    this.#owner = owner;
    this.#standstill = new SocketIdleTimer(socket, () => this.#stoodStill());
    socket.on('end', this.#onEnd);
    socket.on('error', this.#onError);
    socket.once('close', this.#onClose);
  }

  /** Give up unless it is connected within so long, as `order` says. */
  connectWithin(ms: number, order: PlainOrder): void {
    const socket = this.#socket;
    const patience = setTimeout(() => socket.destroy(order.unconnected()), ms);
    socket.once('connect', () => clearTimeout(patience));
    socket.once('close', () => clearTimeout(patience));
  }

  /** Send a request. Rejects with what `order` says, or with the signal's reason. */
  ask(order: PlainOrder): Promise<PlainReply> {
    return new Promise((resolve, reject) => {
      this.#asked = { order, resolve, reject };
      order.signal.addEventListener('abort', this.#onAbort, { once: true });
      this.#standstill.allow(order.silenceMs);
      this.#socket.ref();
      this.#socket.write(order.text, 'latin1');
    });
  }

  /** Wait for no request longer than this. */
  rest(ms: number): void {
    this.#standstill.allow(ms);
    this.#socket.unref();
  }

  close(): void {
    this.#socket.destroy();
  }

  /** What has come is in `said` until this returns. Gives whether more may come. */
  readonly #onBytes = (length: number): boolean => {
    const chunk = Buffer.from(said.subarray(0, length));
    if (this.#isHandedOver) return this.#socket.push(chunk);
    if (this.#asked === undefined) this.#socket.destroy();
    else if (this.#content !== undefined) this.#takeContent(this.#content, chunk);
    else this.#takeHead(this.#asked, chunk);
    return true;
  };

  #takeHead(asked: UnderWay, chunk: Buffer): void {
    const { order, resolve } = asked;
    const head = readPlainHead(chunk, order.limits, order);
    if (head === undefined) {
      this.#handOver(asked, chunk);
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

  /** The answer is whole. What is behind it is no part of it (RFC 9112 6.3), and nothing good. */
  #done(isMore: boolean): void {
    this.#asked?.order.signal.removeEventListener('abort', this.#onAbort);
    this.#asked = undefined;
    if (isMore || !this.#socket.writable) this.#socket.destroy();
    else {
      if (this.#socket.isPaused()) this.#socket.resume();
      this.#owner.free(this.#keptSeconds);
    }
  }

  /** Let go of the connection, with what it said put back. */
  #handOver({ order, resolve }: UnderWay, chunk: Buffer): void {
    const socket = this.#socket;
    order.signal.removeEventListener('abort', this.#onAbort);
    this.#asked = undefined;
    this.#isHandedOver = true;
    this.#standstill.stop();
    socket.off('end', this.#onEnd);
    socket.off('error', this.#onError);
    // Node is there in a moment; until then nobody else hears of an error.
    socket.on('error', () => undefined);
    socket.pause();
    socket.unshift(chunk);
    // It counts as its owner's until it closes: it is a connection to that place all the same.
    resolve({ kind: 'unusual', socket });
  }

  #fail(error: unknown): void {
    const asked = this.#asked;
    const content = this.#content;
    this.#asked = undefined;
    this.#content = undefined;
    asked?.order.signal.removeEventListener('abort', this.#onAbort);
    if (content !== undefined) content.destroy(error as Error);
    else asked?.reject(error);
    this.#socket.destroy();
  }

  #stoodStill(): void {
    const asked = this.#asked;
    if (asked === undefined) this.#socket.destroy();
    // Our own client is slow; the origin is not to blame.
    else if (this.#content?.isAwaited === false) this.#standstill.allow(asked.order.silenceMs);
    else this.#fail(asked.order.silent());
  }

  readonly #onEnd = (): void => {
    this.#socket.destroy();
  };

  readonly #onError = (error: unknown): void => {
    this.#error = error;
  };

  readonly #onClose = (): void => {
    this.#owner.left();
    const asked = this.#asked;
    if (asked === undefined) return;
    const isStale = this.#answered > 0 && this.#content === undefined && isReset(this.#error);
    if (!isStale) {
      this.#fail(asked.order.broken(this.#error));
      return;
    }
    this.#asked = undefined;
    asked.order.signal.removeEventListener('abort', this.#onAbort);
    asked.resolve({ kind: 'closed' });
  };
}

/** Whether a connection was closed, as a server closes one that it has kept long enough. */
function isReset(error: unknown): boolean {
  if (error === undefined) return true;
  const { code } = error as { readonly code?: unknown };
  return code === 'ECONNRESET' || code === 'EPIPE';
}
