import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProbe, Server } from '../harness/child.ts';
import type { Benchmark, Measured, RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { keepOnClientCore, wrkAbsent, wrkProgram } from '../programs/wrk.ts';
import { cacheFigures, figureIds, millionObjects } from './figures.ts';
import { measureHits } from './hits.ts';
import type { MillionStored } from './million.ts';
import { measureMisses } from './misses.ts';
import type { CacheOriginSays } from './origin.ts';
import { cachePeers } from './peers.ts';
import { type CacheServer, cacheNames, isInstalled, startCache } from './server.ts';

const quickObjects = 20_000;

/** Hits and misses of every cache that is here, each on the one core in turn. */
async function measureServers(folder: string, results: Results<string>, options: RunOptions): Promise<void> {
  await using origin = await Server.startProbe<CacheOriginSays>('cache-origin', [], folder);
  keepOnClientCore(origin.said.pid);
  const originPort = origin.said.port;
  const servers: CacheServer[] = [];
  try {
    for (const name of cacheNames) {
      if (!isInstalled(name)) continue;
      options.onStep(`starting ${name}`);
      servers.push(await startCache(name, { folder, originPort }));
    }
    await measureHits(servers, results, { ...options, folder });
    await measureMisses(servers, `http://127.0.0.1:${originPort}/`, results, { ...options, folder });
  } finally {
    for (const server of servers) await server[Symbol.asyncDispose]();
  }
}

async function measureMillion(folder: string, results: Results<string>, options: RunOptions): Promise<void> {
  const objects = options.quick ? quickObjects : millionObjects;
  const data = join(folder, 'million');
  await mkdir(data);
  options.onStep(`storing ${objects.toLocaleString('en-US')} objects`);
  const filled = await runProbe<MillionStored>('cache-fill', [data, String(objects)], folder);
  options.onStep('opening them again');
  const opened = await runProbe<MillionStored>('cache-open', [data], folder);
  for (const { objects: found } of [filled, opened])
    if (found !== objects) throw new Error(`${found} objects of ${objects} are there`);
  results.add(figureIds.million('filling'), objects / filled.seconds);
  results.add(figureIds.million('filled'), filled.grownBytes / 1e6);
  results.add(figureIds.million('opening'), opened.seconds);
  results.add(figureIds.million('opened'), opened.grownBytes / 1e6);
}

async function run(options: RunOptions): Promise<Measured> {
  const results = new Results<string>(cacheFigures);
  const absent = wrkAbsent();
  const ids = Object.keys(cacheFigures);
  const skip = (which: (id: string) => boolean, reason: string) => results.skip(ids.filter(which), reason);
  for (const { name } of cachePeers)
    if (!isInstalled(name))
      skip(
        (id) => id.split(' ').includes(name),
        `SKIPPED, ${name} is not installed (apt-get install ${name})`,
      );
  const folder = await mkdtemp(join(tmpdir(), 'garner-bench-cache-'));
  try {
    // Some of the caches give their rights away when they have started.
    await chmod(folder, 0o755);
    if (absent === undefined) await measureServers(folder, results, options);
    else skip((id) => !id.startsWith('million'), absent);
    await measureMillion(folder, results, options);
    const input = [
      'Input: objects that may be kept for a day, from a server of their own beside wrk; each cache with its Debian defaults but for logs, which are off, and 256 MB of memory; Garner with its store on disk.',
    ];
    return { input, rows: results.rows(), skipped: results.skipped() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** How fast an Object Cache is, beside the caches of others, and what an index of a million objects costs. */
export const cacheJob: Benchmark = {
  name: 'cache',
  describe:
    'hits a second and time added to a miss on one core, beside squid, nginx, varnish and trafficserver',
  peers: {
    ...Object.fromEntries(cachePeers.map(({ name, program, flag }) => [name, [program, flag] as const])),
    wrk: [wrkProgram, '-v'],
  },
  run,
};
