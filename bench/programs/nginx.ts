import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync, readFileSync } from 'node:fs';
import { mkdir, truncate, writeFile } from 'node:fs/promises';
import { type AddressInfo, connect, createServer } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithUs } from '../harness/child.ts';
import { childrenOf, cpuSecondsOf } from '../harness/process-usage.ts';
import type { Site } from '../material/corpus.ts';

export const nginxProgram = '/usr/sbin/nginx';

const startMs = 10_000;
const logMs = 5_000;

/** The site four times: plain or compressed, without a log (to measure time) or with one (to count bytes). */
const kinds = ['plain', 'gzip', 'counted plain', 'counted gzip'] as const;
type Kind = (typeof kinds)[number];

async function freePorts(count: number): Promise<number[]> {
  const servers = await Promise.all(
    Array.from({ length: count }, async () => {
      const server = createServer().listen(0, '127.0.0.1');
      await once(server, 'listening');
      return server;
    }),
  );
  const ports = servers.map((server) => (server.address() as AddressInfo).port);
  await Promise.all(servers.map((server) => new Promise((resolve) => server.close(resolve))));
  return ports;
}

function configuration(folder: string, site: Site, ports: readonly number[]): string {
  const temporary = ['client_body', 'proxy', 'fastcgi', 'uwsgi', 'scgi'];
  const servers = kinds.map((kind, at) => {
    const log = kind.startsWith('counted') ? `access_log ${folder}/access.log bytes` : 'access_log off';
    return `server {
    listen 127.0.0.1:${ports[at]}; root ${site.folder}; ${log};
    gzip ${kind.endsWith('gzip') ? 'on' : 'off'}; gzip_comp_level 6;
    location = /sitemap.xml { alias ${folder}/sitemap.xml; }
  }`;
  });
  // Only the benchmark's user can read its folders, so the worker must be that user.
  return `daemon off; worker_processes 1; pid ${folder}/pid; error_log ${folder}/error.log;
${process.getuid?.() === 0 ? 'user root;' : ''}
events { worker_connections 256; }
http {
  types { text/html html; text/xml xml; } sendfile on; tcp_nopush on; keepalive_requests 1000000;
  log_format bytes '$request_length $bytes_sent';
  ${temporary.map((name) => `${name}_temp_path ${folder}/${name};`).join(' ')}
  ${servers.join('\n  ')}
}
`;
}

/** Debian's nginx with one worker, serving the site on its own ports. */
export class Nginx implements AsyncDisposable {
  readonly #folder: string;
  readonly #child: ChildProcess;
  readonly #urls: Readonly<Record<Kind, string>>;
  readonly #worker: number;

  private constructor(
    folder: string,
    child: ChildProcess,
    urls: Readonly<Record<Kind, string>>,
    worker: number,
  ) {
    this.#folder = folder;
    this.#child = child;
    this.#urls = urls;
    this.#worker = worker;
  }

  /** Start it, or resolve to undefined where it is not installed. */
  static async start(folder: string, site: Site): Promise<Nginx | undefined> {
    if (!existsSync(nginxProgram)) return undefined;
    await mkdir(folder);
    const ports = await freePorts(kinds.length);
    const urls = Object.fromEntries(
      kinds.map((kind, at) => [kind, `http://127.0.0.1:${ports[at]}/`]),
    ) as Record<Kind, string>;
    const sitemap = site.pages.map((page) => `<url><loc>${urls.plain}${encodeURI(page)}</loc></url>\n`);
    await writeFile(
      join(folder, 'sitemap.xml'),
      `<?xml version="1.0"?>\n<urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n${sitemap.join('')}</urlset>\n`,
    );
    const file = join(folder, 'nginx.conf');
    await writeFile(file, configuration(folder, site, ports));
    const child = spawn(nginxProgram, ['-p', folder, '-c', file, '-e', join(folder, 'error.log')], {
      stdio: 'ignore',
    });
    endsWithUs(child);
    const worker = await untilServing(child, ports[0] as number, join(folder, 'error.log'));
    return new Nginx(folder, child, urls, worker);
  }

  /** The base URL of a kind of the site; ends in `/`. */
  url(kind: Kind): string {
    return this.#urls[kind];
  }

  /** CPU seconds of the worker so far. */
  get cpuSeconds(): number {
    return cpuSecondsOf(this.#worker);
  }

  /** Bytes of the counted servers for `requests` requests: HTTP with its headers, both ways, without TCP. */
  async takeBytes(requests: number): Promise<number> {
    const file = join(this.#folder, 'access.log');
    const deadline = performance.now() + logMs;
    for (;;) {
      // nginx logs a request shortly after it has sent the answer.
      const lines = readFileSync(file, 'utf8').split('\n').slice(0, -1);
      if (lines.length === requests) {
        // nginx appends, so it continues at the new end.
        await truncate(file);
        return lines.flatMap((line) => line.split(' ')).reduce((sum, bytes) => sum + Number(bytes), 0);
      }
      if (lines.length > requests || performance.now() > deadline)
        throw new Error(`nginx logged ${lines.length} requests of ${requests}`);
      await sleep(20);
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (this.#child.exitCode !== null) return;
    const closed = once(this.#child, 'close');
    this.#child.kill('SIGTERM');
    await closed;
  }
}

async function untilServing(child: ChildProcess, port: number, log: string): Promise<number> {
  const started = performance.now();
  for (;;) {
    if (child.exitCode !== null || performance.now() - started > startMs) {
      child.kill('SIGTERM');
      throw new Error(`nginx did not start: ${existsSync(log) ? readFileSync(log, 'utf8') : 'no log'}`);
    }
    const worker = childrenOf(child.pid as number)[0];
    const socket = connect(port, '127.0.0.1');
    const open = await once(socket, 'connect').then(
      () => true,
      () => false,
    );
    socket.destroy();
    if (open && worker !== undefined) return worker;
    await sleep(20);
  }
}
