// Shared by the tests of this folder: a server on a port of its own, a session to it, and a peer that breaks rules.
import { createServer, type Server } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { WebSocket } from 'ws';
import { type Clock, seededRandom, systemClock, systemRandom } from '../kernel/index.ts';
import { identityFrom, newIdentitySecret } from '../soif/index.ts';
import { type ConnectOptions, connect } from './connect.ts';
import { type Frame, frameBytes, parseFrame } from './frame.ts';
import { type Hello, helloBytes, newNonce, parseHello, proofBytes, type Self } from './hello.ts';
import { type Inflater, nodeInflater, zlibSyncInflater } from './inflater.ts';
import { packRecord } from './message.ts';
import type { Session } from './session.ts';
import { type WireLimits, wireLimits } from './settings.ts';
import { WireServer, type WireServerOptions } from './wire-server.ts';

export const selfNamed = (name: string, role: string): Self => ({
  identity: identityFrom(newIdentitySecret(seededRandom(name.length))),
  name,
  role,
});
const serverSelf = selfNamed('the server', 'gatherer');
const clientSelf = selfNamed('a client', 'broker');

export type Make = () => Inflater;

/** Register a test once for each way of inflating. */
export function testBoth(name: string, body: (inflater: Make, t: TestContext) => Promise<void>): void {
  const sync = zlibSyncInflater;
  test(`${name} (node:zlib)`, { timeout: 60_000 }, (t) => body(nodeInflater, t));
  test(`${name} (zlib-sync)`, { timeout: 60_000 }, async (t) => {
    if (sync) await body(sync, t);
    else t.skip('SKIPPED: zlib-sync is not installed');
  });
}

/** A WireServer behind node:http on 127.0.0.1. */
export class Bed implements AsyncDisposable {
  readonly http: Server;
  readonly wire: WireServer;
  readonly url: string;
  /** Connections that the server has accepted, oldest first. */
  readonly sockets: Socket[] = [];
  readonly #clients: Session[] = [];

  constructor(http: Server, wire: WireServer) {
    this.http = http;
    this.wire = wire;
    this.url = `ws://127.0.0.1:${(http.address() as AddressInfo).port}/`;
    http.on('connection', (socket) => this.sockets.push(socket));
  }

  async dial(options: Partial<ConnectOptions> = {}): Promise<Session> {
    const session = await connect({
      ...clientSelf,
      url: this.url,
      clock: systemClock,
      random: systemRandom,
      ...options,
    });
    this.#clients.push(session);
    return session;
  }

  /** The server's end of the only session. */
  serverSession(): Session {
    const [session] = this.wire.sessions;
    if (!session) throw new Error('the server has no session');
    return session;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#clients.map((session) => session.close()));
    await this.wire[Symbol.asyncDispose]();
    this.http.closeAllConnections();
    await new Promise((resolve) => this.http.close(resolve));
  }
}

export async function openBed(
  options: Partial<WireServerOptions> = {},
  clock: Clock = systemClock,
): Promise<Bed> {
  const wire = new WireServer({ ...serverSelf, clock, random: systemRandom, ...options });
  const http = createServer((_, response) => response.end('pages'));
  http.on('upgrade', (request, socket, head) => wire.handleUpgrade(request, socket, head));
  await new Promise<void>((resolve) => http.listen(0, '127.0.0.1', resolve));
  return new Bed(http, wire);
}

/** Sends back every message of a channel. */
export const echo: NonNullable<WireServerOptions['onChannel']> = async (channel, first) => {
  await channel.send(first);
  for await (const message of channel) await channel.send(message);
};

/** A plain WebSocket that can send any bytes. */
export class RawPeer implements AsyncDisposable {
  readonly webSocket: WebSocket;
  /** Resolves with the close code. */
  readonly closed: Promise<number>;
  readonly #arrived: Uint8Array[] = [];
  #waiting: ((bytes: Uint8Array | undefined) => void) | undefined;
  #isClosed = false;

  constructor(url: string, headers: Record<string, string> = {}) {
    this.webSocket = new WebSocket(url, ['garner.1'], { perMessageDeflate: false, headers });
    this.webSocket.on('error', () => {});
    this.webSocket.on('message', (data: Buffer) => {
      const waiting = this.#waiting;
      this.#waiting = undefined;
      if (waiting) waiting(data);
      else this.#arrived.push(data);
    });
    this.closed = new Promise((resolve) =>
      this.webSocket.on('close', (code) => {
        this.#isClosed = true;
        this.#waiting?.(undefined);
        resolve(code);
      }),
    );
  }

  async opened(): Promise<this> {
    await new Promise((resolve, reject) => this.webSocket.once('open', resolve).once('error', reject));
    return this;
  }

  /** The next message, undefined when the connection has closed. */
  next(): Promise<Uint8Array | undefined> {
    const bytes = this.#arrived.shift();
    if (bytes || this.#isClosed) return Promise.resolve(bytes);
    return new Promise((resolve) => {
      this.#waiting = resolve;
    });
  }

  send(bytes: Uint8Array): void {
    this.webSocket.send(bytes);
  }

  frame(frame: Frame, deflated?: Uint8Array): void {
    this.send(frameBytes(frame, deflated));
  }

  /** A data frame that opens channel `channel` with a whole message. */
  open(channel: number, record: Record<string, unknown> = { type: 'ask' }, end = false): void {
    this.frame({ kind: 'data', channel, open: true, end, payload: packRecord(record) });
  }

  /** The code with which the server said bye. */
  async byeCode(): Promise<string> {
    for (let bytes = await this.next(); bytes; bytes = await this.next()) {
      if (bytes.length < 8 || (bytes[0] as number) >> 4 !== 3) continue;
      return (
        Buffer.from(parseFrame(bytes).payload)
          .toString('latin1')
          .match(/WIRE_[A-Z_]+/)?.[0] ?? 'none'
      );
    }
    return 'no bye';
  }

  /** Go through an honest handshake. */
  async greet(proof?: Uint8Array, limits: Partial<WireLimits> = {}): Promise<Hello> {
    await this.opened();
    const hello = helloBytes(clientSelf, wireLimits(limits), newNonce(systemRandom));
    this.send(hello);
    const theirs = (await this.next()) as Uint8Array;
    this.send(proof ?? proofBytes(clientSelf.identity, 'initiator', hello, theirs));
    const parsed = parseHello(theirs, 'server');
    if (!proof) await this.next();
    return parsed;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.webSocket.terminate();
    await this.closed;
  }
}

/** Let every other pending callback and socket event of this process run `turns` times. */
export async function turns(count: number): Promise<void> {
  for (let turn = 0; turn < count; turn += 1) await new Promise((resolve) => setImmediate(resolve));
}

/** A promise with its handles outside. */
export function gate(): { readonly opened: Promise<void>; open(): void } {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

/** Text that compresses as prose does. */
export function prose(length: number, seed = 1): string {
  const random = seededRandom(seed);
  const words = [
    'harvest',
    'broker',
    'gatherer',
    'summary',
    'object',
    'index',
    'of',
    'the',
    'a',
    'server',
    'replica',
  ];
  let text = '';
  while (text.length < length)
    text += `${words[Math.floor(random.next() * words.length)]}${random.next() < 0.2 ? Math.floor(random.next() * 1e6) : ''} `;
  return text.slice(0, length);
}
