import { mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { SearchAnswer } from '../../broker/index.ts';
import { seededRandom } from '../../kernel/index.ts';
import type { BrokerSays } from '../chain/job.ts';
import { Server } from '../harness/child.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { formatNumber } from '../harness/report.ts';
import { type Figure, Results } from '../harness/results.ts';
import {
  documentationPackages,
  documentationPages,
  installedDocumentation,
  readDocumentation,
} from '../material/documentation.ts';
import { fillStore, summaryOf } from '../material/filled-broker.ts';
import { openBrokerOf } from '../material/opened-broker.ts';
import { titleQueries, twoWordQueries } from '../material/title-queries.ts';
import { askWithWrk, keepOnServerCore, wrkAbsent, wrkProgram } from '../programs/wrk.ts';

const repeated = 'The same 200 queries repeatedly, over 16 persistent connections';
const distinct = 'Distinct queries of two words, over 16 persistent connections';

/** The figures of `http`. */
const httpFigures = {
  repeatedRate: { section: repeated, what: 'queries a second', unit: 'queries/s', goal: { atLeast: 5000 } },
  repeatedCpu: { section: repeated, what: 'CPU of the server for a query', unit: 'ms' },
  repeated50: { section: repeated, what: 'time of an answer, p50', unit: 'ms' },
  repeated95: { section: repeated, what: 'time of an answer, p95', unit: 'ms' },
  repeatedBytes: { section: repeated, what: 'bytes of an answer, headers included', unit: 'B' },
  distinctRate: { section: distinct, what: 'queries a second', unit: 'queries/s', goal: { atLeast: 1500 } },
  distinctCpu: { section: distinct, what: 'CPU of the server for a query', unit: 'ms' },
  distinct50: { section: distinct, what: 'time of an answer, p50', unit: 'ms' },
  distinct95: { section: distinct, what: 'time of an answer, p95', unit: 'ms' },
  distinctBytes: { section: distinct, what: 'bytes of an answer, headers included', unit: 'B' },
} as const satisfies Record<string, Figure>;

type HttpFigure = keyof typeof httpFigures;

const seed = 1995;
const repeatedQueries = 200;
/** Seconds of queries, and distinct queries for each second, more than a Broker answers. */
const whole = { seconds: 10, distinct: 50_000 };
const quick = { seconds: 2, distinct: 10_000 };

const pathOf = (q: string) => `/search?q=${encodeURIComponent(q)}&limit=10`;

async function* summaries(file: string) {
  for await (const page of documentationPages(file)) yield summaryOf(page);
}

/** Fill a Broker's data folder until every page is searchable and no merge is left; resolves to the titles. */
async function fillBroker(data: string, file: string): Promise<readonly string[]> {
  await using opened = await openBrokerOf(data, { create: true });
  const { broker, engine } = opened;
  const { store } = broker.folder;
  await fillStore(store, summaries(file));
  await broker.indexer.reached(store.lsn);
  await engine.settled();
  const titles: string[] = [];
  for await (const { title } of documentationPages(file)) titles.push(title);
  return titles;
}

async function measure(data: string, titles: readonly string[], folder: string, options: RunOptions) {
  const results = new Results(httpFigures);
  const { seconds, distinct } = options.quick ? quick : whole;
  const random = seededRandom(seed);
  const again = titleQueries(titles, repeatedQueries, random).map((words) => pathOf(words.join(' ')));
  const count = distinct * (options.rounds + 1);
  const once = twoWordQueries(titles, count, random).map(pathOf);
  await using broker = await Server.start<BrokerSays>(
    ['broker', 'serve', '--data', data, '--port', '0'],
    folder,
  );
  keepOnServerCore(broker.pid);
  const first = await fetch(new URL(again[0] as string, broker.said.search));
  if (((await first.json()) as SearchAnswer).rebuilding !== null)
    throw new Error('the Broker did not find a compatible index');
  const ask = async (paths: readonly string[], kind: 'repeated' | 'distinct', counts: boolean) => {
    const before = broker.cpuSeconds;
    const counted = await askWithWrk(broker.said.search, paths, { seconds, folder });
    if (!counts) return;
    const cpu = broker.cpuSeconds - before;
    const { requests, bytes } = counted;
    if (kind === 'distinct' && requests > paths.length)
      throw new Error(`${requests} queries were sent, but only ${paths.length} are distinct`);
    const add = (figure: 'Rate' | 'Cpu' | '50' | '95' | 'Bytes', value: number) =>
      results.add(`${kind}${figure}` satisfies HttpFigure, value);
    add('Rate', requests / counted.seconds);
    add('Cpu', (1000 * cpu) / requests);
    add('50', counted.p50);
    add('95', counted.p95);
    add('Bytes', bytes / requests);
  };
  const slice = (round: number) => once.slice(distinct * round, distinct * (round + 1));
  await ask(again, 'repeated', false);
  await ask(slice(options.rounds), 'distinct', false);
  await interleaved(
    [
      { name: 'repeated queries', run: () => ask(again, 'repeated', true) },
      { name: 'distinct queries', run: (round) => ask(slice(round), 'distinct', true) },
    ],
    options,
  );
  return results;
}

async function run(options: RunOptions): Promise<Measured> {
  const absent = wrkAbsent();
  if (absent !== undefined) {
    const results = new Results(httpFigures);
    results.skip(Object.keys(httpFigures) as HttpFigure[], absent);
    return { input: [], rows: [], skipped: results.skipped() };
  }
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-http-'));
  try {
    const { folders, absent: missing } = installedDocumentation();
    const wanted = options.quick ? [documentationPackages['postgresql-doc-15'] as string] : folders;
    options.onStep(`reading ${wanted.join(', ')}`);
    const { file, pages, textBytes } = await readDocumentation(wanted, join(folder, 'pages.jsonl'));
    options.onStep('filling the Broker');
    const data = join(folder, 'data');
    await mkdir(data);
    const titles = await fillBroker(join(data, 'broker'), file);
    await rm(file);
    const results = await measure(data, titles, folder, options);
    const input = [
      `Input: ${pages.toLocaleString('en-US')} pages of ${wanted.join(', ')}, ${formatNumber(textBytes / 1e6)} MB of text; \`garner broker serve\` on one core, wrk on another.`,
      ...(missing.length > 0 && !options.quick ? [`Not installed: ${missing.join(', ')}.`] : []),
    ];
    return { input, rows: results.rows(), skipped: results.skipped() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The queries a second that a Broker answers over HTTP on one core. */
export const httpJob: Benchmark = {
  name: 'http',
  describe: 'queries a second of a Broker over HTTP on one core, repeated and distinct (wrk)',
  peers: { wrk: [wrkProgram, '-v'] },
  run,
};
