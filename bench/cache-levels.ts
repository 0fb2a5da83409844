import { mkdir } from 'node:fs/promises';
import { join } from 'node:path';
import { figureIds } from './cache-figures.ts';
import { Server } from './child.ts';
import { interleaved, type RunOptions } from './harness.ts';
import type { Results } from './results.ts';
import { askWithWrk, keepOnServerCore } from './wrk.ts';

const [wholeSeconds, quickSeconds] = [3, 1];
/** More than one connection asks for in that time. */
const pathsASecond = 6_000;
const fillers = 16;

interface Level {
  readonly url: string;
  readonly server: Server<{ readonly cache: string }>;
}

/** Have a cache keep what is under these paths. */
async function fill(url: string, paths: readonly string[]): Promise<void> {
  let next = 0;
  const one = async () => {
    for (let at = next++; at < paths.length; at = next++) {
      const answer = await fetch(`${url}${(paths[at] as string).slice(1)}`);
      await answer.arrayBuffer();
      if (answer.status !== 200) throw new Error(`${url} answers ${answer.status}`);
    }
  };
  await Promise.all(Array.from({ length: fillers }, one));
}

/** What each level of a hierarchy adds to an answer that the topmost has: three caches of ours in a row. */
export async function measureLevels(
  originUrl: string,
  results: Results<string>,
  options: RunOptions & { readonly folder: string },
): Promise<void> {
  const seconds = options.quick ? quickSeconds : wholeSeconds;
  const levels: Level[] = [];
  try {
    for (const name of ['top', 'middle', 'leaf']) {
      const folder = join(options.folder, name);
      await mkdir(folder);
      const above = levels.at(-1);
      const server = await Server.start<{ readonly cache: string }>(
        [
          ...['cache', 'serve', '--proxy', '--origin', originUrl.replace(/\/$/, ''), '--port', '0'],
          ...['--data', folder],
          ...(above === undefined ? [] : ['--parent', new URL(above.url).host]),
        ],
        folder,
      );
      keepOnServerCore(server.pid);
      levels.push({ server, url: server.said.cache });
    }
    const [top] = levels as [Level];
    const p50 = new Map<number, number[]>();
    const cases = levels.map(({ url }, level) => ({
      name: `hits ${level} levels above`,
      run: async (round: number) => {
        const paths = Array.from(
          { length: pathsASecond * seconds },
          (_, at) => `/1024/level/${level}/${round}/${at}`,
        );
        await fill(top.url, paths);
        const counted = await askWithWrk(url, paths, { seconds, folder: options.folder, connections: 1 });
        if (level > 0 && counted.requests > paths.length)
          throw new Error(`${counted.requests} were asked for, of which ${paths.length} are different`);
        p50.set(level, [...(p50.get(level) ?? []), counted.p50]);
      },
    }));
    await interleaved(cases, options);
    for (const [round, own] of (p50.get(0) ?? []).entries()) {
      results.add(figureIds.level(0), own);
      for (const level of [1, 2])
        results.add(figureIds.level(level), ((p50.get(level)?.[round] ?? Number.NaN) - own) / level);
    }
  } finally {
    for (const { server } of levels.reverse()) await server[Symbol.asyncDispose]();
  }
}
