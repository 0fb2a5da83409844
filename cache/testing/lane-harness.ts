import { once } from 'node:events';
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import { type AddressInfo, connect, type Socket } from 'node:net';
import { setImmediate as turn } from 'node:timers/promises';
import { ManualClock } from '../../kernel/index.ts';
import { ConnectionSlots } from '../doors/connection-slots.ts';
import { type FastLane, type FastLaneOptions, openFastLane } from '../doors/fast-lane/fast-lane.ts';
import { ReadyTable } from '../doors/fast-lane/ready-table.ts';
import type { Decision } from '../requests/decision.ts';

/** The limits of a lane in tests. */
export const limits = {
  maxHeadBytes: 32_768,
  headTimeoutMs: 20_000,
  keepAliveMs: 20_000,
  stallMs: 20_000,
  closeGraceMs: 1000,
};
/** Where what is accelerated is really. */
export const origin = 'http://origin.example';
const decision: Decision = { outcome: 'hit', rule: 'fresh' };
const date = 'Sun, 01 Nov 2026 00:00:00 GMT';

/** A content in short. */
export const shown = (content: string) => content.replace(/x{9,}$/, (padding) => `${padding.length} more`);

/** A server with a lane before it; whatever path holds `ready` is learned when it was answered. */
export class Bed implements AsyncDisposable {
  readonly server: Server;
  readonly table = new ReadyTable(64 << 20, 20_000);
  readonly lane: FastLane | undefined;
  /** The requests that reached the server itself. */
  readonly asked: string[] = [];
  /** Its answers, in the order of `asked`. */
  gave: string[] = [];
  onRequest: ((request: IncomingMessage, response: ServerResponse) => boolean) | undefined;

  constructor(options: { lane: boolean } & Partial<FastLaneOptions>) {
    this.server = createServer({ noDelay: true, keepAliveTimeout: 20_000 }, (request, response) =>
      this.#take(request, response),
    );
    const clock = new ManualClock();
    const { lane, ...given } = options;
    if (lane)
      this.lane = openFastLane({
        ...{ server: this.server, clock, ready: this.table, limits, proxy: true },
        connections: new ConnectionSlots(100, 100),
        accelerator: {
          namedOriginFor: (host) => (host === 'a.example' ? origin : undefined),
          origins: [origin],
          forwardedHost: () => undefined,
          passHost: false,
          originFor: (host) => (host === 'a.example' ? origin : undefined),
        },
        ...given,
      });
  }

  async listen(): Promise<this> {
    this.server.listen(0, '127.0.0.1');
    await once(this.server, 'listening');
    return this;
  }

  client(): Socket {
    return connect({
      port: (this.server.address() as AddressInfo).port,
      host: '127.0.0.1',
      allowHalfOpen: true,
    });
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.lane?.[Symbol.asyncDispose]();
    this.server.closeAllConnections();
    await new Promise((resolve) => this.server.close(resolve));
  }

  #take(request: IncomingMessage, response: ServerResponse): void {
    const { method = '', url = '' } = request;
    this.asked.push(`${method} ${url}`);
    if (this.onRequest?.(request, response) === true) return;
    const body: Buffer[] = [];
    request.on('data', (chunk: Buffer) => body.push(chunk));
    request.on('end', () => {
      const size = Number(/\d+/.exec(url)?.[0] ?? 0);
      const said = `${url} ${request.headers.host} ${Buffer.concat(body).toString('latin1')} `;
      const content = Buffer.from(said.padEnd(size, 'x'), 'latin1');
      const fields = ['Date', date, 'X-Url', url];
      this.gave.push(`${url} ${method === 'HEAD' ? '' : shown(content.toString('latin1'))}`);
      if (method === 'GET' && body.length === 0 && url.includes('ready')) {
        const stored = url.startsWith('/') ? origin + url : url;
        const head = { status: 200, reason: 'OK', fields, untilMs: Number.MAX_SAFE_INTEGER, decision };
        const source = { of: {}, content, headAt: () => head, onHits: () => undefined };
        this.table.learn({ url: stored, vary: [], requestFields: request.rawHeaders, source }, 0);
      }
      response.writeHead(200, [...fields, 'Content-Length', String(content.length)] as never);
      response.end(content);
    });
  }
}

/** Everything a server says to what is sent in pieces. */
export async function said(bed: Bed, pieces: readonly Buffer[]): Promise<string> {
  const socket = bed.client();
  const heard: Buffer[] = [];
  socket.on('data', (chunk) => heard.push(chunk));
  const closed = once(socket, 'close');
  socket.on('error', () => undefined);
  // The last request asks for the end of the connection; a client that ends first might not be answered.
  socket.on('end', () => socket.end());
  await once(socket, 'connect');
  for (const piece of pieces) {
    if (socket.destroyed || !socket.writable) break;
    socket.write(piece);
    await turn();
    await turn();
  }
  await closed;
  return Buffer.concat(heard).toString('latin1');
}

/** A request without content. */
export const head = (method: string, target: string, lines = '') =>
  `${method} ${target} HTTP/1.1\r\nHost: a.example\r\n${lines}\r\n`;
/** Ends a connection. */
export const goodbye = Buffer.from(head('GET', '/bye', 'Connection: close\r\n'));
