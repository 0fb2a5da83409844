import { once } from 'node:events';
import { mkdtemp, rm } from 'node:fs/promises';
import { createServer, type Server, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Clock, Random } from '../../kernel/index.ts';
import {
  type AccessRules,
  type ConnectionSlots,
  type FastLane,
  isOtherPeer,
  type LaneCounts,
} from '../doors/index.ts';
import { cacheWorkerLost } from '../events.ts';
import { type Frame, FrameReader } from './frames.ts';
import { type FromWorker, messages, sendMessage } from './messages.ts';
import type { RelayPlace } from './relay.ts';
import { type Hello, hello, readHello } from './relay-frames.ts';
import { RelayedConnection } from './relayed-connection.ts';
import type { CopyAccount, WorkerCopyLedger } from './worker-copy-ledger.ts';

interface RelayDoorOptions {
  readonly secret: string;
  readonly maxConnections: number;
  /** A process of ours has connected; returns the listener for its frames. */
  greeted(greeting: Hello, socket: Socket): (frame: Frame) => void;
}

/** The max time for the first frame. */
const greetingMs = 10_000;

/** The door of this process for its workers, on a Unix socket. */
function relayDoor({ secret, maxConnections, greeted }: RelayDoorOptions): Server {
  const server = createServer((socket) => {
    let listener: ((frame: Frame) => void) | undefined;
    const reader = new FrameReader((frame) => {
      if (listener !== undefined) {
        listener(frame);
        return;
      }
      const greeting = frame.kind === hello ? readHello(frame.payload, secret) : undefined;
      if (greeting === undefined || socket.destroyed) {
        socket.destroy();
        listener = () => undefined;
        return;
      }
      socket.setTimeout(0);
      socket.off('timeout', tooLong);
      listener = greeted(greeting, socket);
    });
    const tooLong = () => socket.destroy();
    socket.setTimeout(greetingMs);
    socket.on('timeout', tooLong);
    socket.on('error', () => undefined);
    socket.on('data', (piece: Buffer) => {
      if (!reader.push(piece)) socket.destroy();
    });
  });
  server.maxConnections = maxConnections;
  return server;
}

export interface WorkerProcess {
  readonly exited: Promise<void>;
  /** End it at once. */
  kill(): void;
}

export interface WorkersOptions {
  readonly count: number;
  readonly clock: Clock;
  readonly random: Random;
  readonly copies: WorkerCopyLedger;
  /** The lane of this process, and the server behind it. */
  readonly lane: Pick<FastLane, 'give'>;
  readonly server: Server;
  readonly access: Pick<AccessRules, 'admits'>;
  /** This process answers the caches that send requests, to count them. */
  readonly isPeer: (address: string) => boolean;
  readonly slots: ConnectionSlots;
  readonly counts?: Pick<LaneCounts, 'hits'>;
  readonly maxConnections: number;
  /** How long workers may take to end. */
  readonly graceMs: number;
  start(place: RelayPlace): WorkerProcess;
}

/** Worker processes, restarted when they end. Disposing lets them finish their answers. */
export interface Workers extends AsyncDisposable {
  readonly alive: number;
  /** How often a worker ended unexpectedly. */
  readonly lost: number;
}

/** A worker that ends earlier is not restarted at once. */
const minLifeMs = 1_000;
/** With so many unsent bytes a worker gets no more copies. */
const maxWaiting = 8 * 1024 * 1024;

/** Start workers. Rejects when their socket cannot be created. */
export async function openWorkers(options: WorkersOptions): Promise<Workers> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-cache-'));
  const workers = new OpenWorkers(options, folder);
  try {
    await workers.open();
    return workers;
  } catch (error) {
    await rm(folder, { recursive: true, force: true });
    throw error;
  }
}

/** A place for a worker, which successive processes fill. */
interface Member {
  process: WorkerProcess | undefined;
  link: Socket | undefined;
  account: CopyAccount | undefined;
  /** Its connections by address, and those over the limit. */
  readonly open: Map<string, number>;
  readonly over: Map<string, number>;
}

class OpenWorkers implements Workers {
  lost = 0;
  readonly #options: WorkersOptions;
  readonly #folder: string;
  readonly #path: string;
  readonly #secret: string;
  readonly #door: Server;
  readonly #members: readonly Member[];
  readonly #sockets = new Set<Socket>();
  readonly #closing = new AbortController();
  readonly #running: Promise<void>[] = [];

