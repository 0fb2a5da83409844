import { execFile, spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { runProbe } from '../harness/child.ts';
import { packageFolder } from '../harness/machine.ts';
import { median } from '../harness/statistics.ts';
import { bytesBelow } from '../material/opened-broker.ts';
import { type IndexEngine, type IndexJob, part, timesOfRounds } from './engine.ts';
import type { Built, IndexRow, QueryTimes, Reopened, Updated } from './figures.ts';
import { garnerEngine, garnerWithoutPositions } from './goals.ts';

/** Runs one task of an engine in its own process. */
type Run = <Result>(args: readonly string[], folder: string) => Promise<Result>;

interface Kind {
  readonly positions: boolean;
  readonly notes: readonly string[];
  /** Whether updates are measured. */
  readonly updates: boolean;
}

/** Build, query in rounds, reopen and update, each in its own process. */
async function measured(name: string, run: Run, kind: Kind, job: IndexJob): Promise<IndexRow> {
  const { documentation, folder, rounds } = job;
  const { file } = documentation;
  const { version, ...built } = await run<Built>(['build', folder, file], folder);
  const indexBytes = await bytesBelow(folder);
  const answered: QueryTimes[] = [];
  const reopened: number[] = [];
  for (let round = 0; round < rounds; round++) {
    job.signal.throwIfAborted();
    reopened.push((await run<Reopened>(['reopen', folder, job.word], folder)).ms);
    answered.push(await run<QueryTimes>(['ask', folder, job.queryFile, file], folder));
  }
  const updates = kind.updates
    ? await run<Updated>(['update', folder, file, job.changesFile], folder)
    : undefined;
  return {
    engine: name,
    ...(version === undefined ? {} : { version }),
    positions: kind.positions,
    ...{ buildSeconds: built.seconds, buildCpuSeconds: built.cpuSeconds, peakBytes: built.peakBytes },
    ...{ indexBytes, indexPart: part(indexBytes, documentation) },
    queries: timesOfRounds(answered),
    ...(updates === undefined ? {} : { updateMs: median(updates.times.slice(updates.times.length >> 1)) }),
    reopenMs: median(reopened),
    notes: kind.notes,
  };
}

const probed =
  (probe: string): Run =>
  (args, folder) =>
    runProbe(probe, args, folder);

/** Debian's own Python, which has Debian's modules. */
const python = '/usr/bin/python3';

const pythonRun =
  (script: string): Run =>
  async <Result>(args: readonly string[]) => {
    const { stdout } = await promisify(execFile)(
      python,
      [join(packageFolder(), 'bench/peers', script), ...args],
      { maxBuffer: 64 * 1024 * 1024 },
    );
    return JSON.parse(stdout) as Result;
  };

function pythonLacks(module: string, hint: string): string | undefined {
  const lacks = !existsSync(python) || spawnSync(python, ['-c', `import ${module}`]).status !== 0;
  return lacks ? `apt-get install ${hint}` : undefined;
}

const present = () => undefined;

export const garner: IndexEngine = {
  name: garnerEngine,
  absent: present,
  measure: (job) =>
    measured(
      garnerEngine,
      probed('index-garner'),
      { positions: true, updates: true, notes: ['stems; each change is one atomic batch'] },
      job,
    ),
};

/** Reported only when the engine has an index without positions: it is then smaller than the other. */
export const garnerBare = (withPositions: () => IndexRow | undefined): IndexEngine => ({
  name: garnerWithoutPositions,
  absent: present,
  measure: async (job) => {
    const kind = { positions: false, updates: false, notes: [] };
    const row = await measured(garnerWithoutPositions, probed('index-garner-bare'), kind, job);
    const other = withPositions();
    if (other !== undefined && row.indexBytes > 0.98 * other.indexBytes)
      return 'the engine has no index without positions';
    return row;
  },
});

export const minisearch: IndexEngine = {
  name: 'minisearch',
  absent: present,
  measure: (job) => {
    const notes = ['stems; in memory, written as JSON; updates are not written'];
    return measured(
      'minisearch',
      probed('index-minisearch'),
      { positions: false, updates: true, notes },
      job,
    );
  },
};

export const fts5: IndexEngine = {
  name: 'fts5',
  absent: () => pythonLacks('sqlite3', 'python3'),
  measure: (job) => {
    const notes = ['stems; texts are not stored; WAL, synchronous=normal'];
    return measured('fts5', pythonRun('fts5.py'), { positions: true, updates: true, notes }, job);
  },
};

export const xapian: IndexEngine = {
  name: 'xapian',
  absent: () => pythonLacks('xapian', 'python3-xapian'),
  measure: (job) => {
    const notes = ['stems; updates are synced to the disk'];
    return measured('xapian', pythonRun('xapian_index.py'), { positions: true, updates: true, notes }, job);
  },
};
