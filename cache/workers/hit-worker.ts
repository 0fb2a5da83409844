import { once } from 'node:events';
import { connect, type Server, type Socket } from 'node:net';
import {
  answerRaw,
  type DoorLimits,
  type FastLane,
  type FastLaneOptions,
  openFastLane,
  parserRefusal,
  ReadyTable,
  type SlowSide,
} from '../doors/index.ts';
import type { CachePolicy } from '../rules/index.ts';
import { AnswerTimes } from './answer-times.ts';
import { FrameReader } from './frames.ts';
import { type FromWorker, messages, sendMessage, type ToWorker } from './messages.ts';
import { type RelayPlace, relay } from './relay.ts';
import { sendHello } from './relay-frames.ts';
import { RemoteAccessRules } from './remote-access-rules.ts';
import { ReportedSlots } from './reported-slots.ts';
import { WorkerCopies } from './worker-copies.ts';

export interface HitWorkerOptions
  extends Pick<
    FastLaneOptions,
    'proxy' | 'accelerator' | 'forwarded' | 'ignoredCookies' | 'queries' | 'clock'
  > {
  readonly place: RelayPlace;
  readonly limits: DoorLimits;
  /** The cache's name in Via and Cache-Status. */
  readonly name: string;
  readonly policy: CachePolicy;
  /** Max bytes of copies, including an estimate for the bookkeeping. */
  readonly readyBytes: number;
  /** Whether an accelerator answers everybody; otherwise the process with the store decides. */
  readonly isOpen: boolean;
}

const reportingMs = 1_000;

/** A process that answers plain hits from copies, and relays every other request to the process with the store. */
export interface HitWorker extends AsyncDisposable {
  /** Answer on the connections that a server accepts; it must have no other connection listener. */
  serve(server: Server): void;
  /** Resolves when the process with the store sends `end`, or has disconnected. */
  readonly ended: Promise<void>;
  readonly lane: FastLane | undefined;
}

/** Connect to the process with the store. Rejects when the connection fails. */
export async function openHitWorker(options: HitWorkerOptions): Promise<HitWorker> {
  const { place } = options;
  const link = connect(place.path);
  await once(link, 'connect');
  sendHello(link, { secret: place.secret, worker: place.worker });
  return new OpenWorker(options, link);
}

class OpenWorker implements HitWorker {
  lane: FastLane | undefined;
  readonly ended: Promise<void>;
  readonly #options: HitWorkerOptions;
  readonly #link: Socket;
  readonly #copies: WorkerCopies;
  readonly #rules: RemoteAccessRules;
  readonly #slots: ReportedSlots;
  readonly #times = new AnswerTimes(() => performance.now());
  readonly #relays = new Set<Socket>();
  readonly #stop = new AbortController();
  #onEnd: () => void = () => undefined;

  constructor(options: HitWorkerOptions, link: Socket) {
    const { limits, readyBytes } = options;
    this.#options = options;
    this.#link = link;
    this.#slots = new ReportedSlots(limits, (changes) => this.#send({ is: 'slots', changes }));
    const table = new ReadyTable(readyBytes, limits.keepAliveMs);
    this.#copies = new WorkerCopies({ ...options, table, send: (message) => this.#send(message) });
    this.#rules = new RemoteAccessRules({ ...options, send: (message) => this.#send(message) });
    this.ended = new Promise((resolve) => {
      this.#onEnd = resolve;
    });
    const hear = messages<ToWorker>((message, content) => this.#heard(message, content));
    const reader = new FrameReader(hear);
    link.on('data', (piece: Buffer) => {
      if (!reader.push(piece)) link.destroy();
    });
    link.on('error', () => undefined);
    link.on('close', () => this.#onEnd());
    void this.#reportRegularly();
  }

  serve(server: Server): void {
    const { place, policy: _, name, ...forLane } = this.#options;
    server.on('connection', (connection: Socket | SlowSide) => {
      const socket = relay(connection, place, { isCounted: this.#slots.isCounted(connection) });
      this.#relays.add(socket);
      socket.once('close', () => this.#relays.delete(socket));
    });
    this.lane = openFastLane({
      ...forLane,
      ...{ server, ready: this.#copies, access: this.#rules },
      connections: this.#slots,
      counts: this.#times,
    });
    server.on('clientError', (error: Error & { code?: string }, socket: Socket) =>
      answerRaw(socket, parserRefusal(error, forLane.limits.maxHeadBytes), name),
    );
    // As Node's HTTP server does.
    server.prependListener('connection', (socket: Socket) => {
      socket.allowHalfOpen = true;
      socket.setNoDelay(true);
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lane?.[Symbol.asyncDispose]();
    const { clock, limits } = this.#options;
    const waiting = new AbortController();
    const closed = Promise.all(
      [...this.#relays].map((socket) => once(socket, 'close').catch(() => undefined)),
    );
    await Promise.race([closed, clock.sleep(limits.closeGraceMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
    for (const socket of this.#relays) socket.destroy();
    this.#stop.abort();
    this.#reportCounts();
    this.#link.end();
    if (!this.#link.closed) await once(this.#link, 'close');
  }

  #heard(message: ToWorker, content: Buffer): void {
    if (message.is === 'give') this.#copies.take(message, content);
    else if (message.is === 'drop') this.#copies.drop(message);
    else if (message.is === 'access') this.#rules.heard(message);
    else if (message.is === 'over') this.#slots.cutOne(message.address);
    else this.#onEnd();
  }

  #send(message: FromWorker): void {
    if (this.#link.writable) sendMessage(this.#link, message);
  }

  #reportCounts(): void {
    this.#copies.reportHits();
    const latencies = this.#times.taken();
    if (latencies.length > 0) this.#send({ is: 'took', took: latencies });
  }

  async #reportRegularly(): Promise<void> {
    const { signal } = this.#stop;
    while (!signal.aborted) {
      await this.#options.clock.sleep(reportingMs, signal).catch(() => undefined);
      this.#reportCounts();
    }
  }
}
