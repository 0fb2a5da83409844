import type { Socket } from 'node:net';
import { HeadScanner } from './head-scanner.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

/** What a connection needs of the lane it is in. */
export interface Lane {
  /** The stored URL that a plain head asks for; undefined when it is none that can be ready. */
  urlOf(head: HeadScanner): string | undefined;
  /** Whether this address may have it; the same for every URL of a host. */
  admits(from: string, url: string, head: HeadScanner): boolean | Promise<boolean>;
  find(url: string, head: HeadScanner): ReadyAnswer | undefined;
  /** Give a connection to node's HTTP server, for good. */
  give(connection: Socket | SlowSide): void;
  answeredWith(bytes: number): void;
  left(connection: LaneConnection): void;
  /** How long a connection is kept for a next request. */
  readonly keepAliveMs: number;
  /** How long a client may take nothing of what is sent to it. */
  readonly stallMs: number;
}

/** Bytes of further requests that wait while one is answered; the client is not read beyond that. */
const maxWaiting = 64 * 1024;

// One is enough: what it read is used up before the next connection has its turn.
const scanner = new HeadScanner();

/** One client's connection in the fast lane, from its first byte until it is closed or given away. */
export class LaneConnection {
  readonly #socket: Socket;
  readonly #from: string;
  readonly #lane: Lane;
  /** What was last asked about access. */
  #admission = { method: '', form: '', host: '', admitted: false };
  /** Read and not yet answered, from `#at` on. */
  #bytes: Buffer | undefined;
  #at = 0;
  /** Its last head was not whole when it was last looked at. */
  #cut = false;
  #busy: 'no' | 'draining' | 'slow' = 'no';
  #ended = false;
  #side: SlowSide | undefined;

  constructor(socket: Socket, from: string, lane: Lane) {
    this.#socket = socket;
    this.#from = from;
    this.#lane = lane;
    socket.setTimeout(lane.keepAliveMs);
    socket.on('data', this.#onData);
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('timeout', this.#onTimeout);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  /** Whether nothing is under way. */
  get idle(): boolean {
    return this.#busy === 'no' && this.#bytes === undefined;
  }

  /** Take no further request: close now, or when what is under way is done. */
  end(): void {
    this.#ended = true;
    if (this.idle) this.#socket.destroySoon();
  }

  cut(): void {
    this.#socket.destroy();
  }

  readonly #onData = (chunk: Buffer): void => {
    this.#bytes = this.#bytes === undefined ? chunk : Buffer.concat([this.#bytes.subarray(this.#at), chunk]);
    this.#at = 0;
    if (this.#busy === 'no') this.#work();
    else if (this.#bytes.length > maxWaiting) this.#socket.pause();
  };

  readonly #onDrain = (): void => {
    if (this.#busy === 'draining') this.#goOn();
    else if (this.#busy === 'slow') this.#side?.emit('drain');
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    if (this.#busy === 'slow') this.#side?.push(null);
    else if (this.#busy === 'no') this.#socket.end();
  };

  readonly #onTimeout = (): void => {
    if (this.#busy === 'slow') this.#side?.emit('timeout');
    else this.#socket.destroy();
  };

  readonly #onClose = (): void => {
    this.#side?.destroy();
    this.#lane.left(this);
  };

  /** The slow way has answered, or the client has taken what was written. */
  #goOn(): void {
    this.#busy = 'no';
    this.#socket.setTimeout(this.#lane.keepAliveMs);
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#bytes !== undefined) this.#work();
    if (this.#ended && this.idle) this.#socket.end();
  }

  /** Answer every whole head that has been read, until one has to wait. */
  #work(): void {
    const bytes = this.#bytes as Buffer;
    const text = bytes.toString('latin1');
    let corked = false;
    while (this.#busy === 'no' && this.#bytes !== undefined) {
      const scanned = scanner.scan(bytes, text, this.#at);
      if (scanned === 'cut' || scanned === 'unusual') {
        // Whoever sends a head in more than two pieces is waited for by the slow way.
        if (scanned === 'cut' && !(this.#cut && this.#at === 0)) this.#cut = true;
        else this.#giveAway();
        break;
      }
      this.#cut = false;
      const { end } = scanner;
      const start = this.#at;
      const url = scanned === 'plain' ? this.#lane.urlOf(scanner) : undefined;
      const answer = url !== undefined && this.#mayHave(url) ? this.#lane.find(url, scanner) : undefined;
      if (end === bytes.length) this.#bytes = undefined;
      this.#at = this.#bytes === undefined ? 0 : end;
      if (answer === undefined) this.#askSlowly(bytes.subarray(start, end));
      else {
        if (!corked && this.#bytes !== undefined) {
          this.#socket.cork();
          corked = true;
        }
        this.#write(answer, scanner.method === 'GET');
      }
    }
    if (corked) this.#socket.uncork();
  }

  /** Whether the client may ask for what the scanner has read; no as long as that takes time to know. */
  #mayHave(url: string): boolean {
    const { method, form, host } = scanner;
    const last = this.#admission;
    if (last.method === method && last.form === form && last.host === host) return last.admitted;
    const admitted = this.#lane.admits(this.#from, url, scanner);
    const admission = { method, form, host, admitted: admitted === true };
    this.#admission = admission;
    if (typeof admitted !== 'boolean')
      admitted.then(
        (known) => {
          admission.admitted = known;
        },
        () => undefined,
      );
    return admission.admitted;
  }

  #write(answer: ReadyAnswer, withContent: boolean): void {
    const { head, content, whole } = answer;
    const socket = this.#socket;
    let flows: boolean;
    if (withContent && whole !== undefined) flows = socket.write(whole);
    else if (!withContent || content === undefined) flows = socket.write(head);
    else {
      socket.cork();
      socket.write(head);
      flows = socket.write(content);
      socket.uncork();
    }
    this.#lane.answeredWith(
      withContent ? (whole?.length ?? head.length + (content?.length ?? 0)) : head.length,
    );
    // What the system has taken already needs no waiting, though the stream would say so.
    if (!flows && socket.writableLength > 0) {
      this.#busy = 'draining';
      socket.setTimeout(this.#lane.stallMs);
    }
  }

  /** Have node's server answer one request without content; the connection stays. */
  #askSlowly(head: Buffer): void {
    this.#busy = 'slow';
    if (this.#side === undefined) {
      this.#side = new SlowSide(this.#socket, () => this.#goOn());
      this.#lane.give(this.#side);
    }
    this.#side.hear(head);
    if (this.#ended) this.#side.push(null);
  }

  /** Leave the connection to node's server, with every byte that has not been answered. */
  #giveAway(): void {
    const socket = this.#socket;
    const rest = this.#bytes?.subarray(this.#at);
    this.#bytes = undefined;
    socket.off('data', this.#onData);
    socket.off('drain', this.#onDrain);
    socket.off('end', this.#onEnd);
    socket.off('timeout', this.#onTimeout);
    socket.off('close', this.#onClose);
    socket.setTimeout(0);
    socket.pause();
    this.#side?.detach();
    this.#lane.left(this);
    if (rest !== undefined && rest.length > 0) socket.unshift(rest);
    this.#lane.give(socket);
    socket.off('error', ignore);
    socket.resume();
  }
}

function ignore(): void {}
