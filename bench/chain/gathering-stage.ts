import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { runGarner } from '../harness/child.ts';
import { interleaved } from '../harness/harness.ts';
import { baseUrl, type Job } from './job.ts';

/** Data folders of a Gatherer that has gathered the site, by how much text its summaries hold. */
export interface Gathered {
  readonly full: string;
  readonly selected: string;
}

interface Run {
  readonly objects: number;
  readonly failed: number;
  readonly bytesRead: number;
}

/** Gather the site anew each round; what the last round made is left for the stages that follow. */
export async function gatherStage(job: Job): Promise<Gathered> {
  const { folder, site, results } = job;
  const once = async (text: keyof Gathered) => {
    const data = join(folder, `gathered-${text}`);
    await rm(data, { recursive: true, force: true });
    const args = ['--root', site.folder, '--base-url', baseUrl, '--data', data, '--text', text];
    const { said, seconds, cpuSeconds, peakBytes } = await runGarner<Run>(
      ['gatherer', 'run', ...args],
      folder,
    );
    if (said.objects !== site.pages.length || said.failed > 0 || said.bytesRead !== site.bytes)
      throw new Error(`gathered ${JSON.stringify(said)}, not ${site.pages.length} pages`);
    const rate = site.pages.length / cpuSeconds;
    results.add(text === 'full' ? 'gatherFull' : 'gatherSelected', rate);
    results.add(text === 'full' ? 'gatherFullSeconds' : 'gatherSelectedSeconds', seconds);
    if (text === 'full') results.add('gatherPeak', peakBytes / 2 ** 20);
  };
  await interleaved(
    [
      { name: 'gathering, full text', run: () => once('full') },
      { name: 'gathering, selected text', run: () => once('selected') },
    ],
    job,
  );
  return { full: join(folder, 'gathered-full'), selected: join(folder, 'gathered-selected') };
}
