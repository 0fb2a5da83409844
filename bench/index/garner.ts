import { readFile } from 'node:fs/promises';
import { type IndexChange, indexBatchBytes, indexBatchObjects, SegmentedEngine } from '../../broker/index.ts';
import { parseQuery } from '../../query/index.ts';
import { Attributes, type Oid, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { type DocumentationPage, documentationPages } from '../material/documentation.ts';
import { oidOfUrl } from '../material/filled-broker.ts';
import type { Built, QueryTimes, Reopened, Updated, Way } from './figures.ts';

/** The indexed parts of a page: title and text, as for every engine. */
export const objectOf = ({ url, title, text }: DocumentationPage): SummaryObject =>
  summaryObject(url, [
    ...(title === '' ? [] : ([[Attributes.title, title]] as const)),
    ...(text === '' ? [] : ([[Attributes.fullText, text]] as const)),
  ]);

/** The engine of a Broker with its database; `file` has the objects that the engine reads. */
async function opened(folder: string, positions: boolean, file?: string) {
  const objects = new Map<Oid, SummaryObject>();
  if (file !== undefined && !positions)
    for await (const page of documentationPages(file)) objects.set(oidOfUrl(page.url), objectOf(page));
  const database = await openDatabase(folder);
  // An engine without this option ignores it; the two indexes then have the same size.
  const options = { database, objectOf: async (oid: Oid) => objects.get(oid), positions };
  const engine = await SegmentedEngine.open(options);
  return {
    engine,
    [Symbol.asyncDispose]: async () => {
      await engine[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

/** An open engine. */
interface FilledEngine {
  apply(changes: readonly IndexChange[], lsn: number): Promise<void>;
  settled(): Promise<void>;
}

/** Build the index of a Garner engine, until no merge is left; `open` gives the engine over the folder's database. */
export async function buildIndex(
  folder: string,
  file: string,
  open: () => Promise<AsyncDisposable & { readonly engine: FilledEngine }>,
): Promise<Built> {
  const before = process.cpuUsage();
  const started = performance.now();
  let seconds = 0;
  {
    await using index = await open();
    const { engine } = index;
    let batch: IndexChange[] = [];
    let [bytes, lsn] = [0, 0];
    for await (const page of documentationPages(file)) {
      const oid = oidOfUrl(page.url);
      batch.push({ kind: 'put', oid, object: objectOf(page), source: 'bench' });
      bytes += page.title.length + page.text.length;
      lsn++;
      if (bytes < indexBatchBytes && batch.length < indexBatchObjects) continue;
      await engine.apply(batch, lsn);
      [batch, bytes] = [[], 0];
    }
    await engine.apply(batch, lsn);
    seconds = (performance.now() - started) / 1000;
    await engine.settled();
  }
  // Opening LevelDB again moves the last writes from its log to its compressed files.
  await (await openDatabase(folder))[Symbol.asyncDispose]();
  const { user, system } = process.cpuUsage(before);
  const peakBytes = process.resourceUsage().maxRSS * 1024;
  return { seconds, cpuSeconds: (user + system) / 1e6, peakBytes };
}

/** Index every page in batches as a Broker's indexer makes them. */
export const buildGarner = (folder: string, file: string, positions: boolean): Promise<Built> =>
  buildIndex(folder, file, () => opened(folder, positions));

/** Queries for words in the query language. */
export const joined: Readonly<Record<Way, (words: readonly string[]) => string>> = {
  or: (words) => words.join(' OR '),
  and: (words) => words.join(' AND '),
  phrase: (words) => `"${words.join(' ')}"`,
};

const answer = (engine: SegmentedEngine, words: readonly string[], way: Way) =>
  engine.search({ query: parseQuery(joined[way](words)).query, limit: 10, offset: 0 });

/** Milliseconds of each query; all queries run once before to warm up. */
export async function askGarner(
  folder: string,
  queryFile: string,
  positions: boolean,
  file: string,
): Promise<QueryTimes> {
  const queries = JSON.parse(await readFile(queryFile, 'utf8')) as Record<Way, readonly string[][]>;
  await using index = await opened(folder, positions, file);
  const times: Record<string, number[]> = {};
  for (let round = 0; round < 2; round++) {
    for (const [way, list] of Object.entries(queries) as [Way, readonly string[][]][]) {
      const own: number[] = [];
      for (const words of list) {
        const started = performance.now();
        await answer(index.engine, words, way);
        own.push(performance.now() - started);
      }
      times[way] = own;
    }
  }
  return times;
}

/** Replace some documents one by one, each in an atomic step. */
export async function updateGarner(folder: string, file: string, changes: string): Promise<Updated> {
  const wanted = new Set(JSON.parse(await readFile(changes, 'utf8')) as readonly number[]);
  const pages: DocumentationPage[] = [];
  let number = 0;
  for await (const page of documentationPages(file)) if (wanted.has(number++)) pages.push(page);
  await using index = await opened(folder, true);
  const { engine } = index;
  const times: number[] = [];
  for (const page of pages) {
    const object = objectOf({ ...page, text: `${page.text} changed` });
    const started = performance.now();
    const change = { kind: 'put', oid: oidOfUrl(page.url), object, source: 'bench' } as const;
    await engine.apply([change], engine.lsn + 1);
    times.push(performance.now() - started);
  }
  return { times };
}

/** Open a closed index and answer a query of one word; all modules are loaded before the measurement. */
export async function reopenGarner(folder: string, word: string, positions: boolean): Promise<Reopened> {
  const started = performance.now();
  await using index = await opened(folder, positions);
  const { total } = await answer(index.engine, [word], 'or');
  if (total === 0) throw new Error(`nothing was found for ${word}`);
  return { ms: performance.now() - started };
}
