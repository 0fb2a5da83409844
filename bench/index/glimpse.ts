import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type GlimpseSize, glimpseSizes } from '../../broker/index.ts';
import { runProbe } from '../harness/child.ts';
import { median } from '../harness/statistics.ts';
import { bytesBelow } from '../material/folder-bytes.ts';
import { type IndexEngine, type IndexJob, part, slowQueries, timesOf, timesOfRounds } from './engine.ts';
import type { AskedWithErrors, Built, IndexRow, Reopened } from './figures.ts';
import { garnerGlimpse } from './goals.ts';

/** Phrases are told by places at the largest size and by reading objects at the others. */
async function measured(size: GlimpseSize, job: IndexJob): Promise<IndexRow> {
  const { documentation, rounds } = job;
  const folder = join(job.folder, 'index');
  const wordFile = join(job.folder, 'words.json');
  await writeFile(wordFile, JSON.stringify(job.oneErrorWords));
  const run = <Told>(task: string, ...args: string[]) =>
    runProbe<Told>('index-glimpse', [task, folder, size, ...args], job.folder);
  const built = await run<Built>('build', documentation.file);
  const indexBytes = await bytesBelow(folder);
  const store = await job.store();
  const reopened: number[] = [];
  for (let round = 0; round < rounds; round++) {
    job.signal.throwIfAborted();
    reopened.push((await run<Reopened>('reopen', store, job.word)).ms);
  }
  // Once, as Debian's programs are asked: it takes minutes.
  const asked = await run<AskedWithErrors>('ask', store, job.queryFile, wordFile);
  return {
    engine: garnerGlimpse(size),
    positions: size === 'medium',
    ...{ buildSeconds: built.seconds, buildCpuSeconds: built.cpuSeconds, peakBytes: built.peakBytes },
    ...{ indexBytes, indexPart: part(indexBytes, documentation) },
    queries: timesOfRounds([asked]),
    oneError: timesOf(asked.oneError),
    reopenMs: median(reopened),
    notes: [
      "stems; asked within a process that stays, over a Broker's store, which is no part of its bytes; unranked",
      `the first ${slowQueries} queries in one round, each asked once before`,
    ],
  };
}

export const garnerGlimpses: readonly IndexEngine[] = glimpseSizes.map((size) => ({
  name: garnerGlimpse(size),
  absent: () => undefined,
  measure: (job) => measured(size, job),
}));
