import { cp, rm, writeFile } from 'node:fs/promises';
import { Agent, get } from 'node:http';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { bareNodeSeconds, runProbe, Server } from '../harness/child.ts';
import { interleaved } from '../harness/harness.ts';
import { quantile } from '../harness/statistics.ts';
import type { Query, QuerySet } from '../material/queries.ts';
import type { IndexMeasured } from '../probes/index.ts';
import type { OpenMeasured, SearchMeasured } from '../probes/search.ts';
import type { BrokerSays, GathererSays, Job } from './job.ts';
import type { MainFigure } from './main-figures.ts';

interface BrokerStatus {
  readonly objects: number;
  readonly lsn: number;
  readonly engine: { readonly lsn: number; readonly objects: number };
}

const pollMs = 50;
const patienceMs = 120_000;

/** GET over one persistent connection; the body as text. */
function getText(agent: Agent, url: string): Promise<string> {
  return new Promise((resolve, reject) => {
    get(url, { agent }, (response) => {
      response.setEncoding('utf8');
      let body = '';
      response.on('data', (text: string) => {
        body += text;
      });
      response.on('error', reject);
      response.on('end', () => {
        if (response.statusCode === 200) resolve(body);
        else reject(new Error(`${url} was answered with ${response.statusCode}: ${body.slice(0, 200)}`));
      });
    }).on('error', reject);
  });
}

const keptConnection = () => new Agent({ keepAlive: true, maxSockets: 1 });

const searchUrl = (search: string, q: string) => `${search}search?q=${encodeURIComponent(q)}&limit=10`;

async function untilSearchable(broker: Server<BrokerSays>, objects: number): Promise<void> {
  const agent = keptConnection();
  const started = performance.now();
  for (;;) {
    const status = JSON.parse(await getText(agent, `${broker.said.search}status`)) as BrokerStatus;
    if (status.engine.objects === objects && status.engine.lsn === status.lsn) break;
    if (performance.now() - started > patienceMs)
      throw new Error(`the Broker made ${status.engine.objects} of ${objects} objects searchable`);
    await sleep(pollMs);
  }
  agent.destroy();
}

const serveArgs = (data: string) => ['broker', 'serve', '--data', data, '--port', '0'];

/** Collect and index with a new Broker in each round, and index alone; leaves data whose index needs no merge. */
export async function indexStage(job: Job, gatherer: Server<GathererSays>): Promise<string> {
  const { folder, site, results } = job;
  const data = join(folder, 'collected');
  const settled = join(folder, 'indexed');
  const alone = join(settled, 'broker');
  const collectAndIndex = async () => {
    await rm(data, { recursive: true, force: true });
    const started = performance.now();
    const args = [...serveArgs(data), '--collect', gatherer.said.collect];
    await using broker = await Server.start<BrokerSays>(args, folder);
    await untilSearchable(broker, site.pages.length);
    results.add('brokerSeconds', (performance.now() - started) / 1000);
    results.add('brokerPeak', broker.memory.peak / 2 ** 20);
  };
  const indexAlone = async () => {
    await rm(alone, { recursive: true, force: true });
    await cp(join(data, 'broker'), alone, { recursive: true });
    const measured = await runProbe<IndexMeasured>('index', [alone], folder);
    results.add('indexSeconds', measured.seconds);
    results.add('indexCpu', measured.cpuSeconds);
    results.add('indexBytes', measured.indexBytes / 1e6);
    results.add('indexPart', (100 * measured.indexBytes) / measured.textBytes);
  };
  // The second case uses the data of the first, so their order is fixed.
  const both = async () => {
    await collectAndIndex();
    await indexAlone();
  };
  await interleaved([{ name: 'collecting, indexing, indexing alone', run: both }], job);
  return settled;
}

/** Queries over HTTP to a serving Broker, and to the engine in its own process; a new set in each round. */
export async function queryStage(job: Job, data: string, sets: readonly QuerySet[]): Promise<void> {
  const { folder, results } = job;
  const copy = join(folder, 'searched');
  await cp(join(data, 'broker'), copy, { recursive: true });
  await using broker = await Server.start<BrokerSays>(serveArgs(data), folder);
  const agent = keptConnection();
  const timesOf = async (queries: readonly Query[]) => {
    const times: number[] = [];
    for (const { q } of queries) {
      const started = performance.now();
      await getText(agent, searchUrl(broker.said.search, q));
      times.push(performance.now() - started);
    }
    return times;
  };
  const note = (times: readonly number[], p50: MainFigure, p95: MainFigure) => {
    results.add(p50, quantile(times, 0.5));
    results.add(p95, quantile(times, 0.95));
  };
  const [warming, ...measured] = sets;
  if (warming === undefined) throw new TypeError('there are no queries');
  for (const queries of [warming.words, warming.phrases]) await timesOf(queries);
  const overHttp = async (round: number) => {
    const { words, phrases } = measured[round] as QuerySet;
    note(await timesOf(words), 'wordsHttp50', 'wordsHttp95');
    note(await timesOf(phrases), 'phraseHttp50', 'phraseHttp95');
  };
  const engineAlone = async (round: number) => {
    const file = join(folder, 'queries.json');
    await writeFile(file, JSON.stringify([warming, measured[round]]));
    const { words, phrases, found } = await runProbe<SearchMeasured>('search', [copy, file], folder);
    note(words, 'wordsEngine50', 'wordsEngine95');
    note(phrases, 'phraseEngine50', 'phraseEngine95');
    results.add('phraseFound', (100 * found) / phrases.length);
  };
  await interleaved(
    [
      { name: 'queries over HTTP', run: overHttp },
      { name: 'queries to the engine', run: engineAlone },
    ],
    job,
  );
  results.add('brokerMemory', broker.memory.now / 2 ** 20);
  agent.destroy();
}

/** Measure the time until a Broker that holds the site gives its first answer. */
export async function startStage(job: Job, data: string, q: string): Promise<void> {
  const { folder, results } = job;
  const cold = async () => {
    const agent = keptConnection();
    const started = performance.now();
    await using broker = await Server.start<BrokerSays>(serveArgs(data), folder);
    const { total } = JSON.parse(await getText(agent, searchUrl(broker.said.search, q))) as { total: number };
    results.add('coldMs', performance.now() - started);
    if (total === 0) throw new Error(`nothing was found for ${q}`);
    agent.destroy();
  };
  const opened = async () => {
    const { ms, cpuMs } = await runProbe<OpenMeasured>('open', [join(data, 'broker'), q], folder);
    results.add('openMs', ms);
    results.add('openCpu', cpuMs);
  };
  await interleaved(
    [
      { name: 'cold start', run: cold },
      { name: 'opening in process', run: opened },
      { name: 'bare Node', run: async () => results.add('bareMs', (await bareNodeSeconds(folder)) * 1000) },
    ],
    job,
  );
}
