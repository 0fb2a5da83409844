import { readFile } from 'node:fs/promises';
import { type GlimpseEngine, type GlimpseSize, glimpseEngine, glimpseSizes } from '../../broker/index.ts';
import { systemClock, systemRandom } from '../../kernel/index.ts';
import { parseQuery } from '../../query/index.ts';
import type { Oid, SummaryObject } from '../../soif/index.ts';
import { openDatabase, openDataFolder } from '../../store/index.ts';
import { documentationPages } from '../material/documentation.ts';
import { fillStore } from '../material/filled-broker.ts';
import { slowQueries } from './engine.ts';
import type { Built, QueryTimesWithErrors, Reopened, Way } from './figures.ts';
import { buildIndex, joined, objectOf } from './garner.ts';

async function* objectsOf(file: string): AsyncGenerator<SummaryObject> {
  for await (const page of documentationPages(file)) yield objectOf(page);
}

const openStore = (folder: string, create: boolean) =>
  openDataFolder(folder, { role: 'broker', create, clock: systemClock, random: systemRandom });

/** Put an object for each page into a Broker's new data folder. */
export async function fillBrokerStore(folder: string, file: string): Promise<{ readonly objects: number }> {
  await using data = await openStore(folder, true);
  return { objects: await fillStore(data.store, objectsOf(file)) };
}

function sizeOf(name: string): GlimpseSize {
  const size = glimpseSizes.find((one) => one === name);
  if (size === undefined) throw new TypeError(`no size of an index: ${name}`);
  return size;
}

/** The engine with its database, over a Broker's store, which is read as the Broker reads it. */
async function opened(folder: string, size: GlimpseSize, store?: string) {
  const data = store === undefined ? undefined : await openStore(store, false);
  const database = await openDatabase(folder);
  const bodyOf = async (oid: Oid) => (await data?.store.get(oid))?.body;
  const engine = await (await glimpseEngine()).open({
    ...{ database, size, bodiesOf: (oids: readonly Oid[]) => Promise.all(oids.map(bodyOf)) },
  });
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await data?.[Symbol.asyncDispose]();
    },
  };
}

export const buildGlimpse = (folder: string, size: string, file: string): Promise<Built> =>
  buildIndex(folder, file, () => opened(folder, sizeOf(size)));

const answer = (engine: GlimpseEngine, text: string) =>
  engine.search({ query: parseQuery(text).query, limit: 10, offset: 0 });

/** Milliseconds of each query, parsing included; all queries run once before to warm up. */
export async function askGlimpse({
  folder,
  size,
  store,
  queryFile,
  wordFile,
}: {
  readonly folder: string;
  readonly size: string;
  readonly store: string;
  readonly queryFile: string;
  readonly wordFile: string;
}): Promise<QueryTimesWithErrors> {
  const queries = JSON.parse(await readFile(queryFile, 'utf8')) as Record<Way, readonly string[][]>;
  const words = JSON.parse(await readFile(wordFile, 'utf8')) as readonly string[];
  const texts: Readonly<Record<Way | 'oneError', readonly string[]>> = {
    or: queries.or.slice(0, slowQueries).map(joined.or),
    and: queries.and.slice(0, slowQueries).map(joined.and),
    phrase: queries.phrase.slice(0, slowQueries).map(joined.phrase),
    oneError: words.map((word) => `${word}~1`),
  };
  await using index = await opened(folder, sizeOf(size), store);
  const times = { or: [], and: [], phrase: [], oneError: [] } as Record<Way | 'oneError', number[]>;
  for (let round = 0; round < 2; round++)
    for (const [way, list] of Object.entries(texts) as [Way | 'oneError', readonly string[]][]) {
      times[way] = [];
      for (const text of list) {
        const started = performance.now();
        await answer(index.engine, text);
        times[way].push(performance.now() - started);
      }
    }
  return times;
}

/**
 * Open a closed index and the store, and answer a query of one word; all modules are loaded before the measurement.
 */
export async function reopenGlimpse(
  folder: string,
  size: string,
  store: string,
  word: string,
): Promise<Reopened> {
  const data = await openStore(store, false);
  await data[Symbol.asyncDispose]();
  const started = performance.now();
  await using index = await opened(folder, sizeOf(size), store);
  const { total } = await answer(index.engine, word);
  if (total === 0) throw new Error(`nothing was found for ${word}`);
  return { ms: performance.now() - started };
}
