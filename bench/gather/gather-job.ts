import { mkdtemp, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { gatherStage, wireStage } from './first-and-second-run-stage.ts';
import { censusOf } from './folder-census.ts';
import { gatherFigures } from './gather-figures.ts';
import { manyRootsStage } from './many-roots-stage.ts';
import { pagefindProgram } from './pagefind.ts';
import { pdfStage } from './pdf-stage.ts';
import { runWords } from './run-report-text.ts';
import { searchableStage } from './searchable-stage.ts';

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

/** Gather a folder anew and unchanged, collect it, and make it searchable, beside pagefind on the same HTML. */
export function gatherJob(folder: string): Benchmark {
  return {
    name: 'gather',
    describe: 'gather a folder anew and unchanged, and make it searchable beside pagefind',
    peers: { pagefind: [pagefindProgram, '--version'] },
    run: (options) => run(resolve(folder), options),
  };
}
