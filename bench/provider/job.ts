import { chmod, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { seededRandom } from '../../kernel/index.ts';
import type { GathererSays } from '../chain/job.ts';
import { runGarner, Server } from '../harness/child.ts';
import {
  type Benchmark,
  type Case,
  interleaved,
  type Measured,
  type RunOptions,
} from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import type { Site } from '../material/corpus.ts';
import { Nginx, nginxProgram } from '../programs/nginx.ts';
import { Vsftpd, vsftpdAbsent, vsftpdProgram } from '../programs/vsftpd.ts';
import { type Costs, factorsOf } from './factors.ts';
import {
  type Content,
  type Cost,
  contents,
  type Factor,
  factorNames,
  type ProviderFigure,
  providerFigures,
  type Retrieval,
  type Stream,
  siteFiles,
  streams,
} from './figures.ts';
import { streamCost } from './full-streams.ts';
import { byFtp, byHttp, byLocalFile, type ObjectCost } from './retrievals.ts';
import { writeSmallFiles } from './small-files.ts';

const seed = 1994;
const costs = ['cpu', 'elapsed'] as const satisfies readonly Cost[];
const streamWays = Object.keys(streams) as readonly Stream[];

/** The measurements of one round, in seconds. */
class Round {
  readonly object: Partial<Record<Retrieval, ObjectCost>> = {};
  readonly stream: Partial<Record<Stream, ObjectCost>> = {};
  readonly siteStream: Partial<Record<Stream, ObjectCost>> = {};

  costs(cost: Cost): Costs {
    const only = <Key extends string>(all: Partial<Record<Key, ObjectCost>>) =>
      Object.fromEntries(
        Object.entries<ObjectCost | undefined>(all).flatMap(([key, one]) => (one ? [[key, one[cost]]] : [])),
      ) as Record<Key, number>;
    return {
      object: only<Retrieval>(this.object),
      stream: only<Stream>(this.stream),
      siteStream: only<Stream>(this.siteStream),
    };
  }
}

async function gathered(site: Site, folder: string, data: string): Promise<Server<GathererSays>> {
  const where = ['--root', site.folder, '--base-url', 'http://files.example.org/', '--data', data];
  const { said } = await runGarner<{ readonly objects: number }>(['gatherer', 'run', ...where], folder);
  if (said.objects !== site.pages.length)
    throw new Error(`gathered ${said.objects} of ${site.pages.length} small files`);
  return Server.start<GathererSays>(['gatherer', 'serve', '--data', data, '--port', '0'], folder);
}

/** Measure all ways with files of one content. */
async function measure(
  content: Content,
  folder: string,
  options: RunOptions,
  results: Results<ProviderFigure>,
): Promise<void> {
  const { quick } = options;
  const bytes = contents[content];
  const random = seededRandom(seed);
  const site = await writeSmallFiles(join(folder, 'files'), quick ? 100 : 1000, bytes, random);
  const whole = await writeSmallFiles(join(folder, 'whole'), siteFiles, bytes, random);
  await using gatherer = await gathered(site, folder, join(folder, 'gathered'));
  await using wholeGatherer = await gathered(whole, folder, join(folder, 'gathered-whole'));
  await using nginx = await Nginx.start(join(folder, 'nginx'), site);
  const absent = vsftpdAbsent();
  const ftp = (isolated: boolean) =>
    absent === undefined ? Vsftpd.start(join(folder, `ftp-${isolated}`), site.folder, isolated) : undefined;
  await using isolated = await ftp(true);
  await using bare = await ftp(false);

  const rounds = Array.from({ length: options.rounds + 1 }, () => new Round());
  const cases: Case[] = [];
  const retrieve = (way: Retrieval, reason: string | undefined, once: () => Promise<ObjectCost>) => {
    if (reason === undefined)
      cases.push({
        name: `${content}, ${way}`,
        run: async (round) => {
          (rounds[round] as Round).object[way] = await once();
        },
      });
    else
      results.skip(
        costs.map((cost) => `${content}.${way}.${cost}` as const),
        reason,
      );
  };
  const noNginx = nginx === undefined ? 'SKIPPED, nginx is not installed' : undefined;
  retrieve('ftpNew', absent, () => byFtp(isolated as Vsftpd, site, false));
  retrieve('ftpBare', absent, () => byFtp(bare as Vsftpd, site, false));
  retrieve('ftpKept', absent, () => byFtp(bare as Vsftpd, site, true));
  retrieve('httpNew', noNginx, () => byHttp(nginx as Nginx, site, false));
  retrieve('httpKept', noNginx, () => byHttp(nginx as Nginx, site, true));
  retrieve('local', undefined, () => byLocalFile(site, folder, 20));
  const times = quick ? 2 : 10;
  for (const way of streamWays) {
    cases.push({
      name: `${content}, ${way}`,
      run: async (at) => {
        const round = rounds[at] as Round;
        round.stream[way] = await streamCost(way, { gatherer, site, folder, times });
        round.siteStream[way] = await streamCost(way, {
          gatherer: wholeGatherer,
          site: whole,
          folder,
          times,
        });
      },
    });
  }
  // One more round than requested: the first warms up and is not counted.
  await interleaved(cases, { ...options, rounds: options.rounds + 1 });
  for (const round of rounds.slice(1)) note(content, round, site.pages.length, results);
  const missing = absent ?? noNginx;
  if (missing === undefined) return;
  const known = Object.keys(factorsOf((rounds[0] as Round).costs('cpu')));
  for (const factor of factorNames)
    if (!known.includes(factor))
      results.skip(
        costs.map((cost) => `${content}.${factor}.${cost}` as const),
        missing,
      );
}

/** Add a round's figures to the results: costs per object in microseconds, and factors. */
function note(content: Content, round: Round, objects: number, results: Results<ProviderFigure>): void {
  for (const cost of costs) {
    const of = round.costs(cost);
    const add = (way: Retrieval | Stream, seconds: number) =>
      results.add(`${content}.${way}.${cost}`, seconds * 1e6);
    for (const [way, seconds] of Object.entries(of.object)) add(way as Retrieval, seconds);
    for (const [way, seconds] of Object.entries(of.stream)) add(way as Stream, seconds / objects);
    for (const [factor, value] of Object.entries(factorsOf(of)))
      results.add(`${content}.${factor as Factor}.${cost}`, value);
  }
}

async function run(options: RunOptions): Promise<Measured> {
  const results = new Results(providerFigures);
  for (const content of Object.keys(contents) as Content[]) {
    const folder = await mkdtemp(join(tmpdir(), 'garner-bench-'));
    try {
      // Servers without privileges read here.
      await chmod(folder, 0o755);
      await measure(content, folder, options, results);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  }
  const input = [
    `Input: ${options.quick ? '100' : '1,000'} files, empty as in the paper and of 1 KiB each; a site of the paper has 2,300.`,
    'CPU of the provider is that of the server and its processes; the client is not counted. Streams are per object too. Elapsed time is of one client that sends one request after another.',
    'FTP in the factors is the cheaper of the two with a new connection. The streams of 2,300 files are measured, not scaled.',
  ];
  return { input, rows: results.rows(), skipped: results.skipped() };
}

/** The paper's central measurement (section 3.1): the cost to a provider of being gathered, by every way. */
export const providerJob: Benchmark = {
  name: 'provider',
  describe: 'cost to a provider of an object by FTP, HTTP, file and stream, as in the paper',
  peers: { nginx: [nginxProgram, '-v'], vsftpd: [vsftpdProgram, '-v'] },
  run,
};
