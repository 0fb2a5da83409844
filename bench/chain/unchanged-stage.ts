import { join } from 'node:path';
import { callControl } from '../../http/index.ts';
import { readHolder } from '../../store/index.ts';
import type { Server } from '../harness/child.ts';
import { type Case, interleaved } from '../harness/harness.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import { crawl, crawlerClient, recrawl, validatorsOf } from '../material/crawl.ts';
import type { Nginx } from '../programs/nginx.ts';
import type { GathererSays, Job } from './job.ts';

interface Cost {
  readonly bytes: number;
  readonly cpuSeconds: number;
}

/** Measure checks for changes when nothing has changed: by a session, by a crawl, by a sitemap. */
export async function unchangedStage(job: Job, gatherer: Server<GathererSays>, data: string): Promise<void> {
  const { folder, nginx, results } = job;
  const [rounds, crawls]: [Cost[], Cost[]] = [[], []];
  await using copy = await CopyOfSource.open(join(folder, 'copy'), gatherer.said.collect);
  await copy.collect();
  const cases: Case[] = [
    {
      name: 'unchanged rounds on an open session',
      run: async () => {
        const cost = await sessionRounds(copy, gatherer, job.quick ? 100 : 1000);
        results.add('roundBytes', cost.bytes);
        results.add('roundCpu', cost.cpuSeconds * 1e6);
        rounds.push(cost);
      },
    },
    {
      name: 'scanning the unchanged folder',
      run: async () => results.add('regatherCpu', (await regather(job, gatherer, data)) * 1000),
    },
  ];
  if (nginx === undefined) {
    const figures = ['recrawlBytes', 'sitemapBytes', 'bytesRatio', 'recrawlCpu', 'sitemapCpu'] as const;
    results.skip([...figures, 'cpuRatio'], 'SKIPPED, nginx is not installed');
  } else {
    cases.push(
      {
        name: 'conditional crawl',
        run: async () => {
          const cost = await conditionalCrawl(job, nginx);
          results.add('recrawlBytes', cost.bytes / 1000);
          results.add('recrawlCpu', cost.cpuSeconds * 1000);
          crawls.push(cost);
        },
      },
      {
        name: 'conditional requests for a sitemap',
        run: async () => {
          const cost = await sitemapRequests(job, nginx);
          results.add('sitemapBytes', cost.bytes);
          results.add('sitemapCpu', cost.cpuSeconds * 1e6);
        },
      },
    );
  }
  await interleaved(cases, job);
  for (const [at, crawled] of crawls.entries()) {
    const round = rounds[at] as Cost;
    results.add('bytesRatio', crawled.bytes / round.bytes);
    results.add('cpuRatio', crawled.cpuSeconds / round.cpuSeconds);
  }
}

/** One round is too short for the CPU clock: run many; bytes are those of the largest round. */
async function sessionRounds(
  copy: CopyOfSource,
  gatherer: Server<GathererSays>,
  times: number,
): Promise<Cost> {
  let bytes = 0;
  const before = gatherer.cpuSeconds;
  for (let at = 0; at < times; at++) {
    const { bytesUp, bytesDown, schemes } = await copy.collect();
    if (schemes.length > 0) throw new Error(`an unchanged round ran ${schemes.join(', ')}`);
    bytes = Math.max(bytes, bytesUp + bytesDown);
  }
  return { bytes, cpuSeconds: (gatherer.cpuSeconds - before) / times };
}

/** CPU seconds of a run over the folder in the process that serves. */
async function regather({ site }: Job, gatherer: Server<GathererSays>, data: string): Promise<number> {
  const holder = await readHolder(join(data, 'gatherer'));
  if (holder?.address === undefined || holder.token === undefined)
    throw new Error(`no process holds ${data}/gatherer`);
  const before = gatherer.cpuSeconds;
  const door = { address: holder.address, token: holder.token };
  const run = (await callControl(door, '/control/run', { method: 'POST' })) as { readonly unchanged: number };
  const cpuSeconds = gatherer.cpuSeconds - before;
  if (run.unchanged !== site.pages.length) throw new Error(`${run.unchanged} pages were unchanged`);
  return cpuSeconds;
}

async function conditionalCrawl({ site, quick }: Job, nginx: Nginx): Promise<Cost> {
  const times = quick ? 1 : 5;
  const quiet = nginx.url('plain');
  const counted = nginx.url('counted plain');
  await using client = crawlerClient(quiet);
  const validators = await crawl(client, quiet, site);
  const before = nginx.cpuSeconds;
  for (let at = 0; at < times; at++) await recrawl(client, quiet, validators);
  const cpuSeconds = (nginx.cpuSeconds - before) / times;
  await using countedClient = crawlerClient(counted);
  await recrawl(countedClient, counted, validators);
  return { bytes: await nginx.takeBytes(site.pages.length), cpuSeconds };
}

async function sitemapRequests({ quick }: Job, nginx: Nginx): Promise<Cost> {
  const times = quick ? 100 : 1000;
  const quiet = nginx.url('plain');
  const counted = nginx.url('counted plain');
  await using client = crawlerClient(quiet);
  const validators = await validatorsOf(client, quiet, 'sitemap.xml');
  const before = nginx.cpuSeconds;
  for (let at = 0; at < times; at++) await recrawl(client, quiet, validators);
  const cpuSeconds = (nginx.cpuSeconds - before) / times;
  await using countedClient = crawlerClient(counted);
  await recrawl(countedClient, counted, validators);
  return { bytes: await nginx.takeBytes(1), cpuSeconds };
}
