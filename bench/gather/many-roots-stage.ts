import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunReport } from '../../gatherer/index.ts';
import { interleaved } from '../harness/harness.ts';
import { type GatherJob, gather } from './folder-job.ts';
import { runTolerant } from './timed-garner.ts';

/** With a root for each folder in the folder: gather again what has not changed, beside an empty folder. */
export async function manyRootsStage(job: GatherJob): Promise<void> {
  const { results, folder, census, root } = job;
  const inFolders = census.files.filter((file) => file.includes(sep));
  const folders = [...new Set(inFolders.map((file) => file.slice(0, file.indexOf(sep))))];
  if (folders.length < 2)
    return results.skip(['rootsCpu', 'rootsFileCpu'], 'SKIPPED, the folder does not hold several folders');
  const where = join(folder, 'many-roots');
  const [empty, emptyData] = [join(where, 'empty'), join(where, 'gathered-empty')];
  await mkdir(empty, { recursive: true });
  const roots = folders.map((name) => `    - { url: '${pathToFileURL(join(root, name)).href}' }\n`);
  await writeFile(join(where, 'garner.yaml'), `gatherer:\n  roots:\n${roots.join('')}`);
  const data = join(where, 'gathered');
  const run = () => runTolerant<RunReport>(['gatherer', 'run', '--data', data, '--text', 'none'], where);
  job.onStep(`gathering anew, ${folders.length} roots`);
  const { objects } = (await run()).said;
  await gather(job, empty, emptyData, 'none');
  const again: number[] = [];
  const startUp: number[] = [];
  await interleaved(
    [
      {
        name: `gathering again, ${folders.length} roots`,
        run: async () => {
          const { said, cpuSeconds } = await run();
          if (said.unchanged !== objects) throw new Error(`${said.unchanged} of ${objects} were unchanged`);
          results.add('rootsCpu', cpuSeconds);
          again.push(cpuSeconds);
        },
      },
      {
        name: 'gathering an empty folder',
        run: async () => {
          startUp.push((await gather(job, empty, emptyData, 'none')).cpuSeconds);
        },
      },
    ],
    job,
  );
  for (const [round, cpu] of again.entries())
    results.add('rootsFileCpu', ((cpu - (startUp[round] as number)) * 1e6) / inFolders.length);
  await rm(where, { recursive: true });
}
