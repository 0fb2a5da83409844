import type { WebSocket } from 'ws';
import { failure, type GarnerError } from '../kernel/index.ts';
import { wireErrors } from './errors.ts';
import { maxHeaderBytes } from './frame.ts';
import type { Side } from './hello.ts';
import type { WireLimits } from './settings.ts';

export const subProtocol = 'garner.1';

/** Options for the WebSocket library, the same at both ends. */
export function webSocketOptions(limits: WireLimits) {
  return {
    // Frames are compressed here, where their decoded size is bounded.
    perMessageDeflate: false,
    // A frame that deflate could not shrink, with its header.
    maxPayload: limits.maxFrameBytes + Math.ceil(limits.maxFrameBytes / 1000) + maxHeaderBytes + 1024,
    closeTimeout: limits.closeSeconds * 1000,
  };
}

/** The counters of a socket; a TLS socket counts the bytes inside TLS. */
export interface CountedSocket {
  readonly bytesRead: number;
  readonly bytesWritten: number;
  /** Bytes read from the network and not yet delivered. */
  readonly readableLength: number;
}

const maxPings = 8;

/** One open WebSocket: whole binary messages in and out, counted, with a measure of the unsent bytes. */
export class Link {
  /** Address or URL of the peer, for people. */
  readonly where: string;
  /** Resolves with the first fault, or when the connection has closed. */
  readonly broken: Promise<GarnerError>;
  /** Resolves when the connection has closed, for any reason. */
  readonly ended: Promise<void>;
  /** Bytes received before the first WebSocket frame. */
  readonly upgradeReceived: number;
  readonly masksReceived: boolean;
  #waiting: Uint8Array[] = [];
  #onMessage: ((bytes: Uint8Array) => void) | undefined;
  #inFlight = 0;
  #wake: (() => void)[] = [];
  #isClosed = false;
  #ping = 0;
  readonly #pings = new Map<number, () => void>();
  readonly #webSocket: WebSocket;
  readonly #socket: CountedSocket;

  /**
   * Construct it in the same tick in which the socket opened, or messages are missed.
   * @internal The package's declarations do not need those of ws.
   */
  constructor(webSocket: WebSocket, socket: CountedSocket, where: string, side: Side) {
    this.#webSocket = webSocket;
    this.#socket = socket;
    this.where = where;
    this.masksReceived = side === 'acceptor';
    this.upgradeReceived = socket.bytesRead - socket.readableLength;
    this.broken = new Promise((breaks) => {
      webSocket.on('message', (data: Buffer, isBinary: boolean) => {
        if (isBinary) this.#deliver(data);
        else breaks(failure(wireErrors.WIRE_FRAME, { reason: 'it is text' }));
      });
      webSocket.on('error', (cause: Error & { code?: string }) => breaks(this.#typed(cause)));
      webSocket.on('close', (code: number) => {
        this.#isClosed = true;
        this.#wakeAll();
        breaks(failure(wireErrors.WIRE_LOST, { where, reason: `closed with code ${code}` }));
      });
    });
    this.ended = new Promise((end) => {
      webSocket.on('close', () => end());
    });
    webSocket.on('pong', (data: Buffer) => {
      if (data.length !== 2) return;
      const ping = data.readUInt16BE();
      const answered = this.#pings.get(ping);
      this.#pings.delete(ping);
      answered?.();
    });
  }

  get bytesRead(): number {
    return this.#socket.bytesRead;
  }

  get bytesWritten(): number {
    return this.#socket.bytesWritten;
  }

  /** Sent bytes that the kernel has not taken yet. */
  get inFlight(): number {
    return this.#inFlight;
  }

  /** Handle every message from now on, first those that came before. A change of handler preserves the order. */
  onMessage(handler: (bytes: Uint8Array) => void): void {
    this.#onMessage = handler;
    while (this.#waiting.length > 0 && this.#onMessage === handler)
      handler(this.#waiting.shift() as Uint8Array);
    if (this.#onMessage === handler) this.#webSocket.resume();
  }

  /** Queue messages until there is a handler, and stop reading the socket. */
  hold(): void {
    this.#onMessage = undefined;
  }

  pause(): void {
    this.#webSocket.pause();
  }

  resume(): void {
    this.#webSocket.resume();
  }

  /** Pass one message to the socket; never waits. */
  send(bytes: Uint8Array): void {
    if (this.#isClosed || this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    this.#inFlight += bytes.length;
    this.#webSocket.send(bytes, { binary: true }, () => {
      this.#inFlight -= bytes.length;
      this.#wakeAll();
    });
  }

  /** Resolve when no more than `limit` bytes wait, or the connection has closed. */
  async drained(limit: number): Promise<void> {
    while (this.#inFlight > limit && !this.#isClosed)
      await new Promise<void>((resolve) => {
        this.#wake.push(resolve);
      });
  }

  /** Send a ping behind all sent data; `answered` is called at its pong, unless the connection closes first. */
  ping(answered: () => void): void {
    if (this.#webSocket.readyState !== this.#webSocket.OPEN) return;
    // Beyond the limit the oldest unanswered ping is forgotten.
    const [oldest] = this.#pings.keys();
    if (this.#pings.size >= maxPings && oldest !== undefined) this.#pings.delete(oldest);
    this.#ping = (this.#ping + 1) % 2 ** 16;
    this.#pings.set(this.#ping, answered);
    this.#webSocket.ping(Uint8Array.of(this.#ping >>> 8, this.#ping & 0xff));
  }

  /** Close in order after the sent data; the library drops a peer that does not answer in time. */
  close(code: number, reason: string): void {
    this.#webSocket.close(code, reason);
  }

  terminate(): void {
    this.#webSocket.terminate();
  }

  #deliver(data: Uint8Array): void {
    if (this.#onMessage) this.#onMessage(data);
    else {
      this.#waiting.push(data);
      this.pause();
    }
  }

  #wakeAll(): void {
    for (const wake of this.#wake.splice(0)) wake();
  }

  #typed(cause: Error & { code?: string }): GarnerError {
    const { code, message: reason } = cause;
    if (code === 'WS_ERR_UNSUPPORTED_MESSAGE_LENGTH')
      return failure(wireErrors.WIRE_FRAME, { reason: 'it is longer than any frame may be' }, cause);
    if (code?.startsWith('WS_ERR')) return failure(wireErrors.WIRE_FRAME, { reason }, cause);
    return failure(wireErrors.WIRE_LOST, { where: this.where, reason }, cause);
  }
}
