import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { endsWithUs } from '../harness/child.ts';
import { freePort, untilListening } from '../harness/peer-ports.ts';
import { median } from '../harness/statistics.ts';
import { runTimed } from '../harness/timed-program.ts';
import { bytesBelow } from '../material/opened-broker.ts';
import { type IndexEngine, type IndexJob, part, slowQueries, timesOf, timesOfRounds } from './engine.ts';
import { type IndexRow, type QueryTimes, type Times, type Way, ways } from './figures.ts';
import { debianGlimpse, debianServer } from './goals.ts';

// Engines that start a process for each query. Every time includes that start, which is also a column of its own.

/** Milliseconds of a program from start to end; exit code 1 means that it found nothing. */
function processMs(program: string, args: readonly string[]): number {
  const started = performance.now();
  const { status, stderr } = spawnSync(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  if (status !== 0 && status !== 1) throw new Error(`${program}: exit ${status}\n${stderr}`);
  return performance.now() - started;
}

const bareProcess = () => median(Array.from({ length: 20 }, () => processMs('/bin/true', [])));

type Command = (words: readonly string[], way: Way) => readonly string[];

function timedQueries(
  program: string,
  command: Command,
  job: IndexJob,
  atMost = Number.MAX_SAFE_INTEGER,
): QueryTimes {
  const times: Partial<Record<Way, number[]>> = {};
  for (const way of ways) {
    job.signal.throwIfAborted();
    times[way] = job.queries[way].slice(0, atMost).map((words) => processMs(program, command(words, way)));
  }
  return times;
}

const built = ({
  seconds,
  cpuSeconds,
  peakBytes,
}: {
  readonly seconds: number;
  readonly cpuSeconds: number;
  readonly peakBytes: number;
}) => ({ buildSeconds: seconds, buildCpuSeconds: cpuSeconds, peakBytes });

const swishProgram = '/usr/bin/swish-e';

const swishWords: Readonly<Record<Way, (words: readonly string[]) => string>> = {
  or: (words) => words.join(' or '),
  and: (words) => words.join(' and '),
  phrase: (words) => `"${words.join(' ')}"`,
};

async function measureSwish(job: IndexJob): Promise<IndexRow> {
  const index = join(job.folder, 'index.swish');
  const config = join(job.folder, 'swish.conf');
  const settings = ['DefaultContents TXT', 'FuzzyIndexingMode Stemming_en1', 'IndexOnly .txt'];
  await writeFile(config, `${settings.join('\n')}\n`);
  const used = await runTimed([
    ...[swishProgram, '-c', config, '-i', await job.textFiles(), '-f', index, '-v', '0'],
  ]);
  const indexBytes = await bytesBelow(job.folder);
  const command: Command = (words, way) => ['-f', index, '-m', '10', '-w', swishWords[way](words)];
  const rounds = Array.from({ length: job.rounds }, () => timedQueries(swishProgram, command, job));
  return {
    engine: 'swish-e',
    positions: true,
    ...built(used),
    ...{ indexBytes, indexPart: part(indexBytes, job.documentation) },
    queries: timesOfRounds(rounds),
    processMs: bareProcess(),
    notes: ['stems; a process for each query; no updates'],
  };
}

export const swish: IndexEngine = {
  name: 'swish-e',
  absent: () => (existsSync(swishProgram) ? undefined : 'apt-get install swish-e'),
  measure: measureSwish,
};

const glimpse = '/usr/bin/glimpse';
const glimpseIndex = '/usr/bin/glimpseindex';
const glimpseServer = '/usr/bin/glimpseserver';

/** The sizes of its index, with the option that makes it. */
const sizes = { tiny: [], small: ['-o'], medium: ['-b'] } as const;
type Size = keyof typeof sizes;

const glimpseWords: Readonly<Record<Way, (words: readonly string[]) => string>> = {
  or: (words) => words.join(','),
  and: (words) => words.join(';'),
  phrase: (words) => words.join(' '),
};

/** Names of files only, no prompts, any case, whole words. */
const glimpseOptions = ['-l', '-y', '-i', '-w'];

function oneErrorTimes(where: readonly string[], { oneErrorWords }: IndexJob): Times {
  const options = [...where, '-1', ...glimpseOptions];
  return timesOf(oneErrorWords.map((word) => processMs(glimpse, [...options, word])));
}

async function glimpseRow(
  engine: string,
  where: readonly string[],
  job: IndexJob,
  row: Pick<IndexRow, 'buildSeconds' | 'buildCpuSeconds' | 'peakBytes' | 'indexBytes' | 'indexPart'>,
): Promise<IndexRow> {
  const command: Command = (words, way) => [...where, ...glimpseOptions, glimpseWords[way](words)];
  return {
    engine,
    positions: false,
    ...row,
    queries: timesOfRounds([timedQueries(glimpse, command, job, slowQueries)]),
    oneError: oneErrorTimes(where, job),
    processMs: bareProcess(),
    notes: [`a process for each query; finds by reading texts, unranked; the first ${slowQueries} queries`],
  };
}

/** One row for each size, and one for the server with the smallest index. */
async function measureGlimpse(size: Size, job: IndexJob): Promise<IndexRow> {
  const index = join(job.folder, size);
  await mkdir(index);
  const command = [glimpseIndex, '-H', index, '-E', ...sizes[size], await job.textFiles()];
  const used = await runTimed(command);
  const indexBytes = await bytesBelow(index);
  const row = { ...built(used), indexBytes, indexPart: part(indexBytes, job.documentation) };
  return glimpseRow(debianGlimpse(size), ['-H', index], job, row);
}

async function measureServer(job: IndexJob): Promise<IndexRow> {
  const index = join(job.folder, 'tiny');
  await mkdir(index);
  const used = await runTimed([glimpseIndex, '-H', index, '-E', await job.textFiles()]);
  const indexBytes = await bytesBelow(index);
  const port = await freePort();
  const server = spawn(glimpseServer, ['-H', index, '-K', String(port)], { stdio: 'ignore' });
  endsWithUs(server);
  const ended = once(server, 'close');
  try {
    await untilListening(port);
    const row = { ...built(used), indexBytes, indexPart: part(indexBytes, job.documentation) };
    const where = ['-H', index, '-C', '-J', '127.0.0.1', '-K', String(port)];
    return await glimpseRow(debianServer, where, job, row);
  } finally {
    server.kill('SIGTERM');
    await ended;
  }
}

const glimpseAbsent = () => (existsSync(glimpse) ? undefined : 'apt-get install glimpse');

export const glimpses: readonly IndexEngine[] = [
  ...(Object.keys(sizes) as Size[]).map((size) => ({
    name: debianGlimpse(size),
    absent: glimpseAbsent,
    measure: (job: IndexJob) => measureGlimpse(size, job),
  })),
  { name: debianServer, absent: glimpseAbsent, measure: measureServer },
];
