import { readFileSync } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as sleep, setImmediate as turn } from 'node:timers/promises';
import { seededRandom } from '../../kernel/index.ts';
import { searchedValues } from '../../query/index.ts';
import { openDatabase } from '../../store/index.ts';
import { timesOf } from '../index/engine.ts';
import { type DocumentationPage, documentationPages } from '../material/documentation.ts';
import { fillStore, putOf, summaryOf } from '../material/filled-broker.ts';
import { bytesBelow, openBrokerOf } from '../material/opened-broker.ts';
import { titleQueries } from '../material/title-queries.ts';
import type { Filled, Served } from './figures.ts';
import { arrivalTimes, openLoop, type Stopwatch } from './open-loop.ts';
import { Synthesiser } from './synthesiser.ts';

const lookMs = 50;

/** Resident bytes that are not mapped from a file: pages of mapped files can be dropped at any time. */
function ownBytes(): number {
  const kib = /^RssAnon:\s+(\d+) kB/m.exec(readFileSync('/proc/self/status', 'utf8'))?.[1];
  if (kib === undefined) throw new TypeError('/proc/self/status has no RssAnon');
  return Number(kib) * 1024;
}

/** Sample this process's own memory; the returned function stops the sampling and returns the peak. */
function watchOwnMemory(): () => number {
  let max = ownBytes();
  const look = setInterval(() => {
    max = Math.max(max, ownBytes());
  }, lookMs);
  return () => {
    clearInterval(look);
    return Math.max(max, ownBytes());
  };
}

const seed = 1994;
const queriesPerSecond = 100;
const objectsPerSecond = 500;
/** Objects arrive in batches, as in a round. */
const arrivingBatch = 50;

const watch: Stopwatch = {
  now: () => performance.now(),
  sleep: async (ms) => {
    await sleep(ms);
  },
  turn: async () => {
    await turn();
  },
};

async function realPages(file: string): Promise<DocumentationPage[]> {
  const pages: DocumentationPage[] = [];
  for await (const page of documentationPages(file)) pages.push(page);
  return pages;
}

/** Fill a new Broker with `count` made-up objects and wait until all are searchable and no merge is left. */
export async function probeMillionFill([
  data = '',
  file = '',
  objects = '',
]: readonly string[]): Promise<Filled> {
  const count = Number(objects);
  const synthesiser = new Synthesiser(await realPages(file), seededRandom(seed));
  let textBytes = 0;
  const made = function* () {
    for (let number = 0; number < count; number++) {
      const summary = summaryOf(synthesiser.page(number));
      for (const { value } of searchedValues(summary, undefined)) textBytes += Buffer.byteLength(value);
      yield summary;
    }
  };
  const before = process.cpuUsage();
  const started = performance.now();
  let seconds = 0;
  const own = watchOwnMemory();
  {
    await using opened = await openBrokerOf(data, { create: true });
    const { broker, engine } = opened;
    const { store } = broker.folder;
    let reported = 0;
    await fillStore(store, made(), async (stored) => {
      if (stored - reported < count / 10) return;
      reported = stored;
      process.stderr.write(`    ${stored} stored, ${broker.indexer.lsn} searchable\n`);
    });
    await broker.indexer.reached(store.lsn);
    seconds = (performance.now() - started) / 1000;
    await engine.settled();
    if (engine.count !== count) throw new Error(`indexed ${engine.count} of ${count}`);
  }
  const { user, system } = process.cpuUsage(before);
  // Opening LevelDB again moves the last writes from its log to its compressed files.
  for (const name of ['store', 'index']) await (await openDatabase(join(data, name)))[Symbol.asyncDispose]();
  return {
    ...{ objects: count, seconds, cpuSeconds: (user + system) / 1e6, textBytes },
    ...{
      fillOwnBytes: own(),
      fillPeakBytes: process.resourceUsage().maxRSS * 1024,
      coinedWords: synthesiser.coined,
    },
    storeBytes: await bytesBelow(join(data, 'store')),
    indexBytes: await bytesBelow(join(data, 'index')),
  };
}

/** Answer queries at random times, first while nothing changes, then while objects arrive, half of them new. */
export async function probeMillionServe([
  data = '',
  file = '',
  objects = '',
  time = '',
]: readonly string[]): Promise<Served> {
  const [count, seconds] = [Number(objects), Number(time)];
  const random = seededRandom(seed + count);
  const { queries, arriving } = JSON.parse(await readFile(file, 'utf8')) as MillionLoad;
  const started = performance.now();
  await using opened = await openBrokerOf(data);
  const { broker } = opened;
  const { store } = broker.folder;
  const ask = (index: number) =>
    broker.answers.search({
      q: queries[index % queries.length] as string,
      ...{ limit: 10, offset: 0, sources: [], types: [] },
    });
  await ask(0);
  const openMs = performance.now() - started;
  const own = watchOwnMemory();
  for (let index = 0; index < queriesPerSecond; index++) await ask(index);
  const load = () =>
    openLoop(
      arrivalTimes(queriesPerSecond, seconds, random),
      (index) => ask(index + queriesPerSecond),
      watch,
    );
  const quiet = await load();
  const operations = arriving.slice(0, objectsPerSecond * seconds).map((page) => putOf(summaryOf(page)));
  const batches = Math.floor(operations.length / arrivingBatch);
  const every = (1000 * arrivingBatch) / objectsPerSecond;
  const from = performance.now();
  const [busy] = await Promise.all([
    load(),
    openLoop(
      Array.from({ length: batches }, (_, batch) => batch * every),
      (batch) => store.apply(operations.slice(batch * arrivingBatch, (batch + 1) * arrivingBatch)),
      watch,
    ),
  ]);
  const arrived = (1000 * batches * arrivingBatch) / (performance.now() - from);
  const ended = performance.now();
  await broker.indexer.reached(store.lsn);
  const behindMs = performance.now() - ended;
  const [serveOwnBytes, servePeakBytes] = [own(), process.resourceUsage().maxRSS * 1024];
  return {
    openMs,
    serveOwnBytes,
    servePeakBytes,
    quiet: timesOf(quiet),
    busy: timesOf(busy),
    arrived,
    behindMs,
  };
}

/** The queries and the arriving objects of a Broker under load. */
export interface MillionLoad {
  readonly queries: readonly string[];
  readonly arriving: readonly DocumentationPage[];
}

/** Distinct queries of titles, and objects of which every second one replaces one of `count`. */
export function millionLoad(
  pages: readonly DocumentationPage[],
  count: number,
  seconds: number,
): MillionLoad {
  const random = seededRandom(seed + 1);
  const titles = pages.map(({ title }) => title);
  const queries = titleQueries(titles, 2 * queriesPerSecond * seconds, random).map((words) =>
    words.join(' '),
  );
  const synthesiser = new Synthesiser(pages, random);
  const arriving = Array.from({ length: objectsPerSecond * seconds }, (_, at) =>
    synthesiser.page(at % 2 === 0 ? count + at : Math.floor(random.next() * count)),
  );
  return { queries, arriving };
}
