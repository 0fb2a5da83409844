import { readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import MiniSearch, { type Options } from 'minisearch';
import { termOf } from '../../query/index.ts';
import { documentationPages } from '../material/documentation.ts';
import type { Built, QueryTimes, Reopened, Updated, Way } from './figures.ts';

interface Page {
  readonly id: number;
  readonly title: string;
  readonly text: string;
}

const options: Options<Page> = {
  fields: ['title', 'text'],
  processTerm: (word) => termOf(word.toLowerCase()),
};

const fileIn = (folder: string) => join(folder, 'minisearch.json');

async function loaded(folder: string): Promise<MiniSearch<Page>> {
  return MiniSearch.loadJSON<Page>(await readFile(fileIn(folder), 'utf8'), options);
}

/** Index every page in memory, as minisearch does, and write the index as JSON. */
export async function buildMinisearch(folder: string, file: string): Promise<Built> {
  const before = process.cpuUsage();
  const started = performance.now();
  const index = new MiniSearch<Page>(options);
  let id = 0;
  for await (const { title, text } of documentationPages(file)) index.add({ id: id++, title, text });
  await writeFile(fileIn(folder), JSON.stringify(index));
  const seconds = (performance.now() - started) / 1000;
  const { user, system } = process.cpuUsage(before);
  return {
    ...{ seconds, cpuSeconds: (user + system) / 1e6 },
    peakBytes: process.resourceUsage().maxRSS * 1024,
  };
}

const answer = (index: MiniSearch<Page>, words: readonly string[], way: Way) =>
  index.search(words.join(' '), { combineWith: way === 'or' ? 'OR' : 'AND' }).slice(0, 10);

/** Milliseconds of each query; all queries run once before to warm up. minisearch has no phrases. */
export async function askMinisearch(folder: string, queryFile: string): Promise<QueryTimes> {
  const queries = JSON.parse(await readFile(queryFile, 'utf8')) as Record<Way, readonly string[][]>;
  const index = await loaded(folder);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < 2; round++) {
    for (const way of ['or', 'and'] as const) {
      times[way] = queries[way].map((words) => {
        const started = performance.now();
        answer(index, words, way);
        return performance.now() - started;
      });
    }
  }
  return times;
}

/** Replace some documents in memory; nothing is written. */
export async function updateMinisearch(folder: string, file: string, changes: string): Promise<Updated> {
  const wanted = new Set(JSON.parse(await readFile(changes, 'utf8')) as readonly number[]);
  const index = await loaded(folder);
  const times: number[] = [];
  let id = 0;
  for await (const { title, text } of documentationPages(file)) {
    const own = id++;
    if (!wanted.has(own)) continue;
    const started = performance.now();
    index.discard(own);
    index.add({ id: own, title, text: `${text} changed` });
    times.push(performance.now() - started);
  }
  return { times };
}

export async function reopenMinisearch(folder: string, word: string): Promise<Reopened> {
  const started = performance.now();
  answer(await loaded(folder), [word], 'or');
  return { ms: performance.now() - started };
}
