import { interleaved, type RunOptions } from '../harness/harness.ts';
import type { Results } from '../harness/results.ts';
import { askWithWrk, type WrkCounted } from '../programs/wrk.ts';
import { figureIds } from './figures.ts';
import type { CacheServer } from './server.ts';

const [wholeSeconds, quickSeconds] = [5, 1];
/** Connections of the warm-up requests. */
const warmConnections = 8;
/** Distinct paths for each second, more than a server answers. */
const pathsASecond = 60_000;
const parts = [
  ['50', 'p50'],
  ['99', 'p99'],
] as const;

/** Measure how much later the answer to a miss comes than the origin's own answer. */
export async function measureMisses(
  servers: readonly CacheServer[],
  originUrl: string,
  results: Results<string>,
  options: RunOptions & { readonly folder: string },
): Promise<void> {
  const seconds = options.quick ? quickSeconds : wholeSeconds;
  const { folder } = options;
  const counts = new Map<string, WrkCounted[]>();
  const request = async (url: string, round: number | 'warm', connections: number) => {
    const paths = Array.from({ length: pathsASecond * seconds }, (_, at) => `/1024/miss/${round}/${at}`);
    const counted = await askWithWrk(url, paths, { seconds, folder, connections });
    // Repeated paths do not matter for the origin.
    if (url !== originUrl && counted.requests > paths.length)
      throw new Error(`${counted.requests} requests were sent, but only ${paths.length} paths are distinct`);
    return counted;
  };
  const ask = async (name: string, url: string, round: number) => {
    const counted = await request(url, round, 1);
    counts.set(name, [...(counts.get(name) ?? []), counted]);
    return counted.requests;
  };
  for (const { name, url } of servers) {
    options.signal.throwIfAborted();
    options.onStep(`warm-up misses, ${name}`);
    await request(url, 'warm', warmConnections);
  }
  const cases = servers.map((server) => ({
    name: `misses, ${server.name}`,
    run: async (round: number) => {
      const before = server.cpuSeconds();
      const requests = await ask(server.name, server.url, round);
      results.add(figureIds.missCpu(server.name), (1e6 * (server.cpuSeconds() - before)) / requests);
    },
  }));
  const direct = {
    name: 'the origin itself',
    run: async (round: number) => {
      await ask('direct', originUrl, round);
    },
  };
  await interleaved([direct, ...cases], options);
  for (const [part, key] of parts) {
    const added = (name: string, round: number) =>
      (counts.get(name)?.[round]?.[key] ?? Number.NaN) - (counts.get('direct')?.[round]?.[key] ?? Number.NaN);
    for (const [round, own] of (counts.get('direct') ?? []).entries()) {
      results.add(figureIds.latency(part, 'direct'), own[key]);
      for (const { name } of servers) results.add(figureIds.latency(part, name), added(name, round));
      if (counts.has('nginx'))
        results.add(figureIds.beyond(part), added('garner', round) - added('nginx', round));
    }
  }
}
