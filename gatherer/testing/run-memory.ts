// Shared by tests of enumerators: the memory of a Gatherer, ports, folders and servers that end.
import { type ChildProcess, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer as createWebServer } from 'node:http';
import { type AddressInfo, connect, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { HttpClient, RobotsTxt } from '../../fetch/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import type { Enumerated, EnumerationMemory, Enumerator, Remembered } from '../enumerate/enumerator.ts';

/** Rows of a Gatherer between runs: rows of yielded items are stored, the others deleted. */
export class RunMemory {
  readonly rows = new Map<string, Remembered>();
  readonly memory: EnumerationMemory = {
    recall: (url) => Promise.resolve(this.rows.get(url)),
    known: (prefix = '') => this.#known(prefix),
  };

  async *#known(prefix: string): AsyncGenerator<string> {
    for (const [url, row] of [...this.rows].sort(([a], [b]) => (a < b ? -1 : 1)))
      if (url.startsWith(prefix) && !row.canonicalUrl && !row.sitemaps && !row.skipped) yield url;
  }

  /** One run; returns the items. */
  async run(enumerator: Enumerator, signal?: AbortSignal): Promise<Enumerated[]> {
    const items: Enumerated[] = [];
    const seen = new Set<string>();
    for await (const item of enumerator.enumerate(this.memory, signal)) {
      items.push(item);
      if ('remember' in item && item.remember) {
        this.rows.set(item.url, JSON.parse(JSON.stringify(item.remember)) as Remembered);
        seen.add(item.url);
      } else if (item.kind === 'failed') seen.add(item.url);
    }
    for (const url of [...this.rows.keys()]) if (!seen.has(url)) this.rows.delete(url);
    return items;
  }
}

/** Kind and the end of the URL behind `base`, of all but lists. */
export function brief(items: readonly Enumerated[], base: string): string[] {
  return items
    .filter(({ kind }) => kind !== 'sitemap')
    .map(({ kind, url }) => `${kind} ${url.startsWith(base) ? url.slice(base.length) : url}`);
}

/** The text of a yielded document. */
export function textOf(items: readonly Enumerated[], end: string): string | undefined {
  const item = items.find(({ url }) => url.endsWith(end));
  return item?.kind === 'document' ? Buffer.from(item.document.bytes).toString('utf8') : undefined;
}

/** A folder under the system's for temporary files, removed at the end. */
export function scratch(name: string): { readonly path: string } & Disposable {
  const path = mkdtempSync(join(tmpdir(), `garner-${name}-`));
  return { path, [Symbol.dispose]: () => rmSync(path, { recursive: true, force: true }) };
}

/** A port of this machine that is free now. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A server that calls `talk` for each connection. */
export async function openServer(
  talk: (socket: Socket) => void,
): Promise<{ readonly port: number; readonly sockets: Socket[] } & AsyncDisposable> {
  const sockets: Socket[] = [];
  const server = createServer((socket) => {
    sockets.push(socket);
    socket.on('error', () => undefined);
    talk(socket);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    sockets,
    async [Symbol.asyncDispose]() {
      for (const socket of sockets) socket.destroy();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

export interface Page {
  readonly status?: number;
  readonly body?: string;
  readonly headers?: Record<string, string>;
}

/** Pages on loopback with ETags, and the requests; `others`: further hosts that the client may request. */
export async function openPages(pages: Record<string, Page>, others: readonly string[] = []) {
  const asked: string[] = [];
  const server = createWebServer((request, response) => {
    const { status = 200, body = '', headers = {} } = pages[request.url ?? ''] ?? { status: 404 };
    const etag = `"${createHash('md5').update(body).digest('hex')}"`;
    const fresh = status === 200 && request.headers['if-none-match'] === etag;
    asked.push(`${fresh ? 304 : status} ${request.url}`);
    response.writeHead(fresh ? 304 : status, { etag, ...headers }).end(fresh ? undefined : body);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const root = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts: [root, ...others], retries: 0 });
  return {
    root,
    pages,
    fetch: http.fetch,
    robots: new RobotsTxt({ fetch: http.fetch, clock: new ManualClock() }),
    asked: () => asked.splice(0).filter((line) => !line.endsWith('robots.txt')),
    async [Symbol.asyncDispose]() {
      await http[Symbol.asyncDispose]();
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

/** A program that listens on a port, ended with the test. Rejects when it ends before it listens. */
export async function openDaemon(
  command: readonly string[],
  port: number,
  options: { readonly env?: Record<string, string>; readonly cwd?: string } = {},
): Promise<{ readonly child: ChildProcess } & AsyncDisposable> {
  const [program = '', ...args] = command;
  const child = spawn(program, args, {
    ...options,
    env: { ...process.env, ...options.env },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  let said = '';
  child.stdout?.on('data', (text) => (said += String(text)));
  child.stderr?.on('data', (text) => (said += String(text)));
  const closed = new Promise<void>((resolve) => child.once('close', () => resolve()));
  const listening = async () => {
    while (!(await answers(port))) {
      if (child.exitCode !== null) throw new Error(`${program} ended with ${child.exitCode}: ${said}`);
      await new Promise((resolve) => setImmediate(resolve));
    }
  };
  await listening();
  return {
    child,
    async [Symbol.asyncDispose]() {
      child.kill('SIGTERM');
      await closed;
    },
  };
}

function answers(port: number): Promise<boolean> {
  return new Promise((resolve) => {
    const socket = connect(port, '127.0.0.1', () => {
      socket.destroy();
      resolve(true);
    });
    socket.on('error', () => resolve(false));
  });
}

/** Let time pass until a promise settles. */
export async function advanceUntil(
  clock: { advance(ms: number): void },
  promise: Promise<unknown>,
  ms = 1000,
): Promise<void> {
  let settled = false;
  const done = promise.then(
    () => (settled = true),
    () => (settled = true),
  );
  while (!settled) {
    clock.advance(ms);
    await new Promise((resolve) => setImmediate(resolve));
  }
  await done;
}
