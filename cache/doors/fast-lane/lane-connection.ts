import type { Socket } from 'node:net';
import { SocketIdleTimer } from '../../waiting/index.ts';
import type { HeadScanner } from './head-scanner.ts';
import { LaneReply } from './lane-reply.ts';
import type { ReadyAnswer } from './ready-answer.ts';
import { SlowSide } from './slow-side.ts';

/** What a connection needs of the lane it is in. */
export interface Lane {
  /** The stored URL that a plain head asks for; undefined when it is none that can be ready. */
  urlOf(head: HeadScanner): string | undefined;
  /** Whether this address may have it; the same for every URL of a host. */
  admits(from: string, url: string, head: HeadScanner): boolean | Promise<boolean>;
  /** The answer that is ready for a client whom the lane may answer now. */
  find(from: string, url: string, head: HeadScanner): ReadyAnswer | undefined;
  /** Answers what is not ready; where nobody does, node's HTTP server is given heads one by one. */
  readonly serve: ((reply: LaneReply) => void) | undefined;
  /** Give a connection to node's HTTP server, for good. */
  give(connection: Socket | SlowSide): void;
  /** Have node's HTTP server say what is wrong with what came, and close the connection. */
  refuse(connection: Socket, code: string): void;
  /** Told of each answer when `tellsEach`. */
  tell(from: string, url: string, method: string, answer: ReadyAnswer): void;
  readonly reportsEach: boolean;
  /** So many requests were answered with so many bytes; `begunMs` is what `elapsedMs` said when they came. */
  answeredWith(requests: number, bytes: number, begunMs: number): void;
  elapsedMs(): number;
  left(connection: LaneConnection): void;
  /** One is enough: what it read is used up before the next connection has its turn. */
  readonly scanner: HeadScanner;
  /** Until the head of a request must be whole; a new connection has as long for its first. */
  readonly headTimeoutMs: number;
  /** How long a connection is kept for a next request. */
  readonly keepAliveMs: number;
  /** How long a client may take nothing of what is sent to it. */
  readonly stallMs: number;
}

/** Bytes of further requests that wait while one is answered; the client is not read beyond that. */
const maxWaiting = 64 * 1024;

/** One client's connection in the fast lane, from its first byte until it is closed or given away. */
export class LaneConnection {
  readonly #socket: Socket;
  readonly #from: string;
  readonly #lane: Lane;
  readonly #standstill: SocketIdleTimer;
  /** What was last asked about access. */
  #admission = { method: '', form: '', host: '', admitted: false };
  /** Read and not yet answered, from `#at` on. */
  #bytes: Buffer | undefined;
  #at = 0;
  /** Its last head was not whole when it was last looked at. */
  #cut = false;
  #busy: 'no' | 'draining' | 'slow' | 'refused' = 'no';
  /** What is waited for: a head that is due, the next request, or whoever is busy. */
  #awaited: 'head' | 'next' | 'other' = 'head';
  #ended = false;
  #side: SlowSide | undefined;
  /** What is being answered by whoever serves the lane. */
  #reply: LaneReply | undefined;

