// Time until a change at a provider is searchable at the third Broker of a cascade, and until a deletion has left all
// three. Gatherer and Brokers are separate processes. The second and the third Broker have a filter.
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { parseArgs } from 'node:util';
import { Server } from '../harness/child.ts';
import { freePort } from '../harness/peer-ports.ts';
import { writePerformance } from '../harness/report.ts';
import { spreadOf } from '../harness/statistics.ts';

const usualRounds = 10;
const goalSeconds = 3;
const pollMs = 5;
const patienceMs = 30_000;
const pages = 100;

interface Listening {
  readonly collect: string;
  readonly search: string;
}

/** Seconds until all of these Brokers have so many hits for a word. */
async function untilTotal(brokers: readonly string[], word: string, total: number): Promise<number> {
  const started = performance.now();
  for (const broker of brokers)
    for (;;) {
      const response = await fetch(new URL(`/search?limit=1&exact=1&q=${word}`, broker));
      const answer = (await response.json()) as { readonly total: number };
      if (answer.total === total) break;
      if (performance.now() - started > patienceMs) throw new Error(`${word} has ${answer.total} hits`);
      await sleep(pollMs);
    }
  return (performance.now() - started) / 1000;
}

/** Start a cascade over a folder; resolves to the search addresses, the first Broker's first. */
async function startCascade(folder: string, servers: AsyncDisposable[]): Promise<readonly string[]> {
  const site = ['--root', 'site', '--base-url', 'https://harbour.example/', '--port', '0'];
  const start = async (args: readonly string[], cwd: string) => {
    const server = await Server.start<Listening>(args, cwd);
    servers.push(server);
    return server.said;
  };
  const gatherer = await start(['gatherer', 'serve', ...site], folder);
  const broker = async (name: string, source: string, query?: string) => {
    const cwd = join(folder, name);
    await mkdir(cwd);
    const filters = query === undefined ? [] : [{ source, query }];
    await writeFile(
      join(cwd, 'garner.yaml'),
      JSON.stringify({ broker: { name, collect: [source], filters } }),
    );
    const port = await freePort();
    const { search } = await start(['broker', 'serve', '--port', String(port)], cwd);
    return { search, collect: `ws://127.0.0.1:${port}/` };
  };
  const first = await broker('first', gatherer.collect);
  const second = await broker('second', first.collect, 'harbour');
  const third = await broker('third', second.collect, 'mooring OR buoy');
  return [first.search, second.search, third.search];
}

interface Measured {
  /** Seconds of each round. */
  readonly change: readonly number[];
  readonly deletion: readonly number[];
}

async function measure(folder: string, servers: AsyncDisposable[], rounds: number): Promise<Measured> {
  const page = (name: string, text: string) => writeFile(join(folder, 'site', `${name}.txt`), `${text}\n`);
  const [change, deletion]: [number[], number[]] = [[], []];
  await mkdir(join(folder, 'site'));
  for (let n = 0; n < pages; n++)
    await page(`page-${n}`, `the harbour has a ${n % 2 === 0 ? 'mooring' : 'mill'} numbered ${n}`);
  const all = await startCascade(folder, servers);
  const last = all.slice(-1);
  await untilTotal(last, 'mooring', pages / 2);
  for (let round = 0; round < rounds; round++) {
    await page('changed', `a novelty${round} buoy in the harbour`);
    change.push(await untilTotal(last, `novelty${round}`, 1));
    await page('deleted', `a leaving${round} buoy in the harbour`);
    await untilTotal(all, `leaving${round}`, 1);
    await rm(join(folder, 'site/deleted.txt'));
    deletion.push(await untilTotal(all, `leaving${round}`, 0));
  }
  return { change, deletion };
}

async function measureApart(rounds: number): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-cascade-'));
  const servers: AsyncDisposable[] = [];
  try {
    return await measure(folder, servers, rounds);
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}

const row = (what: string, seconds: readonly number[]) => {
  const { median, lowest, highest } = spreadOf(seconds);
  const verdict = highest <= goalSeconds ? 'met' : 'MISSED';
  const cells = [median, lowest, highest].map((value) => `${(value * 1000).toFixed(0)} ms`);
  return `| ${what} | ${cells.join(' | ')} | ≤ ${goalSeconds} s: ${verdict} |`;
};

/**
 * Measure a cascade: `[--rounds N] [--json] [--write]`. Resolves to the exit code, or to a usage error as a string.
 */
export async function benchCascade(args: readonly string[]): Promise<number | string> {
  let parsed: ReturnType<typeof understand>;
  try {
    parsed = understand(args);
  } catch (error) {
    return (error as Error).message;
  }
  const rounds = Number(parsed.rounds);
  if (!Number.isSafeInteger(rounds) || rounds < 1) return '--rounds takes a whole number';
  const { change, deletion } = await measureApart(rounds);
  if (parsed.json) {
    process.stdout.write(`${JSON.stringify({ rounds, change, deletion })}\n`);
    return 0;
  }
  const report = [
    `| ${rounds} rounds, provider to third Broker | median | min | max | goal |`,
    '| --- | --: | --: | --: | --- |',
    row('a changed document is searchable at the third', change),
    row('a deleted document is removed from all three', deletion),
  ];
  process.stdout.write(`${report.join('\n')}\n`);
  if (parsed.write) await writePerformance('cascade', `${report.join('\n')}\n`);
  return 0;
}

function understand(args: readonly string[]) {
  const flag = { type: 'boolean', default: false } as const;
  const { values } = parseArgs({
    args: [...args],
    options: { json: flag, write: flag, rounds: { type: 'string', default: String(usualRounds) } },
  });
  return values;
}
