import { chmod, mkdir, mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runProbe, Server } from '../harness/child.ts';
import { type Benchmark, interleaved, type Measured, type RunOptions } from '../harness/harness.ts';
import { Results } from '../harness/results.ts';
import { askOneWithWrk, keepOnClientCore, wrkAbsent, wrkProgram } from '../programs/wrk.ts';
import { cacheFigures, figureIds, type HitSize, hitSizes, millionObjects } from './figures.ts';
import type { MillionStored } from './million.ts';
import { measureMisses } from './misses.ts';
import type { CacheOriginSays } from './origin.ts';
import { cachePeers } from './peers.ts';
import { type CacheServer, cacheNames, isInstalled, startCache } from './server.ts';

const connections = 32;
const [wholeSeconds, quickSeconds] = [5, 1];
const warmSeconds = 1;

/** Fetch a URL until the cache has it in memory and the server is warm. */
async function warm(url: string, folder: string): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}`);
  }
  await askOneWithWrk(url, { seconds: warmSeconds, folder, connections });
}

/** Measure the hits a second that each cache answers on one core, one size after another. */
async function measureHits(
  servers: readonly CacheServer[],
  results: Results<string>,
  options: RunOptions & { readonly folder: string },
): Promise<void> {
  const seconds = options.quick ? quickSeconds : wholeSeconds;
  const { folder } = options;
  const rates = new Map<string, number[]>();
  const ask = async (server: CacheServer, size: HitSize) => {
    const url = `${server.url}${size * 1024}/hit`;
    await warm(url, folder);
    const before = server.cpuSeconds();
    const counted = await askOneWithWrk(url, { seconds, folder, connections });
    const cpu = server.cpuSeconds() - before;
    const rate = counted.requests / counted.seconds;
    const id = figureIds.rate(server.name, size);
    results.add(id, rate);
    results.add(figureIds.cpu(server.name, size), (1e6 * cpu) / counted.requests);
    rates.set(id, [...(rates.get(id) ?? []), rate]);
  };
  for (const size of hitSizes)
    await interleaved(
      servers.map((server) => ({
        name: `hits of ${size} KiB, ${server.name}`,
        run: () => ask(server, size),
      })),
      options,
    );
  for (const size of hitSizes)
    for (const { name } of servers.filter((one) => one.name !== 'garner'))
      for (const [round, ours] of (rates.get(figureIds.rate('garner', size)) ?? []).entries())
        results.add(
          figureIds.times(name, size),
          ours / (rates.get(figureIds.rate(name, size))?.[round] ?? Number.NaN),
        );
}

const quickObjects = 20_000;

/** Measure hits and misses of every installed cache, one after another on one core. */
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
    // Some of the caches drop their privileges after start.
    await chmod(folder, 0o755);
    if (absent === undefined) await measureServers(folder, results, options);
    else skip((id) => !id.startsWith('million'), absent);
    await measureMillion(folder, results, options);
    const input = [
      'Input: objects that are fresh for a day, from a server of their own on the core of wrk; each cache with its Debian defaults, except that logs are off and memory is 256 MB; Garner with its store on disk.',
    ];
    return { input, rows: results.rows(), skipped: results.skipped() };
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

/** The speed of an Object Cache, compared with other caches, and the cost of an index of a million objects. */
export const cacheJob: Benchmark = {
  name: 'cache',
  describe:
    'hits a second and time added to a miss on one core, against squid, nginx, varnish and trafficserver',
  peers: {
    ...Object.fromEntries(cachePeers.map(({ name, program, flag }) => [name, [program, flag] as const])),
    wrk: [wrkProgram, '-v'],
  },
  run,
};