  constructor(socket: Socket, from: string, lane: Lane) {
    this.#socket = socket;
    this.#from = from;
    this.#lane = lane;
    this.#standstill = new SocketIdleTimer(socket, () => this.#stoodStill());
    this.#standstill.allow(lane.headTimeoutMs);
    socket.on('data', this.#onData);
    socket.on('drain', this.#onDrain);
    socket.on('end', this.#onEnd);
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
    else if (this.#busy !== 'slow') return;
    else if (this.#reply !== undefined) this.#reply.drained();
    else this.#side?.emit('drain');
  };

  readonly #onEnd = (): void => {
    this.#ended = true;
    // Who ends before its answer has left, as for node's server.
    if (this.#reply !== undefined) this.#socket.end();
    else if (this.#busy === 'slow') this.#side?.push(null);
    else if (this.#busy === 'no') this.#close();
  };

  #stoodStill(): void {
    const socket = this.#socket;
    if (this.#reply !== undefined && socket.writableLength === 0) this.#standstill.allow(this.#lane.stallMs);
    else if (this.#side !== undefined && this.#busy === 'slow') this.#side.emit('timeout');
    else if (this.#busy === 'no' && this.#awaited === 'head') this.#refuse('ERR_HTTP_REQUEST_TIMEOUT');
    else socket.destroy();
  }

  readonly #onClose = (): void => {
    this.#reply?.gone();
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

  /** The slow way has answered, or the client has taken what was written. */
  #goOn(): void {
    this.#busy = 'no';
    this.#await('next');
    if (this.#socket.isPaused()) this.#socket.resume();
    if (this.#bytes !== undefined) this.#work();
    if (this.#ended && this.#busy === 'no') this.#close();
  }

  /** The client sends nothing more: what it has begun is no request. */
  #close(): void {
    if (this.#bytes === undefined) this.#socket.end();
    else this.#refuse('HPE_INVALID_EOF_STATE');
  }

  #await(what: 'head' | 'next'): void {
    if (this.#awaited === what) return;
    this.#awaited = what;
    this.#standstill.allow(what === 'head' ? this.#lane.headTimeoutMs : this.#lane.keepAliveMs);
  }

  /** Answer every whole head that has been read, until one has to wait. */
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
        // Whoever sends a head in more than two pieces is waited for by the slow way.
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
      if (answer === undefined) this.#askSlowly(bytes, start, end);
      else {
        if (!corked && this.#bytes !== undefined) {
          this.#socket.cork();
          corked = true;
        }
        answered += 1;
        written += this.#write(answer, scanner.method === 'GET');
        if (lane.reportsEach) lane.tell(this.#from, url as string, scanner.method, answer);
      }
    }
    if (answered > 0) lane.answeredWith(answered, written, begunMs);
    if (corked) this.#socket.uncork();
  }

  /** Whether the client may ask for what the scanner has read; no as long as that takes time to know. */
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

  /** Gives how many bytes that are. */
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
    // What the system has taken already needs no waiting, though the stream would say so.
    if (!flows && socket.writableLength > 0) {
      this.#busy = 'draining';
      this.#awaited = 'other';
      this.#standstill.allow(this.#lane.stallMs);
    }
    return withContent ? (whole?.length ?? head.length + (content?.length ?? 0)) : head.length;
  }

  /** Have one request without content answered by others; the connection stays. */
  #askSlowly(bytes: Buffer, start: number, end: number): void {
    const lane = this.#lane;
    this.#busy = 'slow';
    this.#awaited = 'other';
    if (lane.serve === undefined) {
      this.#askBeside(bytes.subarray(start, end));
      return;
    }
    const { method } = lane.scanner;
    const { target, fields } = lane.scanner.copied(bytes);
    const reply = new LaneReply({ method, target, fields }, this);
    this.#reply = reply;
    this.#standstill.allow(lane.stallMs);
    lane.serve(reply);
    if (this.#ended) this.#socket.end();
  }

  #askBeside(head: Buffer): void {
    if (this.#side === undefined) {
      this.#side = new SlowSide(this.#socket, () => this.#goOn(), this.#standstill);
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
    // Who does not even take that is not waited for longer than others.
    this.#standstill.allow(this.#lane.stallMs);
    this.#lane.refuse(socket, code);
  }

  /** Leave the connection to node's server, with every byte that has not been answered. */
  #giveAway(): void {
    const socket = this.#socket;
    const rest = this.#bytes?.subarray(this.#at);
    this.#bytes = undefined;
    // Nothing can be put back behind the end, and the server would answer nobody who has ended.
    if (this.#ended) {
      socket.destroySoon();
      return;
    }
    socket.off('data', this.#onData);
    socket.off('drain', this.#onDrain);
    socket.off('end', this.#onEnd);
    socket.off('close', this.#onClose);
    this.#standstill.stop();
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
