import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import type { RunReport } from '../../gatherer/index.ts';
import type { GathererSays } from '../chain/job.ts';
import { Server } from '../harness/child.ts';
import { interleaved } from '../harness/harness.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import { type GatherJob, gather, mebibyte } from './folder-job.ts';

/**
 * A first and a second run in each round, and the same for an empty folder. Resolves to the report of the last first
 * run.
 */
export async function gatherStage(job: GatherJob): Promise<RunReport> {
  const { results, folder, census, root } = job;
  const empty = join(folder, 'empty');
  const data = join(folder, 'gathered');
  const emptyData = join(folder, 'gathered-empty');
  await mkdir(empty);
  await gather(job, empty, emptyData, 'full');
  let report: RunReport | undefined;
  const again: number[] = [];
  const startUp: number[] = [];
  await interleaved(
    [
      {
        name: 'first run, then second run',
        run: async () => {
          await rm(data, { recursive: true, force: true });
          const first = await gather(job, root, data, 'full');
          report = first.said;
          results.add('firstSeconds', first.seconds);
          results.add('firstCpu', first.cpuSeconds);
          results.add('firstRate', report.objects / first.cpuSeconds);
          results.add('firstBytesRate', report.bytesRead / 1e6 / first.cpuSeconds);
          results.add('firstPeak', first.peakBytes / mebibyte);
          const second = await gather(job, root, data, 'full');
          results.add('againSeconds', second.seconds);
          results.add('againCpu', second.cpuSeconds);
          results.add('againBytes', second.said.bytesRead / 1e6);
          results.add('againPeak', second.peakBytes / mebibyte);
          again.push(second.cpuSeconds);
        },
      },
      {
        name: 'gathering an empty folder',
        run: async () => {
          const { cpuSeconds } = await gather(job, empty, emptyData, 'full');
          results.add('emptyCpu', cpuSeconds);
          startUp.push(cpuSeconds);
        },
      },
    ],
    job,
  );
  for (const [round, cpu] of again.entries())
    results.add('againFileCpu', ((cpu - (startUp[round] as number)) * 1e6) / census.files.length);
  return report as RunReport;
}

/** Collect the folder once with each level of text; the bytes do not vary. */
export async function wireStage(job: GatherJob): Promise<void> {
  const levels = [
    ['none', 'wireNone', 'wireNoneTimes'],
    ['selected', 'wireSelected', 'wireSelectedTimes'],
    ['full', 'wireFull', 'wireFullTimes'],
  ] as const;
  for (const [text, bytesFigure, timesFigure] of levels) {
    job.signal.throwIfAborted();
    job.onStep(`collecting, text ${text}`);
    const data = join(job.folder, text === 'full' ? 'gathered' : `gathered-${text}`);
    if (text !== 'full') await gather(job, job.root, data, text);
    const args = ['gatherer', 'serve', '--data', data, '--port', '0', '--text', text];
    await using gatherer = await Server.start<GathererSays>(args, job.folder);
    await using copy = await CopyOfSource.open(join(job.folder, 'copy'), gatherer.said.collect);
    const { bytesUp, bytesDown } = await copy.collect();
    job.results.add(bytesFigure, (bytesUp + bytesDown) / 1e6);
    job.results.add(timesFigure, job.census.bytes / (bytesUp + bytesDown));
  }
}
