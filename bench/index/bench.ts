import { mkdir, mkdtemp, open, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import { type GlimpseSize, glimpseSizes } from '../../broker/index.ts';
import { seededRandom } from '../../kernel/index.ts';
import { runProbe } from '../harness/child.ts';
import { describeMachine } from '../harness/machine.ts';
import { hasPlace, machineWords, writePerformance } from '../harness/report.ts';
import type { Skipped } from '../harness/results.ts';
import { median } from '../harness/statistics.ts';
import {
  type Documentation,
  documentationPages,
  installedDocumentation,
  readDocumentation,
} from '../material/documentation.ts';
import { bytesBelow } from '../material/opened-broker.ts';
import { titleQueries } from '../material/title-queries.ts';
import { type IndexEngine, type IndexJob, part, slowQueries, timesOf, timesOfRounds } from './engine.ts';
import type { Built, IndexRow, QueryTimesWithErrors, Reopened } from './figures.ts';
import { garnerEngine, garnerGlimpse, judgedGoals } from './goals.ts';
import { fts5, garner, garnerBare, minisearch, xapian } from './own-process.ts';
import { type IndexReport, indexMarkdown, indexText } from './print.ts';
import { glimpses, swish } from './programs.ts';
import { sphinx } from './sphinx.ts';

// The cost of an index over documentation and the speed of its answers, compared with other engines on the same texts
// and queries.

/** The largest size finds phrases by positions, the others by reading objects. */
async function measured(size: GlimpseSize, job: IndexJob): Promise<IndexRow> {
  const { documentation, rounds } = job;
  const folder = join(job.folder, 'index');
  const wordFile = join(job.folder, 'words.json');
  await writeFile(wordFile, JSON.stringify(job.oneErrorWords));
  const run = <Result>(task: string, ...args: string[]) =>
    runProbe<Result>('index-glimpse', [task, folder, size, ...args], job.folder);
  const built = await run<Built>('build', documentation.file);
  const indexBytes = await bytesBelow(folder);
  const store = await job.store();
  const reopened: number[] = [];
  for (let round = 0; round < rounds; round++) {
    job.signal.throwIfAborted();
    reopened.push((await run<Reopened>('reopen', store, job.word)).ms);
  }
  // One round, as for Debian's programs: it takes minutes.
  const answered = await run<QueryTimesWithErrors>('ask', store, job.queryFile, wordFile);
  return {
    engine: garnerGlimpse(size),
    positions: size === 'medium',
    ...{ buildSeconds: built.seconds, buildCpuSeconds: built.cpuSeconds, peakBytes: built.peakBytes },
    ...{ indexBytes, indexPart: part(indexBytes, documentation) },
    queries: timesOfRounds([answered]),
    oneError: timesOf(answered.oneError),
    reopenMs: median(reopened),
    notes: [
      "stems; queried in a process that keeps running, over a Broker's store, whose bytes are not counted; unranked",
      `the first ${slowQueries} queries in one round, each run once before to warm up`,
    ],
  };
}

const garnerGlimpses: readonly IndexEngine[] = glimpseSizes.map((size) => ({
  name: garnerGlimpse(size),
  absent: () => undefined,
  measure: (job) => measured(size, job),
}));

const seed = 1994;
const queryCount = 200;
/** Number of documents that are replaced; the first half only warms up. */
const updateCount = 300;
const filesInFolder = 1000;
/** Length of words that are searched with one error; a shorter word with an error matches too much. */
const oneErrorCount = 50;
const minForErrors = 5;
/** Glimpse accepts at most 32 characters, including its own marks. */
const maxForErrors = 24;
/** Glimpse splits a word with digits. */
const lettersAlone = /^[a-z]+$/;

interface Chosen {
  readonly folders: readonly string[];
  readonly rounds: number;
  readonly engines: readonly string[] | undefined;
  readonly json: boolean;
  readonly write: boolean;
}

function understand(args: readonly string[]): Chosen {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      rounds: { type: 'string', default: '3' },
      engines: { type: 'string' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const rounds = Number(values.rounds);
  if (!Number.isInteger(rounds) || rounds < 1) throw new TypeError('--rounds takes a whole number from 1');
  const { json, write } = values;
  return { folders: positionals, rounds, engines: values.engines?.split(','), json, write };
}

const log = (line: string) => process.stderr.write(`  ${line}\n`);

/** The given folders, or those of Debian's installed packages. */
function chosenFolders(given: readonly string[], skipped: Skipped[]): readonly string[] {
  if (given.length > 0) return given.map((folder) => resolve(folder));
  const { folders, absent } = installedDocumentation();
  for (const name of absent)
    skipped.push({ what: `the pages of ${name}`, reason: `apt-get install ${name}` });
  return folders;
}

/** Write a text file for each page, in folders of a thousand. */
async function writeTextFiles(folder: string, file: string): Promise<string> {
  let number = 0;
  for await (const { title, text } of documentationPages(file)) {
    const part = join(folder, String(Math.floor(number / filesInFolder)));
    if (number % filesInFolder === 0) await mkdir(part, { recursive: true });
    await writeFile(join(part, `${number++}.txt`), `${title}\n${text}\n`);
  }
  return folder;
}

async function filledStore(folder: string, file: string): Promise<string> {
  await runProbe('index-store', [folder, file], tmpdir());
  return folder;
}

type Shared = Omit<IndexJob, 'folder'>;

async function preparedJob(
  folder: string,
  documentation: Documentation,
  rounds: number,
  signal: AbortSignal,
): Promise<Shared> {
  const titles: string[] = [];
  for await (const { title } of documentationPages(documentation.file)) titles.push(title);
  const random = seededRandom(seed);
  const words = titleQueries(titles, queryCount, random);
  const queries = { or: words, and: words, phrase: words.filter(({ length }) => length > 1) };
  const changes = new Set<number>();
  while (changes.size < Math.min(updateCount, titles.length))
    changes.add(Math.floor(random.next() * titles.length));
  const queryFile = join(folder, 'queries.json');
  const changesFile = join(folder, 'changes.json');
  await writeFile(queryFile, JSON.stringify(queries));
  await writeFile(changesFile, JSON.stringify([...changes]));
  let texts: Promise<string> | undefined;
  let store: Promise<string> | undefined;
  return {
    ...{ documentation, rounds, queries, queryFile, changesFile, signal },
    word: words[0]?.[0] ?? '',
    oneErrorWords: [...new Set(words.flat())]
      .filter((word) => word.length >= minForErrors && word.length <= maxForErrors && lettersAlone.test(word))
      .slice(0, oneErrorCount),
    textFiles: () => {
      texts ??= writeTextFiles(join(folder, 'texts'), documentation.file);
      return texts;
    },
    store: () => {
      store ??= filledStore(join(folder, 'store'), documentation.file);
      return store;
    },
  };
}

async function measureAll(
  engines: readonly IndexEngine[],
  shared: Shared,
  folder: string,
  rows: IndexRow[],
  skipped: Skipped[],
): Promise<void> {
  for (const [place, engine] of engines.entries()) {
    shared.signal.throwIfAborted();
    const absent = engine.absent();
    if (absent !== undefined) {
      skipped.push({ what: engine.name, reason: absent });
      log(`SKIPPED ${engine.name}: ${absent}`);
      continue;
    }
    log(engine.name);
    const own = join(folder, `engine-${place}`);
    await mkdir(own);
    const row = await engine.measure({ ...shared, folder: own }).catch((error) => {
      // A failing program must not lose the results of the others, which take half an hour.
      shared.signal.throwIfAborted();
      return `it failed: ${(error as Error).message.split('\n')[0]}`;
    });
    await rm(own, { recursive: true, force: true });
    if (typeof row !== 'string') rows.push(row);
    else {
      skipped.push({ what: engine.name, reason: row });
      log(`SKIPPED ${engine.name}: ${row}`);
    }
  }
}

async function run(chosen: Chosen, command: string, signal: AbortSignal): Promise<IndexReport> {
  const [skipped, rows]: [Skipped[], IndexRow[]] = [[], []];
  const folders = chosenFolders(chosen.folders, skipped);
  for (const folder of folders) await (await open(folder)).close();
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-index-'));
  try {
    const before = loadavg()[0] as number;
    const date = new Date().toISOString();
    log(`reading ${folders.join(', ')}`);
    const documentation = await readDocumentation(folders, join(folder, 'pages.jsonl'));
    const shared = await preparedJob(folder, documentation, chosen.rounds, signal);
    const all = [
      ...[garner, garnerBare(() => rows.find(({ engine }) => engine === garnerEngine))],
      ...garnerGlimpses,
      ...[minisearch, fts5, xapian, sphinx, swish, ...glimpses],
    ];
    const { engines: names } = chosen;
    const engines = all.filter(
      ({ name }) => names === undefined || names.some((one) => name.startsWith(one)),
    );
    await measureAll(engines, shared, folder, rows, skipped);
    const { file: _, ...input } = documentation;
    const { or, and, phrase } = shared.queries;
    return {
      ...{ command, date, rounds: chosen.rounds, load: [before, loadavg()[0] as number] },
      documentation: input,
      queries: { or: or.length, and: and.length, phrase: phrase.length },
      ...{ rows, goals: judgedGoals(rows), skipped },
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Measure every engine on the HTML below the folders in `args`, or on Debian's manuals when there are none. Resolves
 * to the exit code, or to a usage error as a string.
 */
export async function benchIndex(args: readonly string[]): Promise<number | string> {
  let chosen: Chosen;
  try {
    chosen = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  if (chosen.write && !(await hasPlace('index'))) return 'docs/performance.md has no place for index';
  const interrupt = new AbortController();
  for (const name of ['SIGINT', 'SIGTERM'] as const)
    process.once(name, () => interrupt.abort(new Error(`stopped by ${name}`)));
  const command = ['npm run bench -- index', ...args].join(' ');
  const report = await run(chosen, command, interrupt.signal);
  process.stdout.write(chosen.json ? `${JSON.stringify(report)}\n` : indexText(report));
  if (chosen.write) await writePerformance('index', indexMarkdown(report, machineWords(describeMachine({}))));
  return 0;
}
