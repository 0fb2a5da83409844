// How well a page is found whose title, heading, name or command is typed, compared with minisearch and FTS5.
import { existsSync } from 'node:fs';
import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, join } from 'node:path';
import type { Broker } from '../../../broker/index.ts';
import { summariserOf } from '../../../gatherer/index.ts';
import { seededRandom } from '../../../kernel/index.ts';
import { type SummaryObject, summaryObject } from '../../../soif/index.ts';
import type { Benchmark, Measured, RunOptions } from '../../harness/harness.ts';
import { type Figure, Results } from '../../harness/results.ts';
import { documentationPackages, pagesBelow } from '../../material/documentation.ts';
import { fillStore, oidOfUrl, summaryOf } from '../../material/filled-broker.ts';
import { openBrokerOf } from '../../material/opened-broker.ts';
import { qualityOf } from '../quality.ts';
import {
  beginnings,
  type Kind,
  kinds,
  type NamedPage,
  type NavigationalQuery,
  navigationalQueries,
} from './navigational-queries.ts';
import { rankingSystems } from './systems.ts';

const seed = 1994;
const depth = 10;
/** Every so many queries are typed letter by letter. */
const typedEvery = 5;
/** A page of results shows so many at once. */
const shown = 5;
const packages = ['python3.11-doc', 'postgresql-doc-15', 'git-doc'] as const;

const section = '300 titles, headings, names and commands: MRR';
const whileTyping = 'Each beginning of three letters and more: the page is among the first five';

const figures = {
  garner: { section, what: 'garner', unit: 'of 1', goal: { atLeast: 0.95 } },
  minisearch: { section, what: 'minisearch', unit: 'of 1' },
  fts5: { section, what: "SQLite's FTS5", unit: 'of 1' },
  title: { section, what: 'garner: titles', unit: 'of 1' },
  heading: { section, what: 'garner: headings', unit: 'of 1' },
  name: { section, what: 'garner: names', unit: 'of 1' },
  command: { section, what: 'garner: commands', unit: 'of 1' },
  typed: { section: whileTyping, what: 'all beginnings', unit: '%', goal: { atLeast: 80 } },
  'typed 3': { section: whileTyping, what: 'of three letters', unit: '%' },
  'typed 4': { section: whileTyping, what: 'of four to six letters', unit: '%' },
  'typed 7': { section: whileTyping, what: 'of seven letters and more', unit: '%' },
} as const satisfies Readonly<Record<string, Figure>>;
type FigureId = keyof typeof figures;

interface Page extends NamedPage {
  readonly url: string;
  readonly text: string;
}

