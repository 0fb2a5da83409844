// The cost of a Broker with up to a million objects: memory, start, and queries while objects arrive.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { loadavg, tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { parseArgs } from 'node:util';
import type { SearchAnswer } from '../../broker/index.ts';
import { levelFields } from '../../gatherer/index.ts';
import type { BrokerSays } from '../chain/job.ts';
import { runProbe, Server } from '../harness/child.ts';
import { describeMachine } from '../harness/machine.ts';
import { formatNumber, hasPlace, machineWords, writePerformance } from '../harness/report.ts';
import { pagesOf } from '../levels/collections.ts';
import { type DocumentationPage, installedDocumentation } from '../material/documentation.ts';
import { type Filled, type MillionRow, millionGoals, type Served } from './figures.ts';
import { type MillionReport, millionMarkdown, millionText } from './print.ts';
import { millionLoad } from './probe.ts';

const smallest = 10_000;

interface Chosen {
  readonly folders: readonly string[];
  readonly objects: number;
  readonly seconds: number;
  readonly json: boolean;
  readonly write: boolean;
}

function understand(args: readonly string[]): Chosen {
  const { values, positionals } = parseArgs({
    args: [...args],
    allowPositionals: true,
    options: {
      objects: { type: 'string', default: '1000000' },
      seconds: { type: 'string', default: '30' },
      json: { type: 'boolean', default: false },
      write: { type: 'boolean', default: false },
    },
  });
  const whole = (name: 'objects' | 'seconds', min: number) => {
    const value = Number(values[name]);
    if (!Number.isInteger(value) || value < min)
      throw new TypeError(`--${name} takes a whole number from ${min}`);
    return value;
  };
  const { json, write } = values;
  return { folders: positionals, objects: whole('objects', 100), seconds: whole('seconds', 1), json, write };
}

/** Ten thousand objects, ten times more, and so on up to `objects`. */
export function curveOf(objects: number): number[] {
  const sizes: number[] = [];
  for (let size = smallest; size < objects; size *= 10) sizes.push(size);
  return [...sizes, objects];
}

const log = (line: string) => process.stderr.write(`  ${line}\n`);

/** Real summaries: those of level `terse` that a Gatherer makes of the pages below the folders. */
async function realSummaries(folders: readonly string[]): Promise<DocumentationPage[]> {
  const pages = await pagesOf(folders, () => 0);
  return pages.map(({ url, title, blocks }) => {
    const { fields } = levelFields({ fields: [], blocks }, 'terse', Number.MAX_SAFE_INTEGER);
    const text = fields.map(([, value]) => String(value)).join('\n');
    return { url, title, text };
  });
}

/** Milliseconds from the start of the process to the first answer over HTTP. */
async function coldStart(data: string, q: string, folder: string): Promise<number> {
  const started = performance.now();
  await using broker = await Server.start<BrokerSays>(
    ['broker', 'serve', '--data', data, '--port', '0'],
    folder,
  );
  const answer = await fetch(`${broker.said.search}search?q=${encodeURIComponent(q)}`);
  if (!answer.ok) throw new Error(`the Broker answered ${answer.status}`);
  const { rebuilding } = (await answer.json()) as SearchAnswer;
  if (rebuilding !== null) throw new Error('the Broker did not find a compatible index');
  return performance.now() - started;
}

async function measure(
  pages: readonly DocumentationPage[],
  file: string,
  objects: number,
  seconds: number,
  folder: string,
): Promise<MillionRow> {
  const data = join(folder, 'data');
  await mkdir(data);
  try {
    log(`${objects.toLocaleString('en-US')} objects`);
    const broker = join(data, 'broker');
    const filled = await runProbe<Filled>('million-fill', [broker, file, String(objects)], folder);
    const load = millionLoad(pages, objects, seconds);
    const loadFile = join(folder, 'load.json');
    await writeFile(loadFile, JSON.stringify(load));
    log('cold start, then under load');
    const coldMs = await coldStart(data, load.queries[0] ?? '', folder);
    const args = [broker, loadFile, String(objects), String(seconds)];
    const served = await runProbe<Served>('million-serve', args, folder);
    return { ...filled, ...served, coldMs };
  } finally {
    await rm(data, { recursive: true, force: true });
  }
}

async function run(chosen: Chosen, command: string): Promise<MillionReport> {
  const { folders: installed, absent } = installedDocumentation();
  const folders = chosen.folders.length > 0 ? chosen.folders.map((one) => resolve(one)) : installed;
  if (folders.length === 0) throw new Error(`there are no pages: apt-get install ${absent.join(' ')}`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-million-'));
  try {
    const before = loadavg()[0] as number;
    const date = new Date().toISOString();
    log(`reading ${folders.join(', ')}`);
    const pages = await realSummaries(folders);
    const file = join(folder, 'pages.jsonl');
    await writeFile(file, pages.map((page) => `${JSON.stringify(page)}\n`).join(''));
    const rows: MillionRow[] = [];
    for (const objects of curveOf(chosen.objects))
      rows.push(await measure(pages, file, objects, chosen.seconds, folder));
    const mean = pages.reduce((sum, { text }) => sum + text.length, 0) / pages.length;
    const input = `Input: objects made up of the sentences of ${pages.length.toLocaleString('en-US')} terse summaries of ${folders.join(', ')} (on average ${formatNumber(mean)} characters); ${chosen.seconds} s of load each.`;
    const load = [before, loadavg()[0] as number] as const;
    return { command, date, load, input, rows, goals: millionGoals(rows) };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Measure Brokers of 10,000, 100,000 and so on up to `--objects` made-up objects, each filled, started and served in
 * its own processes. Resolves to the exit code, or to a usage error as a string.
 */
export async function benchMillion(args: readonly string[]): Promise<number | string> {
  let chosen: Chosen;
  try {
    chosen = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  if (chosen.write && !(await hasPlace('million'))) return 'docs/performance.md has no place for million';
  const report = await run(chosen, ['npm run bench -- million', ...args].join(' '));
  process.stdout.write(chosen.json ? `${JSON.stringify(report)}\n` : millionText(report));
  if (chosen.write)
    await writePerformance('million', millionMarkdown(report, machineWords(describeMachine({}))));
  return 0;
}
