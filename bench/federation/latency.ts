import { once } from 'node:events';
import { mkdir, writeFile } from 'node:fs/promises';
import { Agent, createServer, type Server as HttpServer, request as httpRequest } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { FederatedAnswer } from '../../broker/index.ts';
import { type Random, seededRandom } from '../../kernel/index.ts';
import { Server } from '../harness/child.ts';
import { packageFolder } from '../harness/machine.ts';
import type { Results } from '../harness/results.ts';
import type { FigureId } from './figures.ts';

const folders = ['demo/harbour', 'demo/observatory', 'demo/archive', 'docs', 'docs/how-to'] as const;
const words = [
  'tide',
  'mooring',
  'harbour',
  'storm',
  'broker',
  'registry',
  'install',
  'weather',
  'chart',
  'page',
];

const [minDelayMs, maxDelayMs] = [5, 80];
const deadlineMs = 1500;
const patienceMs = 60_000;

/** A Broker as one that is far away: each request waits, the same time for all requests of a query. */
class FarBroker implements AsyncDisposable {
  delayMs = minDelayMs;
  /** What its requests have taken since this was set. */
  tookMs = 0;
  requests = 0;
  target = '';
  readonly url: string;
  readonly #server: HttpServer;
  readonly #agent = new Agent({ keepAlive: true });

  private constructor(server: HttpServer) {
    this.#server = server;
    this.url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/`;
    server.on('request', async ({ url = '/', headers }, response) => {
      const started = performance.now();
      this.requests++;
      response.once('close', () => {
        this.tookMs += performance.now() - started;
      });
      if (this.target === '') return response.writeHead(503).end();
      await sleep(this.delayMs);
      const forward = httpRequest(new URL(url, this.target), { headers, agent: this.#agent }, (answer) => {
        response.writeHead(answer.statusCode ?? 502, answer.headers);
        answer.pipe(response);
      });
      forward.on('error', () => response.destroy());
      forward.end();
    });
  }

  static async open(): Promise<FarBroker> {
    const server = createServer().listen(0, '127.0.0.1');
    await once(server, 'listening');
    return new FarBroker(server);
  }

  /** Begin a query. */
  begin(random: Random): void {
    this.delayMs = minDelayMs + random.next() * (maxDelayMs - minDelayMs);
    this.tookMs = 0;
    this.requests = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    this.#agent.destroy();
    this.#server.closeAllConnections();
    await once(this.#server.close(), 'close');
  }
}

const p95 = (samples: readonly number[]) =>
  [...samples].sort((a, b) => a - b)[Math.ceil(samples.length * 0.95) - 1] ?? Number.NaN;

/** The time of federated queries beside that of their slowest Broker, and with a Broker that is stopped. */
export async function measureLatency(
  folder: string,
  results: Results<FigureId>,
  {
    quick,
    signal,
    onStep,
  }: { readonly quick: boolean; readonly signal: AbortSignal; onStep(text: string): void },
): Promise<void> {
  const queries = quick ? 50 : 1000;
  const random = seededRandom(1);
  const open: AsyncDisposable[] = [];
  try {
    const far: FarBroker[] = [];
    for (const _ of folders) {
      const broker = await FarBroker.open();
      far.push(broker);
      open.push(broker);
    }
    const hosts = far.flatMap(({ url }) => ['--allow-hosts', new URL(url).host]);
    const registry = await Server.start<{ readonly registry: string }>(
      ['registry', 'serve', '--port', '0', '--data', join(folder, 'registry'), ...hosts],
      folder,
    );
    open.push(registry);
    const at = registry.said.registry;
    const servers: Server<{ readonly search: string }>[] = [];
    for (const [n, site] of folders.entries()) {
      const own = join(folder, `far-${n}`);
      await mkdir(own);
      const settings = { 'server.public-url': far[n]?.url, 'server.registry': [at], 'broker.name': site };
      await writeFile(join(own, 'garner.yaml'), JSON.stringify(settings));
      const args = ['up', join(packageFolder(), site), '--port', '0', '--site-port', '0'];
      const server = await Server.start<{ readonly search: string }>(args, own);
      open.unshift(server);
      servers.push(server);
      (far[n] as FarBroker).target = server.said.search;
    }
    const ask = async (word: string): Promise<readonly [answer: FederatedAnswer, ms: number]> => {
      const started = performance.now();
      const query = `q=${word}&brokers=${far.length}&deadline=${deadlineMs / 1000}`;
      const response = await fetch(`${at}federated?${query}`, { signal });
      const answer = (await response.json()) as FederatedAnswer;
      return [answer, performance.now() - started];
    };
    const until = performance.now() + patienceMs;
    while ((await ask('tide'))[0].coverage?.answered !== far.length)
      if (performance.now() > until) throw new Error('the Brokers do not all answer');
    const [ours, slowest, trips]: [number[], number[], number[]] = [[], [], []];
    for (let query = 0; query < queries; query++) {
      if (query % 100 === 0) onStep(`federated queries, ${query} of ${queries}`);
      for (const broker of far) broker.begin(random);
      const [answer, ms] = await ask(words[query % words.length] as string);
      if (answer.coverage.answered !== far.length) throw new Error('a Broker did not answer in time');
      ours.push(ms);
      slowest.push(Math.max(...far.map(({ tookMs }) => tookMs)));
      trips.push(Math.max(...far.map(({ requests }) => requests)));
    }
    results.add('query p95', p95(ours));
    results.add('slowest p95', p95(slowest));
    results.add('query over', p95(ours) - p95(slowest));
    results.add('query trips', trips.reduce((sum, one) => sum + one, 0) / trips.length);
    onStep('a stopped Broker');
    const stopped = (servers[0] as Server<unknown>).pid;
    process.kill(stopped, 'SIGSTOP');
    try {
      for (let query = 0; query < (quick ? 3 : 20); query++) {
        const [answer, ms] = await ask(words[query % words.length] as string);
        const failed = answer.brokers.filter(({ error }) => error !== null && error !== undefined);
        if (failed.length !== 1) throw new Error('the stopped Broker is not the one that is named');
        results.add('stopped over', ms - deadlineMs);
      }
    } finally {
      process.kill(stopped, 'SIGCONT');
    }
  } finally {
    for (const one of open) await one[Symbol.asyncDispose]();
  }
}
