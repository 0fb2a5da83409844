import type { Socket } from 'node:net';
import { SocketIdleTimer } from '../../waiting/index.ts';
import type { HeadScanner } from './head-scanner.ts';
import { LaneReply } from './lane-reply.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

/** The lane as a connection uses it. */
export interface Lane {
  /** The key of a plain head; undefined when no answer can be prebuilt for it. */
  urlOf(head: HeadScanner): string | undefined;
  /** Whether this address may have it; the same for every URL of a host. */
  admits(from: string, url: string, head: HeadScanner): boolean | Promise<boolean>;
  /** The prebuilt answer for a client that the lane may answer now. */
  find(from: string, url: string, head: HeadScanner): ReadyAnswer | undefined;
  /** Answers other requests; when absent, Node's HTTP server gets their heads one by one. */
  readonly serve: ((reply: LaneReply) => void) | undefined;
  /** Give a connection to Node's HTTP server, for good. */
  give(connection: Socket | SlowSide): void;
  /** Have Node's HTTP server answer an error for the received bytes, and close the connection. */
  refuse(connection: Socket, code: string): void;
  /** Called with each answer when `reportsEach`. */
  report(from: string, url: string, method: string, answer: ReadyAnswer): void;
  readonly reportsEach: boolean;
  /** `requests` requests were answered with `bytes` bytes; `begunMs` is the value of `elapsedMs` when they arrived. */
  answeredWith(requests: number, bytes: number, begunMs: number): void;
  elapsedMs(): number;
  left(connection: LaneConnection): void;
  /** One scanner for all connections: its results are used before the next connection is read. */
  readonly scanner: HeadScanner;
  /** Max time for the head of a request; a new connection has the same time for its first. */
  readonly headTimeoutMs: number;
  /** How long an idle connection is kept for the next request. */
  readonly keepAliveMs: number;
  /** How long a client may not read what is sent to it. */
  readonly stallMs: number;
}

/** Bytes of further requests that wait during an answer; beyond that the client is not read. */
const maxWaiting = 64 * 1024;

/** One client's connection in the fast lane, from its first byte until it is closed or given away. */
export class LaneConnection {
  readonly #socket: Socket;
  readonly #from: string;
  readonly #lane: Lane;
  readonly #idleTimer: SocketIdleTimer;
  #admission = { method: '', form: '', host: '', admitted: false };
  /** Bytes read and not yet answered, from `#at` on. */
  #bytes: Buffer | undefined;
  #at = 0;
  /** The last scan found an incomplete head. */
  #cut = false;
  #busy: 'no' | 'draining' | 'slow' | 'refused' = 'no';
  /** The wait that the timer limits: for the rest of a head, the next request, or an answer. */
  #awaited: 'head' | 'next' | 'other' = 'head';
  #ended = false;
  #side: SlowSide | undefined;
  /** The reply that `serve` is writing. */
  #reply: LaneReply | undefined;

