import { execFileSync } from 'node:child_process';
import { createSocket } from 'node:dgram';
import { cp, mkdir, mkdtemp, readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { hostname, tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { freePort } from './commands/command.ts';
import { type RunningServer, runGarner, ServerHost, startProcess } from './docs-program.ts';
import { certificateIn } from './localhost-certificate.ts';
import { root } from './manual-pages.ts';

// Where the commands of a page run: a scratch folder with a small site, and the servers that the page speaks of.

/** The token that the page's `TOKEN` stands for; it administers each server of a scene. */
const token = 'a-token-for-the-manual';

/** Documents that pages name, in the folder `public`. */
const site: Readonly<Record<string, string>> = {
  'index.html':
    '<!doctype html><title>Harbour office</title><h1>Harbour office</h1>' +
    '<p>All about the harbour. <a href="a.html">Moorings</a> <a href="news/index.html">News</a> ' +
    '<a href="guide.md">Guide</a></p>',
  'a.html':
    '<!doctype html><title>Moorings</title><meta name="keywords" content="mooring, harbour">' +
    '<h1>Moorings</h1><p>Install a mooring before the storm. The harbour has forty moorings.</p>',
  'a.png': 'a picture',
  'guide.md': '# Getting started\n\nHow to install a mooring in the harbour.\n',
  'news/index.html': '<!doctype html><title>News</title><h1>News</h1><p>An outage in the north.</p>',
  'private/notes.html': '<!doctype html><title>Notes</title><p>Notes of the harbour office.</p>',
  'a.pdf': 'a text',
  'robots.txt': 'User-agent: *\nDisallow: /private/\n',
  'tides.csv': 'port,people\nNorth,4000\nSouth,1200\n',
};

/** Files that pages name, beside the site. */
const files: Readonly<Record<string, string>> = {
  'report.ps': '%!PS-Adobe-3.0\n%%Title: A report\n(Hello) show\nshowpage\n',
  'a.pdf': 'a text',
  'entries.bib': '@article{a, title = {A}, author = {Jo}, url = {https://www.example.org/a.html}}\n',
  'program.txt': 'a text\n',
};

const types: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.md': 'text/markdown',
  '.txt': 'text/plain',
};

interface Site extends AsyncDisposable {
  readonly port: number;
}

/** Serves a folder as a plain web server does, with the time of each file. */
async function serveSite(folder: string): Promise<Site> {
  const server = createServer(async ({ url = '/' }, response) => {
    const path = new URL(url, 'http://x').pathname.replace(/\/$/, '/index.html');
    try {
      const body = await readFile(join(folder, decodeURIComponent(path)));
      response.setHeader('content-type', types[extname(path)] ?? 'application/octet-stream');
      response.setHeader('last-modified', (await stat(join(folder, path))).mtime.toUTCString());
      response.end(body);
    } catch {
      response.writeHead(404).end();
    }
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    port: (server.address() as AddressInfo).port,
    [Symbol.asyncDispose]: async () => {
      server.closeAllConnections();
      await new Promise((resolve) => server.close(resolve));
    },
  };
}

async function written(folder: string, entries: Readonly<Record<string, string>>): Promise<void> {
  for (const [name, text] of Object.entries(entries)) {
    await mkdir(join(folder, name, '..'), { recursive: true });
    await writeFile(join(folder, name), text);
  }
}

/** What every page begins with: made once, copied for each. */
export interface Template extends AsyncDisposable {
  readonly folder: string;
  /** Address of the site that `https://www.example.org/` stands for. */
  readonly origin: string;
  readonly host: ServerHost;
}

/** A site that is served, gathered and collected; dispose to remove it. */
export async function openTemplate(): Promise<Template> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-manual-'));
  await written(join(folder, 'public'), site);
  const served = await serveSite(join(folder, 'public'));
  const origin = `http://127.0.0.1:${served.port}`;
  const own = Object.entries(files).map(([name, text]) => [
    name,
    text.replaceAll('https://www.example.org', origin),
  ]);
  await written(folder, Object.fromEntries(own));
  const { key, cert } = certificateIn(folder);
  await rename(key, join(folder, 'privkey.pem'));
  await rename(cert, join(folder, 'fullchain.pem'));
  execFileSync('tar', ['-czf', 'all.tar.gz', 'public'], { cwd: folder });
  const place = { cwd: folder, env: {} };
  await runGarner(['gatherer', 'run', '--root', 'public', '--base-url', `${origin}/`, '--quiet'], place);
  const host = new ServerHost();
  const gatherer = host.start(['gatherer', 'serve', '--port', '0', '--quiet'], place);
  const [, wire = '', address = ''] = await gatherer.printed(/collect +(\S+)[\s\S]*stream +(\S+)soif/);
  await writeFile(join(folder, 'summaries.soif'), await (await fetch(`${address}soif`)).text());
  await runGarner(['broker', 'collect', '--collect', wire, '--quiet'], place);
  gatherer.interrupt();
  await gatherer.ended;
  await cp(join(folder, 'garner-data'), join(folder, 'data'), { recursive: true });
  return {
    folder,
    origin,
    host,
    [Symbol.asyncDispose]: async () => {
      await host[Symbol.asyncDispose]();
      await served[Symbol.asyncDispose]();
      await rm(folder, { recursive: true, force: true });
    },
  };
}

/** Ports that other flags than `--port` name; these take no 0. */
const sideFlags = [
  '--icp-port',
  '--htcp-port',
  '--classic-port',
  '--gatherd-port',
  '--tls-port',
  '--admin-port',
];

/** The servers of a page, by the port that the page gives them. */
interface Serving {
  readonly key: string;
  readonly running: RunningServer;
  readonly ports: readonly string[];
}

/** A scratch folder for one page, and where its documented addresses really are. */
export class Scene implements AsyncDisposable {
  readonly folder: string;
  readonly env: Record<string, string>;
  readonly #origin: string;
  readonly #host: ServerHost;
  readonly #servers: Serving[] = [];
  /** Real ports by documented ones. */
  readonly #ports = new Map<string, string>();
  /** Documented ports that a Registry is allowed to query before their servers start. */
  readonly #reserved = new Set<string>();
  readonly #sites: Site[] = [];

  private constructor(folder: string, { origin, host }: Template, administers: boolean) {
    this.#host = host;
    this.folder = folder;
    this.#origin = origin;
    // The site is at a private address here alone.
    this.env = { GARNER_FETCH_ALLOW_HOSTS: new URL(origin).host, GARNER_CACHE_PURGE_ACCESS: 'loopback' };
    if (administers) Object.assign(this.env, { GARNER_HTTP_ADMIN_TOKENS: token, TOKEN: token });
  }

  /** A copy of the template; `administers` gives its servers an admin token, which `TOKEN` stands for. */
  static async open(template: Template, administers: boolean): Promise<Scene> {
    const own = await mkdtemp(join(tmpdir(), 'garner-page-'));
    await cp(template.folder, own, { recursive: true });
    return new Scene(own, template, administers);
  }

  /**
   * Start the server of a command line on free ports, and note which documented port each one stands for. With
   * variables of its own the server is a process of its own. Resolves when it has printed its addresses.
   */
  async serve(argv: readonly string[], own: Readonly<Record<string, string>> = {}): Promise<RunningServer> {
    const [role = '', verb] = argv;
    const flag = (name: string) => {
      const at = argv.indexOf(name);
      return at < 0 ? undefined : argv[at + 1];
    };
    const key = `${role === 'up' ? 'up' : `${role} ${verb}`} ${flag('--data') ?? 'garner-data'}`;
    // A page that starts a server again means the one that the reader stopped.
    for (const other of this.#servers.filter(
      (serving) => serving.key === key || serving.key.startsWith('up '),
    ))
      await this.#stop(other);
    if (role === 'up') for (const other of [...this.#servers]) await this.#stop(other);
    const real = [...argv];
    for (const name of sideFlags) {
      const documented = flag(name);
      if (documented === undefined) continue;
      const port = String(
        await (name === '--icp-port' || name === '--htcp-port' ? freeUdpPort() : freePort()),
      );
      this.#ports.set(documented, port);
      real[real.indexOf(name) + 1] = port;
    }
    const usual =
      { up: '8501', gatherer: '8500', broker: '8501', registry: '8502', cache: '3128' }[role] ?? '';
    const documented = flag('--port') ?? usual;
    const free = this.#reserved.delete(documented) ? (this.#ports.get(documented) ?? '0') : '0';
    if (real.includes('--port')) real[real.indexOf('--port') + 1] = free;
    else real.push('--port', '0');
    if (role === 'up') real.push('--site-port', '0');
    const place = { cwd: this.folder, env: { ...this.env, ...own } };
    const running = Object.keys(own).length > 0 ? startProcess(real, place) : this.#host.start(real, place);
    const [, port = ''] = await running.printed(
      /^ +(?:search|stream|registry|cache) +https?:\/\/[^:]+:(\d+)/m,
    );
    this.#ports.set(documented, port);
    const [, sitePort] = running.stdout().match(/^ +site +http:\/\/127\.0\.0\.1:(\d+)/m) ?? [];
    if (sitePort !== undefined) this.#ports.set('8580', sitePort);
    const [, status] = running.stdout().match(/^ +status +http:\/\/[^:]+:(\d+)/m) ?? [];
    if (status !== undefined) this.#ports.set(flag('--admin-port') ?? '3129', status);
    this.#servers.push({ key, running, ports: [documented] });
    return running;
  }

  /** Serve a folder of the page as the plain web server that a line starts. */
  async serveFolder(folder: string, port: string): Promise<void> {
    const site = await serveSite(join(this.folder, folder));
    this.#sites.push(site);
    this.#ports.set(port, String(site.port));
  }

  async #stop(serving: Serving): Promise<void> {
    this.#servers.splice(this.#servers.indexOf(serving), 1);
    for (const port of serving.ports) this.#ports.delete(port);
    serving.running.interrupt();
    await serving.running.ended;
  }

  /** The real port of a documented one; starts the server that a page takes for granted there. */
  async #port(documented: string): Promise<string> {
    const known = this.#ports.get(documented);
    if (known !== undefined) return known;
    if (documented === '8500') await this.serve(['gatherer', 'serve']);
    else if (documented === '8501') await this.serve(['broker', 'serve']);
    else if (documented === '8502') await this.serve(['registry', 'serve']);
    else if (documented === '3128' || documented === '3129')
      await this.serve(['cache', 'serve', '--origin', this.#origin, '--admin-port', '3129']);
    else this.#ports.set(documented, new URL(this.#origin).port);
    return this.#ports.get(documented) ?? '';
  }

  /** Every address of a page, and every word that stands for something, as it really is here. The one place for it. */
  async real(text: string): Promise<string> {
    let real = text
      .replaceAll('https://www.example.org/soif', 'http://127.0.0.1:8500/soif')
      .replaceAll(/https?:\/\/(?:www|intranet|docs)\.example(?:\.org)?(?=[/' \n]|$)/g, this.#origin)
      .replaceAll(/https%3A%2F%2Fwww\.example\.org/g, encodeURIComponent(this.#origin))
      .replaceAll(
        /wss?:\/\/(?:www|other|library)\.example\.org(?::\d+)?(?:\/garner\/wire)?/g,
        'ws://localhost:8500',
      )
      .replaceAll(/wss?:\/\/search\.example\.org(?:\/garner\/wire)?/g, 'ws://127.0.0.1:8501')
      // Peers of a cache: nothing listens there.
      .replaceAll(
        /\b([a-z])[a-z]*\.example\.org(?=:3128:3130)/g,
        (_, letter: string) => `127.0.1.${letter.charCodeAt(0)}`,
      )
      .replaceAll(/(127\.0\.1\.\d+):3128:3130/g, '$1:9:9')
      .replaceAll('/etc/garner/', `${this.folder}/`)
      .replaceAll(/(?<![$\w-])TOKEN\b/g, token)
      .replaceAll(/host(:?) 0\.0\.0\.0/g, 'host$1 127.0.0.1');
    if (real.startsWith('garner registry serve '))
      for (const [, port = ''] of real.matchAll(/--allow-hosts 127\.0\.0\.1:(\d+)/g)) {
        if (this.#isReal(port) || this.#ports.has(port)) continue;
        this.#ports.set(port, String(await freePort()));
        this.#reserved.add(port);
      }
    for (const [whole = '', port = ''] of real.matchAll(/(?:127\.0\.0\.1|localhost)(?::|%3A| )(\d{2,5})\b/g))
      if (!this.#isReal(port)) real = real.replaceAll(whole, whole.replace(port, await this.#port(port)));
    if (/soif\?since=[\w-]+\.\d/.test(real))
      real = real.replace(/since=[\w-]+\.\d+/, `since=${await this.#place()}`);
    // What a scheme takes is known of a source that the Broker collects from.
    const [, measured] = real.match(/awareness explain (ws:\S+)/) ?? [];
    if (measured !== undefined) this.env.GARNER_BROKER_COLLECT = measured;
    if (/\b(?:OID|[\w-]{43})(?![\w-])/.test(real) && !/push:/.test(real))
      real = real.replaceAll(/\b(?:OID|[\w-]{43})(?![\w-])/g, await this.#oid());
    return real;
  }

  #isReal(port: string): boolean {
    return port === new URL(this.#origin).port || [...this.#ports.values()].includes(port);
  }

  /** The id of a document that the page's Broker holds. */
  async #oid(): Promise<string> {
    const { stdout } = await this.run(['broker', 'search', 'port', '--json']);
    return (JSON.parse(stdout) as { readonly hits: readonly { readonly oid: string }[] }).hits[0]?.oid ?? '';
  }

  /** A place in the log of the page's Gatherer. */
  async #place(): Promise<string> {
    const { headers } = await fetch(`http://127.0.0.1:${await this.#port('8500')}/soif`);
    return placeIn(headers.get('etag') ?? '');
  }

  /** Run one command of garner to its end. */
  run(argv: readonly string[]) {
    return runGarner(argv, { cwd: this.folder, env: this.env });
  }

  /** What a page would show for what was printed here. */
  documented(text: string): string {
    let shown = text
      .replaceAll(this.#origin, 'https://www.example.org')
      .replaceAll(this.folder, '/home/you')
      .replaceAll(root, '/home/you/garner');
    shown = shown.replaceAll(new RegExp(`\\b${hostname()}-[\\w-]{6}`, 'g'), 'host-3f9a2c');
    for (const [documented, real] of this.#ports) shown = shown.replaceAll(`:${real}`, `:${documented}`);
    return shown;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    for (const serving of [...this.#servers]) await this.#stop(serving);
    for (const site of this.#sites) await site[Symbol.asyncDispose]();
    await rm(this.folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

/** The place in a Gatherer's log that an ETag of its stream names: an epoch in base64url, and a number. */
export const placeIn = (etag: string): string => etag.match(/[\w-]+\.\d+/)?.[0] ?? '';

/** A UDP port that was free a moment ago. */
async function freeUdpPort(): Promise<number> {
  const socket = createSocket('udp4');
  await new Promise<void>((resolve) => socket.bind(0, '127.0.0.1', resolve));
  const { port } = socket.address();
  await new Promise<void>((resolve) => socket.close(resolve));
  return port;
}