  constructor(options: WorkersOptions, folder: string) {
    this.#options = options;
    this.#folder = folder;
    this.#path = join(folder, 'workers');
    this.#secret = Buffer.from(options.random.bytes(32)).toString('hex');
    this.#members = Array.from({ length: options.count }, () => ({
      ...{ process: undefined, link: undefined, account: undefined },
      ...{ open: new Map<string, number>(), over: new Map<string, number>() },
    }));
    this.#door = relayDoor({
      secret: this.#secret,
      maxConnections: options.maxConnections + options.count,
      greeted: (greeting, socket) => this.#greeted(greeting, socket),
    });
    RelayedConnection.watch(options.server);
  }

  get alive(): number {
    return this.#members.filter(({ account }) => account !== undefined).length;
  }

  async open(): Promise<void> {
    this.#door.listen(this.#path);
    await once(this.#door, 'listening');
    for (const [worker, member] of this.#members.entries())
      this.#running.push(this.#keepRunning(worker, member));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#closing.signal.aborted) return;
    this.#closing.abort();
    for (const member of this.#members) {
      // A worker that has not connected yet has nothing to finish.
      if (member.link === undefined) member.process?.kill();
      else sendMessage(member.link, { is: 'end' });
    }
    const waiting = new AbortController();
    const { clock, graceMs } = this.#options;
    const all = Promise.all(this.#running);
    await Promise.race([all, clock.sleep(graceMs, waiting.signal).catch(() => undefined)]);
    waiting.abort();
    for (const { process } of this.#members) process?.kill();
    await all;
    for (const socket of this.#sockets) socket.destroy();
    this.#door.close();
    await rm(this.#folder, { recursive: true, force: true });
  }

  /** Restart a worker whenever it ends. */
  async #keepRunning(worker: number, member: Member): Promise<void> {
    const { clock, start } = this.#options;
    const { signal } = this.#closing;
    while (!signal.aborted) {
      const begunMs = clock.now();
      member.process = start({ path: this.#path, secret: this.#secret, worker });
      await member.process.exited;
      this.#ended(member);
      if (signal.aborted) return;
      this.lost += 1;
      cacheWorkerLost.publish({ worker: worker + 1 });
      if (clock.now() - begunMs < minLifeMs) await clock.sleep(minLifeMs, signal).catch(() => undefined);
    }
  }

  /** Clear all state of a worker that has ended. */
  #ended(member: Member): void {
    member.process = undefined;
    member.account?.close();
    member.account = undefined;
    member.link?.destroy();
    member.link = undefined;
    for (const [address, count] of member.open)
      for (let left = count; left > 0; left--) this.#options.slots.leaveElsewhere(address);
    member.open.clear();
    member.over.clear();
  }

  #greeted(greeting: Hello, socket: Socket): (frame: Frame) => void {
    this.#sockets.add(socket);
    socket.once('close', () => this.#sockets.delete(socket));
    if (greeting.client === undefined) return this.#linked(this.#members[greeting.worker], socket);
    const connection = new RelayedConnection(socket, greeting.client);
    // The worker has reported it, unless it had no slot: then this process refuses it.
    if (greeting.client.isCounted) this.#options.slots.fallback(connection);
    this.#options.lane.give(connection);
    return (frame) => connection.hear(frame);
  }

  #linked(member: Member | undefined, link: Socket): (frame: Frame) => void {
    if (member === undefined || member.link !== undefined) {
      link.destroy();
      return () => undefined;
    }
    const { process } = member;
    member.link = link;
    // A disconnected worker could answer with dropped copies.
    link.once('close', () => process?.kill());
    member.account = this.#options.copies.open({
      clock: this.#options.clock,
      send: (message, content) => {
        sendMessage(link, message, content);
        return link.writableLength < maxWaiting;
      },
      end: async () => {
        process?.kill();
        await process?.exited;
      },
    });
    return messages<FromWorker>((message) => this.#heard(member, message));
  }

  #heard(member: Member, message: FromWorker): void {
    if (message.is === 'slots') {
      for (const [address, change] of message.changes)
        if (change === 1) this.#came(member, address);
        else this.#left(member, address);
    } else if (message.is === 'ask') {
      const { question, access } = message;
      void this.#admits(access).then((admitted) => {
        if (member.link?.writable) sendMessage(member.link, { is: 'access', question, admitted });
      });
    } else if (message.is === 'took') {
      for (const [times, ms] of message.took) this.#options.counts?.hits(times, ms);
    } else member.account?.heard(message);
  }

  async #admits({ form, ...question }: (FromWorker & { is: 'ask' })['access']): Promise<boolean> {
    const { from } = question;
    if (isOtherPeer(from, this.#options.isPeer)) return false;
    try {
      return await this.#options.access.admits(question, form);
    } catch {
      return false;
    }
  }

  #came(member: Member, address: string): void {
    if (this.#options.slots.takeElsewhere(address) === 'taken') {
      member.open.set(address, (member.open.get(address) ?? 0) + 1);
      return;
    }
    member.over.set(address, (member.over.get(address) ?? 0) + 1);
    if (member.link !== undefined) sendMessage(member.link, { is: 'over', address });
  }

  #left(member: Member, address: string): void {
    const isOver = member.over.has(address);
    const counts = isOver ? member.over : member.open;
    const count = (counts.get(address) ?? 0) - 1;
    if (count <= 0) counts.delete(address);
    else counts.set(address, count);
    if (!isOver && count >= 0) this.#options.slots.leaveElsewhere(address);
  }
}