  constructor(socket: Socket, from: string, lane: Lane) {
    this.#socket = socket;
    this.#from = from;
    this.#lane = lane;
    this.#idleTimer = new SocketIdleTimer(socket, () => this.#timedOut());
    this.#idleTimer.allow(lane.headTimeoutMs);
    socket.on('data', this.#onData);
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
    socket.on('error', ignore);
    socket.on('close', this.#onClose);
  }

  get idle(): boolean {
    return this.#busy === 'no' && this.#bytes === undefined;
  }

  /** Accept no further request: close now, or after the answer in flight. */
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
    else if (this.#busy !== 'slow') return;
    else if (this.#reply !== undefined) this.#reply.drained();
    else this.#side?.emit('drain');
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    // A client that ends before its answer was sent is treated as by Node's server.
    if (this.#reply !== undefined) this.#socket.end();
    else if (this.#busy === 'slow') this.#side?.push(null);
    else if (this.#busy === 'no') this.#close();
  };

  #timedOut(): void {
    const socket = this.#socket;
    if (this.#reply !== undefined && socket.writableLength === 0) this.#idleTimer.allow(this.#lane.stallMs);
    else if (this.#side !== undefined && this.#busy === 'slow') this.#side.emit('timeout');
    else if (this.#busy === 'no' && this.#awaited === 'head') this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
    else socket.destroy();
  }

  readonly #onClose = (): void => {
    this.#reply?.closed();
    this.#side?.destroy();
    this.#lane.left(this);
  };

  get socket(): Socket {
    return this.#socket;
  }

  get keepAliveMs(): number {
    return this.#lane.keepAliveMs;
  }

  replied(stays: boolean): void {
    this.#reply = undefined;
    if (stays) this.#goOn();
    else this.#socket.destroySoon();
  }

  /** The slow path has answered, or the client has read what was written. */
  #goOn(): void {
    this.#busy = 'no';
    this.#await('next');
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#bytes !== undefined) this.#work();
    if (this.#ended && this.#busy === 'no') this.#close();
  }

  /** The client sends nothing more: an incomplete request is refused. */
  #close(): void {
    if (this.#bytes === undefined) this.#socket.end();
    else this.#refuse('HPE_INVALID_EOF_STATE');
  }

  #await(what: 'head' | 'next'): void {
    if (this.#awaited === what) return;
    this.#awaited = what;
    this.#idleTimer.allow(what === 'head' ? this.#lane.headTimeoutMs : this.#lane.keepAliveMs);
  }

  /** Answer every complete head that has been read, until one has to wait. */
  #work(): void {
    const bytes = this.#bytes as Buffer;
    const text = bytes.toString('latin1');
    const lane = this.#lane;
    const { scanner } = lane;
    const begunMs = lane.elapsedMs();
    let corked = false;
    let [answered, written] = [0, 0];
    while (this.#busy === 'no' && this.#bytes !== undefined) {
      const scanned = scanner.scan(bytes, text, this.#at);
      if (scanned === 'cut' || scanned === 'unusual') {
        // A head in more than two chunks goes to the slow path.
        if (scanned === 'cut' && !(this.#cut && this.#at === 0)) {
          this.#cut = true;
          this.#await('head');
        } else this.#giveAway();
        break;
      }
      this.#cut = false;
      const { end } = scanner;
      const start = this.#at;
      const url = scanned === 'plain' ? lane.urlOf(scanner) : undefined;
      const answer =
        url !== undefined && this.#mayHave(url) ? lane.find(this.#from, url, scanner) : undefined;
      if (end === bytes.length) this.#bytes = undefined;
      this.#at = this.#bytes === undefined ? 0 : end;
      if (answer === undefined) this.#serveSlowly(bytes, start, end);
      else {
        if (!corked && this.#bytes !== undefined) {
          this.#socket.cork();
          corked = true;
        }
        answered += 1;
        written += this.#write(answer, scanner.method === 'GET');
        if (lane.reportsEach) lane.report(this.#from, url as string, scanner.method, answer);
      }
    }
    if (answered > 0) lane.answeredWith(answered, written, begunMs);
    if (corked) this.#socket.uncork();
  }

  /** Whether the client may request what the scanner has read; false while the decision takes time. */
  #mayHave(url: string): boolean {
    const { scanner } = this.#lane;
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

  #write(answer: ReadyAnswer, withContent: boolean): number {
    const { head, content, whole } = answer;
    const socket = this.#socket;
    let flows: boolean;
    this.#await('next');
    if (withContent && whole !== undefined) flows = socket.write(whole);
    else if (!withContent || content === undefined) flows = socket.write(head);
    else {
      socket.cork();
      socket.write(head);
      flows = socket.write(content);
      socket.uncork();
    }
    // When the operating system has taken all bytes, no wait is needed, although the stream reports one.
    if (!flows && socket.writableLength > 0) {
      this.#busy = 'draining';
      this.#awaited = 'other';
      this.#idleTimer.allow(this.#lane.stallMs);
    }
    return withContent ? (whole?.length ?? head.length + (content?.length ?? 0)) : head.length;
  }

  /** Have one request without content answered by `serve` or the server; the connection stays. */
  #serveSlowly(bytes: Buffer, start: number, end: number): void {
    const lane = this.#lane;
    this.#busy = 'slow';
    this.#awaited = 'other';
    if (lane.serve === undefined) {
      this.#serveBeside(bytes.subarray(start, end));
      return;
    }
    const { method } = lane.scanner;
    const { target, fields } = lane.scanner.copied(bytes);
    const reply = new LaneReply({ method, target, fields }, this);
    this.#reply = reply;
    this.#idleTimer.allow(lane.stallMs);
    lane.serve(reply);
    if (this.#ended) this.#socket.end();
  }

  #serveBeside(head: Buffer): void {
    if (this.#side === undefined) {
      this.#side = new SlowSide(this.#socket, () => this.#goOn(), this.#idleTimer);
      this.#lane.give(this.#side);
    }
    this.#side.hear(head);
    if (this.#ended) this.#side.push(null);
  }

  #refuse(code: string): void {
    const socket = this.#socket;
    this.#busy = 'refused';
    this.#bytes = undefined;
    socket.off('data', this.#onData);
    // A client that does not read this either gets no more time than others.
    this.#idleTimer.allow(this.#lane.stallMs);
    this.#lane.refuse(socket, code);
  }

  /** Leave the connection to Node's server, with every byte that has not been answered. */
  #giveAway(): void {
    const socket = this.#socket;
    const rest = this.#bytes?.subarray(this.#at);
    this.#bytes = undefined;
    // Nothing can be put back behind the end, and the server would not answer a client that has ended.
    if (this.#ended) {
      socket.destroySoon();
      return;
    }
    socket.off('data', this.#onData);
    socket.off('drain', this.#onDrain);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    this.#idleTimer.stop();
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
