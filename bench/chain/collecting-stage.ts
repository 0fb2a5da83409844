import { join } from 'node:path';
import type { Server } from '../harness/child.ts';
import { type Case, interleaved } from '../harness/harness.ts';
import { CopyOfSource } from '../material/copy-of-source.ts';
import { crawl, crawlerClient } from '../material/crawl.ts';
import type { Nginx } from '../programs/nginx.ts';
import type { GathererSays, Job } from './job.ts';

const megabyte = 1e6;

/** Collect the whole site into an empty store, and crawl it, in each round. */
export async function collectStage(
  job: Job,
  full: Server<GathererSays>,
  selected: Server<GathererSays>,
): Promise<void> {
  const { nginx, results, site } = job;
  const [collected, crawled]: [number[], number[]] = [[], []];
  const cases: Case[] = [
    {
      name: 'first collection, full text',
      run: async () => {
        const before = full.cpuSeconds;
        const { bytes, ms, handshake } = await collectOnce(job, full);
        results.add('collectFullCpu', (full.cpuSeconds - before) * 1000);
        results.add('collectFull', bytes / megabyte);
        results.add('collectFullPart', (100 * bytes) / site.bytes);
        results.add('collectFullSeconds', ms / 1000);
        results.add('collectHandshake', handshake);
        collected.push(bytes);
      },
    },
    {
      name: 'first collection, selected text',
      run: async () => {
        const { bytes } = await collectOnce(job, selected);
        results.add('collectSelected', bytes / megabyte);
        results.add('collectSelectedPart', (100 * bytes) / site.bytes);
      },
    },
  ];
  if (nginx === undefined) {
    const figures = ['crawlPlain', 'crawlGzip', 'crawlRatio', 'crawlGzipSeconds'] as const;
    results.skip([...figures, 'crawlPlainCpu', 'crawlGzipCpu'], 'SKIPPED, nginx is not installed');
  } else {
    for (const kind of ['plain', 'gzip'] as const) {
      const isGzip = kind === 'gzip';
      cases.push({
        name: `crawl, ${kind}`,
        run: async () => {
          const { bytes, seconds, cpuSeconds } = await crawlOnce(job, nginx, kind);
          results.add(isGzip ? 'crawlGzip' : 'crawlPlain', bytes / megabyte);
          results.add(isGzip ? 'crawlGzipCpu' : 'crawlPlainCpu', cpuSeconds * 1000);
          if (isGzip) results.add('crawlGzipSeconds', seconds);
          if (isGzip) crawled.push(bytes);
        },
      });
    }
  }
  await interleaved(cases, job);
  for (const [round, bytes] of crawled.entries())
    results.add('crawlRatio', bytes / (collected[round] as number));
}

async function collectOnce({ folder, site }: Job, gatherer: Server<GathererSays>) {
  await using copy = await CopyOfSource.open(join(folder, 'copy'), gatherer.said.collect);
  const { learned, bytesUp, bytesDown, ms } = await copy.collect();
  if (learned !== site.pages.length) throw new Error(`collected ${learned} of ${site.pages.length}`);
  const { handshakeSent, handshakeReceived } = copy.session.traffic;
  return { bytes: bytesUp + bytesDown, ms, handshake: handshakeSent + handshakeReceived };
}

/** Time and CPU come from the server without a log, bytes from the one with a log: logging costs time. */
async function crawlOnce({ site }: Job, nginx: Nginx, kind: 'plain' | 'gzip') {
  const quiet = nginx.url(kind);
  const counted = nginx.url(`counted ${kind}`);
  await using client = crawlerClient(quiet);
  const before = nginx.cpuSeconds;
  const started = performance.now();
  await crawl(client, quiet, site);
  const seconds = (performance.now() - started) / 1000;
  const cpuSeconds = nginx.cpuSeconds - before;
  await using countedClient = crawlerClient(counted);
  await crawl(countedClient, counted, site);
  return { bytes: await nginx.takeBytes(site.pages.length), seconds, cpuSeconds };
}
