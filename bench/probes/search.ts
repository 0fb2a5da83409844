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
