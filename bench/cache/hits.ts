import { interleaved, type RunOptions } from '../harness/harness.ts';
import type { Results } from '../harness/results.ts';
import { askOneWithWrk } from '../programs/wrk.ts';
import { figureIds, type HitSize, hitSizes } from './figures.ts';
import type { CacheServer } from './server.ts';

const connections = 32;
const [wholeSeconds, quickSeconds] = [5, 1];
const warmSeconds = 1;

/** Have a URL fetched until it must be in memory, and a server made ready for what comes. */
async function warm(url: string, folder: string): Promise<void> {
  for (let count = 0; count < 3; count++) {
    const answer = await fetch(url);
    await answer.arrayBuffer();
    if (answer.status !== 200) throw new Error(`${url} was answered with ${answer.status}`);
  }
  await askOneWithWrk(url, { seconds: warmSeconds, folder, connections });
}

/** How many hits a second each cache answers on one core, each size in turn. */
export async function measureHits(
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