// Definitions in the pages of Sphinx and DocBook.
const definition =
  /<dt class="sig[^>]*? id="([\w.]+)"|<dt id="GUC-[^"]*"><span class="term"><code class="varname">(\w+)</gu;
const bounds = { maxTextBytes: 64 * 1024 * 1024, maxDocumentBytes: 64 * 1024 * 1024 };

/** The pages of the packages, as a Gatherer reads them. */
async function readPages(signal: AbortSignal): Promise<Page[]> {
  const summarise = await summariserOf('HTML')?.load();
  if (summarise === undefined) throw new TypeError('no summariser for HTML');
  const pages: Page[] = [];
  const seen = new Set<string>();
  for (const name of packages)
    for await (const path of pagesBelow(documentationPackages[name] as string, seen)) {
      signal.throwIfAborted();
      const bytes = await readFile(path);
      const url = `http://docs.example.org${encodeURI(path)}`;
      const document = { url, name: basename(path), bytes, type: 'HTML', mediaType: 'text/html' };
      const { title = '', fields, text } = await summarise(document, { ...bounds, text: 'full' });
      const headings = fields.find(([field]) => field === 'Headings')?.[1] ?? '';
      const whole = (text?.blocks ?? []).map((block) => block.text).join('\n');
      const defined = Array.from(
        bytes.toString().matchAll(definition),
        ([, one, other]) => one ?? other ?? '',
      );
      // The name of a method is longer than what the page shows.
      const names = defined.filter((one) => whole.includes(`${one}(`) || whole.includes(`${one} (`));
      pages.push({
        ...{ url, title, names, headings: `${headings}`.split('\n') },
        text: whole,
      });
    }
  return pages;
}

function* objectsOf(pages: readonly Page[]): Generator<SummaryObject> {
  for (const page of pages) {
    const { url, attributes } = summaryOf(page);
    const headings = page.headings.join('\n').trim();
    const pairs = attributes.map(({ name, value }) => [name, value] as const);
    yield summaryObject(url, [...pairs, ...(headings === '' ? [] : [['Headings', headings] as const])]);
  }
}

/** The ranks of the pages, for each query. */
type Search = (q: string, typing: boolean, limit: number) => Promise<readonly number[]>;

const searchIn =
  (broker: Broker, places: ReadonlyMap<string, number>): Search =>
  async (q, typing, limit) => {
    const { hits } = await broker.queries.search({ q, typing, limit, offset: 0, sources: [], types: [] });
    return hits.map(({ oid }) => places.get(oid) ?? -1);
  };

const mrrOf = (rankings: readonly (readonly number[])[], queries: readonly NavigationalQuery[]) =>
  qualityOf(
    rankings,
    queries.map(({ text, page }) => ({ text, relevant: new Set([page]) })),
  ).mrr;

async function measureGarner(
  search: Search,
  queries: readonly NavigationalQuery[],
  results: Results<FigureId>,
) {
  const rankings: (readonly number[])[] = [];
  for (const { text } of queries) rankings.push(await search(text, false, depth));
  results.add('garner', mrrOf(rankings, queries));
  for (const kind of Object.keys(kinds) as Kind[]) {
    const own = queries.flatMap((query, at) => (query.kind === kind ? [at] : []));
    results.add(
      kind,
      mrrOf(
        own.map((at) => rankings[at] ?? []),
        own.map((at) => queries[at] as NavigationalQuery),
      ),
    );
  }
  return rankings;
}

async function measureBeginnings(
  search: Search,
  queries: readonly NavigationalQuery[],
  results: Results<FigureId>,
) {
  const counted = { typed: [0, 0], 'typed 3': [0, 0], 'typed 4': [0, 0], 'typed 7': [0, 0] };
  for (const { text, page } of queries)
    for (const beginning of beginnings(text)) {
      const isShown = (await search(beginning, true, shown)).includes(page);
      const length = beginning.length === 3 ? 'typed 3' : beginning.length < 7 ? 'typed 4' : 'typed 7';
      for (const count of [counted.typed, counted[length]] as [number, number][]) {
        count[0] += isShown ? 1 : 0;
        count[1]++;
      }
    }
  for (const [id, [found = 0, all = 0]] of Object.entries(counted))
    results.add(id as FigureId, (100 * found) / Math.max(1, all));
}

async function run({ quick, onStep, signal }: RunOptions): Promise<Measured> {
  const results = new Results(figures);
  const absent = packages.filter((name) => !existsSync(documentationPackages[name] as string));
  if (absent.length > 0) {
    results.skip(Object.keys(figures) as FigureId[], `${absent.join(', ')} of Debian is not installed`);
    return { input: [], rows: results.rows(), skipped: results.skipped() };
  }
  onStep('reading the documentation');
  const pages = await readPages(signal);
  const all = navigationalQueries(pages, seededRandom(seed));
  const queries = quick ? all.filter((_, at) => at % 10 === 0) : all;
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-navigational-'));
  try {
    await using opened = await openBrokerOf(folder, { create: true });
    const { broker, engine } = opened;
    onStep('indexing');
    await fillStore(broker.folder.store, objectsOf(pages));
    await broker.indexer.reached(broker.folder.store.lsn);
    await engine.settled();
    const search = searchIn(broker, new Map(pages.map(({ url }, at) => [oidOfUrl(url), at])));
    onStep('asking');
    const rankings = await measureGarner(search, queries, results);
    for (const [at, { kind, text, page }] of queries.entries())
      if (rankings[at]?.[0] !== page)
        onStep(`${kind} ${text}: rank ${(rankings[at]?.indexOf(page) ?? -1) + 1}`);
    onStep('asking while typing');
    await measureBeginnings(
      search,
      queries.filter((_, at) => at % typedEvery === 0),
      results,
    );
  } finally {
    await rm(folder, { recursive: true });
  }
  const collection = {
    name: 'documentation',
    documents: pages.map(({ url, title, text }) => ({ id: url, title, text })),
    queries: queries.map(({ text, page }) => ({ text, relevant: new Set([page]) })),
  };
  for (const { name, rank } of rankingSystems)
    if (name === 'minisearch' || name === 'fts5') {
      signal.throwIfAborted();
      onStep(name);
      results.add(name, mrrOf(await rank(collection, depth), queries));
    }
  const counts = (Object.keys(kinds) as Kind[]).map(
    (kind) => `${queries.filter((one) => one.kind === kind).length} ${kind}s`,
  );
  return {
    input: [
      `Input: ${pages.length} pages of ${packages.join(', ')}; ${counts.join(', ')}, chosen by the seed ${seed}, each of which is that of one page only.`,
      `A Broker answers with at most ${depth} hits. minisearch and FTS5 rank pages with any of the words, with the same stems, as in the benchmark of collections with judgments. Every fifth query is typed letter by letter.`,
    ],
    rows: results.rows(),
    skipped: results.skipped(),
  };
}

export const navigationalJob: Benchmark = {
  name: 'navigational',
  describe: 'pages found by their titles, headings, names and commands, compared with minisearch and FTS5',
  peers: { sqlite3: ['sqlite3', '--version'] },
  run,
};
