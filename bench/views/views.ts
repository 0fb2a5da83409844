import { mkdtemp, readdir, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { objectMatched, QueryIndex, Views } from '../../broker/index.ts';
import { type Random, seededRandom, systemClock, systemRandom } from '../../kernel/index.ts';
import { isStopWord, ObjectTerms, parseQuery } from '../../query/index.ts';
import {
  digestOf,
  encodeObject,
  oidOf,
  type ServerId,
  type SummaryObject,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation } from '../../store/index.ts';
import { writePerformance } from '../harness/report.ts';
import { type JudgedDocument, readCollection } from '../levels/relevance/collection.ts';

// The cost of 100,000 standing queries: memory, and time and evaluated queries for each changed object.

/** A kind of standing query, and its share in percent. */
type Maker = (from: Words, other: Words, pick: (words: readonly string[]) => string) => string;

interface Words {
  readonly title: readonly string[];
  readonly text: readonly string[];
}

const makers: readonly (readonly [share: number, make: Maker])[] = [
  [25, ({ title }, _, pick) => `${pick(title)} ${pick(title)}`],
  [20, ({ title }, _, pick) => `${pick(title)} ${pick(title)} ${pick(title)}`],
  [20, ({ text }, _, pick) => `${pick(text)} ${pick(text)} ${pick(text)}`],
  [10, ({ title }, _, pick) => `Title: ${pick(title)} AND ${pick(title)}`],
  [10, ({ title }) => `"${title.slice(0, 2).join(' ')}"`],
  [5, ({ title }, other, pick) => `(${pick(title)} OR ${pick(other.title)}) AND ${pick(title)}`],
  [5, ({ title }, other, pick) => `${pick(title)} ${pick(title)} -${pick(other.text)}`],
  [3, ({ text }, _, pick) => pick(text)],
  [2, ({ title }, other, pick) => `${pick(title)} OR ${pick(other.title)}`],
];

function wordsIn(text: string): string[] {
  return (text.toLowerCase().match(/[a-z]{3,}/g) ?? []).filter((word) => !isStopWord(word));
}

/** `count` distinct queries of words that occur together in these documents. */
function standingQueries(
  documents: readonly JudgedDocument[],
  count: number,
  random: Random,
): readonly string[] {
  const words = documents
    .map(({ title, text }): Words => ({ title: wordsIn(title), text: wordsIn(text) }))
    .filter(({ title, text }) => title.length > 1 && text.length > 2);
  const any = <Item>(items: readonly Item[]) => items[Math.floor(random.next() * items.length)] as Item;
  // The share up to each kind, in percent.
  const upTo = makers.map(([share]) => share);
  for (let i = 1; i < upTo.length; i++) upTo[i] = (upTo[i] as number) + (upTo[i - 1] as number);
  const made = new Set<string>();
  // When there are no more distinct phrases, other kinds replace them.
  for (let tries = 0; made.size < count && tries < 20 * count; tries++) {
    const at = random.next() * 100;
    const [, make] = makers[upTo.findIndex((end) => at < end)] as (typeof makers)[number];
    const taken = new Set<string>();
    // No word occurs twice in a query, if there is another.
    const pick = (words: readonly string[]) => {
      const left = words.filter((word) => !taken.has(word));
      const word = any(left.length === 0 ? words : left);
      taken.add(word);
      return word;
    };
    made.add(make(any(words), any(words), pick));
  }
  return [...made];
}

const usualQueries = 100_000;

/** Number of measured changes. */
const changes = 300;

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

interface Figure {
  readonly what: string;
  readonly value: number;
  readonly unit: string;
}

/** Bytes in use after garbage collection. */
function bytesUsed(): number {
  setFlagsFromString('--expose-gc');
  const collect = runInNewContext('gc') as () => void;
  collect();
  collect();
  const { heapUsed, external } = process.memoryUsage();
  return heapUsed + external;
}

const cpuMs = (since?: NodeJS.CpuUsage) => {
  const { user, system } = process.cpuUsage(since);
  return (user + system) / 1000;
};

const quantile = (values: readonly number[], part: number) =>
  values.toSorted((a, b) => a - b)[Math.min(values.length - 1, Math.floor(values.length * part))] ?? 0;

function spread(what: string, values: readonly number[], unit: string): Figure[] {
  return [
    { what: `${what}, p50`, value: quantile(values, 0.5), unit },
    { what: `${what}, p95`, value: quantile(values, 0.95), unit },
    { what: `${what}, max`, value: Math.max(...values), unit },
  ];
}

function objectOf({ id, title, text }: JudgedDocument, version: number): SummaryObject {
  return summaryObject(`http://example.org/${id}`, [
    ['Title', title],
    ['Full-Text', version === 0 ? text : `${text} version ${version}`],
    ['Type', 'HTML'],
  ]);
}

function putting(document: JudgedDocument, version: number): StoreOperation {
  const object = objectOf(document, version);
  const oid = oidOf(publisher, object.url);
  const updatedAt = Math.floor(systemClock.now() / 1000) + version;
  const provenance = { digest: digestOf(object), updatedAt, publisher, signature: new Uint8Array(64) };
  return {
    kind: 'put',
    object: { oid, body: encodeObject(object), ...provenance },
    url: object.url,
    ttlSeconds: 86_400,
  };
}

/** Measure the query index alone. */
function matchStage(documents: readonly JudgedDocument[], queries: readonly string[]): Figure[] {
  const before = bytesUsed();
  const started = process.cpuUsage();
  const index = new QueryIndex((number) => parseQuery(queries[number] as string).query);
  for (const document of documents.slice(0, 256))
    index.rarity.note(new ObjectTerms(objectOf(document, 0), new Set()));
  for (const [number, text] of queries.entries()) index.add(number, parseQuery(text).query);
  const addMs = cpuMs(started);
  const bytes = bytesUsed() - before;
  for (const document of documents.slice(0, 200)) index.match(objectOf(document, 0));
  const cpu: number[] = [];
  const found = {
    matched: [] as number[],
    candidates: [] as number[],
    evaluated: [] as number[],
    asked: [] as number[],
  };
  for (const document of documents.slice(200, 200 + changes)) {
    const object = objectOf(document, 1);
    const since = process.cpuUsage();
    const { matched, candidates, evaluated, asked } = index.match(object);
    cpu.push(cpuMs(since));
    found.matched.push(matched.length);
    found.candidates.push(candidates);
    found.evaluated.push(evaluated);
    found.asked.push(asked);
  }
  return [
    { what: 'queries', value: index.size, unit: '' },
    { what: 'queries that require no term', value: index.always, unit: '' },
    { what: 'CPU to index a query', value: (addMs * 1000) / queries.length, unit: 'us' },
    { what: 'memory of the index for a query', value: bytes / queries.length, unit: 'bytes' },
    ...spread('CPU to match a changed object', cpu, 'ms'),
    ...spread('queries found by terms', found.candidates, ''),
    ...spread('queries with all required terms there', found.evaluated, ''),
    ...spread('of these, evaluated node by node', found.asked, ''),
    ...spread('queries matched', found.matched, ''),
  ];
}

/** Measure a Broker's views with their memberships on disk. */
async function viewsStage(
  documents: readonly JudgedDocument[],
  queries: readonly string[],
): Promise<Figure[]> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-views-'));
  // Each object is in some hundred views, and the figure is for one change.
  const stored = documents.slice(0, changes);
  const open = async () => {
    const [clock, random] = [systemClock, systemRandom];
    const store = await ObjectStore.open(await openDatabase(join(folder, 'store')), { clock, random });
    const database = await openDatabase(join(folder, 'views'));
    const views = await Views.open({ store, database, clock, random });
    const close = async () => {
      await views[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
      await store[Symbol.asyncDispose]();
    };
    return { store, views, close };
  };
  try {
    const first = await open();
    for (let at = 0; at < stored.length; at += 500)
      await first.store.apply(stored.slice(at, at + 500).map((document) => putting(document, 0)));
    const before = bytesUsed();
    let since = process.cpuUsage();
    for (let at = 0; at < queries.length; at += 1000)
      await first.views.add(queries.slice(at, at + 1000).map((query, n) => ({ name: `q-${at + n}`, query })));
    const addMs = cpuMs(since);
    since = process.cpuUsage();
    await first.views.upToDate();
    const fillMs = cpuMs(since);
    const bytes = bytesUsed() - before;
    await first.close();
    since = process.cpuUsage();
    const { store, views, close } = await open();
    const openMs = cpuMs(since);
    await views.upToDate();
    const [all, matching]: [number[], number[]] = [[], []];
    const unsubscribe = objectMatched.subscribe(({ ms }) => matching.push(ms));
    for (const document of stored) {
      const started = process.cpuUsage();
      await store.apply([putting(document, 1)]);
      await views.upToDate();
      all.push(cpuMs(started));
    }
    unsubscribe();
    await close();
    return [
      { what: 'CPU to define a view', value: (addMs * 1000) / queries.length, unit: 'us' },
      { what: 'CPU to fill all views, for an object', value: fillMs / stored.length, unit: 'ms' },
      { what: 'memory of a view', value: bytes / queries.length, unit: 'bytes' },
      { what: 'CPU to open the views again', value: openMs, unit: 'ms' },
      { what: 'store on disk', value: (await bytesIn(join(folder, 'store'))) / 1e6, unit: 'MB' },
      ...spread('CPU of a change with all its memberships written', all, 'ms'),
    ];
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

async function bytesIn(folder: string): Promise<number> {
  let sum = 0;
  for (const name of await readdir(folder)) sum += (await stat(join(folder, name))).size;
  return sum;
}

const shown = (value: number) => (value >= 100 ? value.toFixed(0) : value.toFixed(value >= 10 ? 1 : 2));

/**
 * Measure standing queries, made of the collections' own words, while their documents change: `DIR... [--queries N]
 * [--json] [--write]`. Resolves to the exit code, or to a usage error as a string.
 */
export async function benchViews(args: readonly string[]): Promise<number | string> {
  let parsed: ReturnType<typeof understand>;
  try {
    parsed = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  const { folders, json, write } = parsed;
  const wanted = Number(parsed.queries);
  if (folders.length === 0) return 'views takes the folders of the collections';
  if (!Number.isSafeInteger(wanted) || wanted < 1) return '--queries takes a whole number';
  const documents = folders.flatMap((folder) => readCollection(folder).documents);
  const queries = standingQueries(documents, wanted, seededRandom(1));
  process.stderr.write(`  ${documents.length} documents, ${queries.length} queries\n`);
  const figures = [...matchStage(documents, queries), ...(await viewsStage(documents, queries))];
  if (json) process.stdout.write(`${JSON.stringify(figures)}\n`);
  else {
    const rows = figures.map(({ what, value, unit }) => `| ${what} | ${`${shown(value)} ${unit}`.trim()} |`);
    const report = `| ${documents.length} objects, ${queries.length} views | |\n| --- | --- |\n${rows.join('\n')}\n`;
    process.stdout.write(report);
    if (write) await writePerformance('views', report);
  }
  return 0;
}

function understand(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: { json: flag, write: flag, queries: { type: 'string', default: String(usualQueries) } },
  });
  return { folders: positionals, ...values };
}
