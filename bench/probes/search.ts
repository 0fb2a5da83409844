import { readFile } from 'node:fs/promises';
import { parseQuery } from '../../query/index.ts';
import { openBrokerOf } from '../material/opened-broker.ts';
import type { Query, QuerySet } from '../material/queries.ts';

/** Milliseconds of each query, and the number of phrases that found the object they were taken from. */
export interface SearchMeasured {
  readonly words: readonly number[];
  readonly phrases: readonly number[];
  readonly found: number;
}

/** Query the engine directly, without HTTP and snippets; the first set of the file only warms up. */
export async function probeSearch([data = '', file = '']: readonly string[]): Promise<SearchMeasured> {
  const sets = JSON.parse(await readFile(file, 'utf8')) as readonly QuerySet[];
  await using opened = await openBrokerOf(data);
  const { engine } = opened;
  const ask = async (queries: readonly Query[]) => {
    const times: number[] = [];
    for (const { q } of queries) {
      const started = performance.now();
      await engine.search({ query: parseQuery(q).query, limit: 10, offset: 0 });
      times.push(performance.now() - started);
    }
    return times;
  };
  let [words, phrases, found]: [number[], number[], number] = [[], [], 0];
  for (const set of sets) [words, phrases] = [await ask(set.words), await ask(set.phrases)];
  for (const { q, oid } of sets.at(-1)?.phrases ?? []) {
    const { hits } = await engine.search({ query: parseQuery(q).query, limit: engine.count, offset: 0 });
    if (hits.some((hit) => hit.oid === oid)) found++;
  }
  return { words, phrases, found };
}

/** The time from a closed data folder to a first answer. */
export interface OpenMeasured {
  readonly ms: number;
  /** Of all threads. */
  readonly cpuMs: number;
}

/** Open a Broker's data folder and run one query; all modules are loaded before the measurement. */
export async function probeOpen([data = '', q = '']: readonly string[]): Promise<OpenMeasured> {
  const before = process.cpuUsage();
  const started = performance.now();
  await using opened = await openBrokerOf(data);
  const { total } = await opened.broker.queries.search({ q, limit: 10, offset: 0, sources: [], types: [] });
  const ms = performance.now() - started;
  const { user, system } = process.cpuUsage(before);
  if (total === 0) throw new Error(`nothing was found for ${q}`);
  return { ms, cpuMs: (user + system) / 1000 };
}
