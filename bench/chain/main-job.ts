import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';
import { Server } from '../harness/child.ts';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import { copySite } from '../material/corpus.ts';
import { makeQueries, type QuerySet } from '../material/queries.ts';
import { Nginx, nginxProgram } from '../programs/nginx.ts';
import { collectStage } from './collecting-stage.ts';
import { type Gathered, gatherStage } from './gathering-stage.ts';
import type { GathererSays, Job } from './job.ts';
import { mainFigures } from './main-figures.ts';
import { indexStage, queryStage, startStage } from './searching-stage.ts';
import { streamStage } from './stream-stage.ts';
import { unchangedStage } from './unchanged-stage.ts';

const querySeed = 1995;

async function run(options: RunOptions): Promise<Measured> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-'));
  try {
    options.onStep('copying the pages');
    const site = await copySite(join(folder, 'site'), options.quick);
    await using nginx = await Nginx.start(join(folder, 'nginx'), site);
    const results = new Results(mainFigures);
    await stages({ ...options, folder, site, nginx, results });
    const input = [
      `Input: the ${site.pages.length.toLocaleString('en-US')} HTML files of Debian's ${site.packages.join(', ')} (${(site.bytes / 1e6).toFixed(1)} MB, a symbolic link to a page among them), nothing else of these packages.`,
    ];
    return { input, rows: results.rows(), skipped: results.skipped() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** A Gatherer goes on with the settings it is given, not with those of its last run. */
const serve = (job: Job, gathered: Gathered, text: keyof Gathered) =>
  Server.start<GathererSays>(
    ['gatherer', 'serve', '--data', gathered[text], '--port', '0', '--text', text],
    job.folder,
  );

async function stages(job: Job): Promise<void> {
  const gathered = await gatherStage(job);
  const { data, sets } = await servedStages(job, gathered);
  await queryStage(job, data, sets);
  await startStage(job, data, sets[0]?.words[0]?.q ?? '');
}

async function servedStages(job: Job, gathered: Gathered) {
  await using full = await serve(job, gathered, 'full');
  {
    await using selected = await serve(job, gathered, 'selected');
    await collectStage(job, full, selected);
  }
  await unchangedStage(job, full, gathered.full);
  const data = await indexStage(job, full);
  await streamStage(job, full, gathered.full);
  job.results.add('gathererMemory', full.memory.now / 2 ** 20);
  return { data, sets: await queriesOf(job, full) };
}

/** One set of queries to warm up with and one for each round. */
async function queriesOf(
  { folder, rounds, quick }: Job,
  gatherer: Server<GathererSays>,
): Promise<readonly QuerySet[]> {
  await using copy = await CopyOfSource.open(join(folder, 'copy'), gatherer.said.collect);
  await copy.collect();
  const random = seededRandom(querySeed);
  // The store closes when this function ends.
  return await makeQueries(copy.store, { sets: rounds + 1, count: quick ? 50 : 200, random });
}

/** Gather, collect, index and search Debian's documentation, beside nginx serving the same pages to a crawler. */
export const mainJob: Benchmark = {
  name: 'main',
  describe: 'gather, collect, index and search three Debian manuals, beside nginx',
  peers: { nginx: [nginxProgram, '-v'] },
  run,
};
