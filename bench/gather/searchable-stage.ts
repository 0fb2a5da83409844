import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { interleaved } from '../harness/harness.ts';
import { copyHtml } from './folder-census.ts';
import { type GatherJob, mebibyte } from './folder-job.ts';
import type { GatherFigure } from './gather-figures.ts';
import { pagefindAbsent, runPagefind } from './pagefind.ts';
import { runToFirstLine } from './timed-garner.ts';

/** Measure the time from process start until everything is searchable, over the same HTML as pagefind. */
export async function searchableStage(job: GatherJob): Promise<string> {
  const { results, folder, root } = job;
  const data = join(folder, 'up');
  const up = async (site: string) => {
    await rm(data, { recursive: true, force: true });
    return runToFirstLine<{ readonly objects: number }>(['up', site, '--data', data, '--port', '0'], folder);
  };
  const every = await up(root);
  results.add('upAllSeconds', every.seconds);
  results.add('upAllPeak', every.peakBytes / mebibyte);
  const site = join(folder, 'html');
  const html = await copyHtml(root, site, job.census);
  const upIds = ['upSeconds', 'upCpu', 'upPeak'] as const;
  const peerIds = ['pagefindSeconds', 'pagefindCpu', 'pagefindPeak'] as const;
  const ratioIds = ['pagefindTimes', 'pagefindCpuTimes'] as const;
  if (html.files.length === 0) {
    results.skip([...upIds, ...peerIds, ...ratioIds], 'SKIPPED, the folder holds no HTML');
    return 'There is no HTML in it.';
  }
  const ours: [number, number][] = [];
  const theirs: [number, number][] = [];
  let pages = 0;
  const cases = [
    {
      name: 'garner up',
      run: async () => {
        const { seconds, cpuSeconds, peakBytes } = await up(site);
        for (const [at, value] of [seconds, cpuSeconds, peakBytes / mebibyte].entries())
          results.add(upIds[at] as GatherFigure, value);
        ours.push([seconds, cpuSeconds]);
      },
    },
  ];
  const absent = pagefindAbsent();
  if (absent !== undefined) results.skip([...peerIds, ...ratioIds], absent);
  else
    cases.push({
      name: 'pagefind',
      run: async () => {
        const { seconds, cpuSeconds, peakBytes, ...indexed } = await runPagefind(site, folder);
        for (const [at, value] of [seconds, cpuSeconds, peakBytes / mebibyte].entries())
          results.add(peerIds[at] as GatherFigure, value);
        theirs.push([seconds, cpuSeconds]);
        pages = indexed.pages;
      },
    });
  await interleaved(cases, job);
  for (const [round, their] of theirs.entries())
    for (const [at, id] of ratioIds.entries())
      results.add(id, (their[at] as number) / ((ours[round] as [number, number])[at] as number));
  const count = html.files.length.toLocaleString('en-US');
  return `Its HTML: ${count} files, ${(html.bytes / 1e6).toFixed(1)} MB; pagefind indexed ${pages.toLocaleString('en-US')} of them.`;
}
