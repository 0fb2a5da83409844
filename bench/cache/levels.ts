import { once } from 'node:events';
import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { Agent, createServer, get, type Server as HttpServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Server } from '../harness/child.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { type Figure, Results } from '../harness/results.ts';

const sections = {
  hits: 'A hit of 1 KiB, one connection, through caches where each is the parent of the next',
  crowd: 'A thousand concurrent requests of ten children for an object that no cache has',
  death: 'A parent that dies',
};

/** The figures of `cache-levels`. */
const levelFigures = {
  level0: { section: sections.hits, what: 'in the requested cache, p50', unit: 'ms' },
  level1: { section: sections.hits, what: 'in its parent, p50', unit: 'ms' },
  level2: { section: sections.hits, what: "in its parent's parent, p50", unit: 'ms' },
  added: { section: sections.hits, what: 'added per level, p50', unit: 'ms', goal: { below: 1 } },
  origin: { section: sections.crowd, what: 'requests to the origin', unit: 'times', goal: { atMost: 1 } },
  crowd: { section: sections.crowd, what: 'until the last answer', unit: 'ms' },
  alive: { section: sections.death, what: 'a miss while it runs, p50', unit: 'ms' },
  first: { section: sections.death, what: 'the first miss after it has died', unit: 'ms' },
  later: { section: sections.death, what: 'the slowest of the next hundred', unit: 'ms' },
} as const satisfies Record<string, Figure>;

type LevelFigure = keyof typeof levelFigures;

const content = Buffer.alloc(1024, 'x');
const children = 10;
const crowd = 1000;
const afterDeath = 100;

/** The fields of the ready line of `garner cache serve --json` that are used here. */
interface CacheSays {
  readonly cache: string;
  readonly icp: string;
}
type Cache = Server<CacheSays>;

/** An origin whose objects are fresh for an hour; counts its requests. */
async function openOrigin(): Promise<{
  readonly server: HttpServer;
  readonly url: string;
  requests: number;
}> {
  const server = createServer((_request, response) => {
    origin.requests++;
    response.writeHead(200, { 'Cache-Control': 'max-age=3600', 'Content-Length': content.length });
    response.end(content);
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const origin = { server, url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`, requests: 0 };
  return origin;
}

/** Sends requests to proxies over persistent connections. */
class Client {
  readonly #agent = new Agent({ keepAlive: true });

  get(proxy: Cache, url: string): Promise<number> {
    const { hostname, port } = new URL(proxy.said.cache);
    const started = performance.now();
    return new Promise((resolve, reject) => {
      const options = {
        host: hostname,
        port,
        path: url,
        agent: this.#agent,
        headers: { Host: new URL(url).host },
      };
      get(options, (response) => {
        if (response.statusCode !== 200) reject(new Error(`${url}: ${response.statusCode}`));
        response.resume().once('end', () => resolve(performance.now() - started));
      }).once('error', reject);
    });
  }

  [Symbol.dispose](): void {
    this.#agent.destroy();
  }
}

const median = (values: readonly number[]) =>
  values.toSorted((a, b) => a - b)[values.length >> 1] ?? Number.NaN;

/** Starts caches, each with the given cache as its parent. */
class Caches implements AsyncDisposable {
  readonly #folder: string;
  readonly #origin: string;
  readonly #open: Cache[] = [];

  constructor(folder: string, origin: string) {
    this.#folder = folder;
    this.#origin = origin;
  }

  async start(parent?: Cache): Promise<Cache> {
    const name = `cache-${this.#open.length}`;
    const folder = join(this.#folder, name);
    await mkdir(folder);
    const place = parent && `${new URL(parent.said.cache).host}:${parent.said.icp.split(':').at(-1)}`;
    const cache = await Server.start<CacheSays>(
      [
        ...['cache', 'serve', '--proxy', '--port', '0', '--icp-port', '0', '--data', folder, '--name', name],
        ...['--allow-hosts', this.#origin, ...(place === undefined ? [] : ['--parent', place])],
      ],
      folder,
    );
    this.#open.push(cache);
    return cache;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await Promise.all(this.#open.map((cache) => cache[Symbol.asyncDispose]()));
  }
}

async function measure(folder: string, options: RunOptions): Promise<Results<LevelFigure>> {
  const results = new Results(levelFigures);
  const origin = await openOrigin();
  try {
    await using caches = new Caches(folder, origin.url);
    using client = new Client();
    const top = await caches.start();
    const middle = await caches.start(top);
    const bottom = await caches.start(middle);
    const leaves = [bottom];
    while (leaves.length < children) leaves.push(await caches.start(middle));
    const times = options.quick ? 100 : 1000;
    const hits = async (round: number) => {
      const took: number[][] = [[], [], []];
      for (let n = 0; n < times; n++) {
        // The levels alternate, so that a disturbance of the machine affects all alike.
        for (const [level, holder] of [bottom, middle, top].entries()) {
          const url = `${origin.url}/${round}/${level}/${n}`;
          await client.get(holder, url);
          took[level]?.push(await client.get(bottom, url));
        }
      }
      const [own = 0, one = 0, two = 0] = took.map(median);
      results.add('level0', own);
      results.add('level1', one);
      results.add('level2', two);
      results.add('added', (two - own) / 2);
    };
    const many = async (round: number) => {
      const [before, started] = [origin.requests, performance.now()];
      const url = `${origin.url}/${round}/popular`;
      const answers = Array.from({ length: crowd }, (_, n) =>
        client.get(leaves[n % children] ?? bottom, url),
      );
      await Promise.all(answers);
      results.add('crowd', performance.now() - started);
      results.add('origin', origin.requests - before);
    };
    const death = async (round: number) => {
      const parent = await caches.start();
      const child = await caches.start(parent);
      const ask = (n: number) => client.get(child, `${origin.url}/${round}/death/${n}`);
      const alive: number[] = [];
      for (let n = 0; n < afterDeath; n++) alive.push(await ask(n));
      results.add('alive', median(alive));
      await parent[Symbol.asyncDispose]();
      results.add('first', await ask(afterDeath));
      const later: number[] = [];
      for (let n = 1; n <= afterDeath; n++) later.push(await ask(afterDeath + n));
      results.add('later', Math.max(...later));
    };
    await interleaved(
      [
        { name: 'hits at three levels', run: hits },
        { name: 'a thousand at once', run: many },
        { name: 'a parent that dies', run: death },
      ],
      options,
    );
    return results;
  } finally {
    origin.server.closeAllConnections();
    origin.server.close();
  }
}

async function run(options: RunOptions): Promise<Measured> {
  // Every child adds a listener for the end of this process.
  process.setMaxListeners(children + 20);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-levels-'));
  try {
    const results = await measure(folder, options);
    const input = [
      'Input: each `garner cache serve --proxy` is a separate process that queries its parent by ICP; the origin and the client share one more process; all on this machine.',
    ];
    return { input, rows: results.rows(), skipped: results.skipped() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

export const levelsOfCachesJob: Benchmark = {
  name: 'cache-levels',
  describe: 'a hierarchy of caches: time added per level, a thousand requests at once, a parent that dies',
  peers: {},
  run,
};
