import { mkdir, mkdtemp, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve, sep } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { RunReport } from '../../gatherer/index.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { gatherStage, wireStage } from './first-and-second-run-stage.ts';
import { censusOf } from './folder-census.ts';
import { type GatherJob, gather } from './folder-job.ts';
import { gatherFigures } from './gather-figures.ts';
import { pagefindProgram } from './pagefind.ts';
import { pdfStage } from './pdf-stage.ts';
import { runWords } from './run-report-text.ts';
import { searchableStage } from './searchable-stage.ts';
import { runTolerant } from './timed-garner.ts';

async function run(root: string, options: RunOptions): Promise<Measured> {
  if (!(await stat(root)).isDirectory()) throw new Error(`${root} is not a folder`);
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-'));
  try {
    options.onStep('counting the files');
    const census = await censusOf(root);
    if (census.files.length === 0) throw new Error(`${root} holds no files`);
    const job = { ...options, root, census, folder, results: new Results(gatherFigures) };
    const report = await gatherStage(job);
    await manyRootsStage(job);
    await wireStage(job);
    await pdfStage(job);
    const html = await searchableStage(job);
    const count = census.files.length.toLocaleString('en-US');
    return {
      input: [
        `Input: ${root}, ${count} files of ${(census.bytes / 1e6).toFixed(1)} MB; links and names with a dot in front are not counted.`,
        ...runWords(report),
        html,
      ],
      rows: job.results.rows(),
      skipped: job.results.skipped(),
    };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/**
 * Gather a folder for the first time and unchanged, collect it, and make it searchable, compared with pagefind on the
 * same HTML.
 */
export function gatherJob(folder: string): Benchmark {
  return {
    name: 'gather',
    describe: 'gather a folder twice and make it searchable, compared with pagefind',
    peers: { pagefind: [pagefindProgram, '--version'] },
    run: (options) => run(resolve(folder), options),
  };
}

/** Gather an unchanged folder again with a root for each folder in it, and an empty folder for comparison. */
async function manyRootsStage(job: GatherJob): Promise<void> {
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
  job.onStep(`first run, ${folders.length} roots`);
  const { objects } = (await run()).said;
  await gather(job, empty, emptyData, 'none');
  const again: number[] = [];
  const startUp: number[] = [];
  await interleaved(
    [
      {
        name: `second run, ${folders.length} roots`,
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
