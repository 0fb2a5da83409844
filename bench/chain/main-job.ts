import { mkdtemp, readdir, rm, stat, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';
import { runGarner, runProbe, Server } from '../harness/child.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { median } from '../harness/statistics.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import { copySite } from '../material/corpus.ts';
import { makeQueries, type QuerySet } from '../material/queries.ts';
import type { ParserMeasured } from '../probes/parser.ts';
import type { WireMeasured } from '../probes/wire-receiver.ts';
import type { WireSenderSays } from '../probes/wire-sender.ts';
import { Nginx, nginxProgram } from '../programs/nginx.ts';
import { collectStage } from './collecting-stage.ts';
import { baseUrl, type GathererSays, type Job } from './job.ts';
import { type MainFigure, mainFigures } from './main-figures.ts';
import { indexStage, queryStage, startStage } from './searching-stage.ts';
import { unchangedStage } from './unchanged-stage.ts';

const inflaters: readonly (readonly [name: string, rate: MainFigure, receiver: MainFigure])[] = [
  ['zlib-sync', 'wireSyncRate', 'wireSyncReceiver'],
  ['node:zlib', 'wireNodeRate', 'wireNodeReceiver'],
];

/** Measure the classic stream and the wire with the objects of the site. */
async function streamStage(job: Job, gatherer: Server<GathererSays>, data: string): Promise<void> {
  const { folder, site, results, quick } = job;
  const file = join(folder, 'stream.soif');
  const response = await fetch(gatherer.said.soif, { headers: { 'accept-encoding': 'identity' } });
  if (!response.ok) throw new Error(`${gatherer.said.soif} was answered with ${response.status}`);
  const stream = new Uint8Array(await response.arrayBuffer());
  await writeFile(file, stream);
  results.add('streamBytes', stream.length / 1e6);
  const ready = (await readdir(join(data, 'gatherer'))).find((name) => /^soif-.*\.gz$/.test(name));
  if (ready === undefined) throw new Error('no compressed stream is ready');
  results.add('streamGzip', (await stat(join(data, 'gatherer', ready))).size / 1e6);

  await using sender = await Server.startProbe<WireSenderSays>('wire-sender', [file], folder);
  const parse = async () => {
    const args = [file, String(site.pages.length), quick ? '3' : '10'];
    const { rates } = await runProbe<ParserMeasured>('parser', args, folder);
    results.add('parserFirst', rates[0] as number);
    results.add('parserRate', median(rates.slice(1)));
  };
  const receive = async ([name, rate, receiver]: (typeof inflaters)[number]) => {
    const before = sender.cpuSeconds;
    const measured = await runProbe<WireMeasured | null>('wire-receiver', [sender.said.url, name], folder);
    if (measured === null) return results.skip([rate, receiver], `SKIPPED, ${name} is not installed`);
    const megabytes = measured.decodedBytes / 1e6;
    results.add(rate, megabytes / measured.seconds);
    results.add(receiver, megabytes / measured.cpuSeconds);
    // Everything was sent twice, once of it to warm up.
    results.add('wireSender', (2 * megabytes) / (sender.cpuSeconds - before));
  };
  await interleaved(
    [
      { name: 'SOIF parser', run: parse },
      ...inflaters.map((one) => ({ name: `wire, ${one[0]}`, run: () => receive(one) })),
    ],
    job,
  );
}

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

/** Serve a Gatherer's data with the given settings, not with those of its last run. */
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

/** One set of queries for warming up, and one for each round. */
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

/**
 * Gather, collect, index and search Debian's documentation, compared with nginx serving the same pages to a crawler.
 */
export const mainJob: Benchmark = {
  name: 'main',
  describe: 'gather, collect, index and search three Debian manuals, beside nginx',
  peers: { nginx: [nginxProgram, '-v'] },
  run,
};

/** Data folders of a Gatherer that has gathered the site, by the level of text of its summaries. */
interface Gathered {
  readonly full: string;
  readonly selected: string;
}

interface Run {
  readonly objects: number;
  readonly failed: number;
  readonly bytesRead: number;
}

/** Gather the site from scratch in each round; the data of the last round stays for the later stages. */
async function gatherStage(job: Job): Promise<Gathered> {
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
