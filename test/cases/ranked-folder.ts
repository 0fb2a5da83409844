import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { RankAnswer, SearchAnswer } from '../../broker/index.ts';
import { startServer, temporaryFolder, type UpReady, untilFound } from '../commands/command.ts';

/** A folder that `garner up` serves, as its users search it. */
export interface RankedFolder extends AsyncDisposable {
  readonly search: (q: string, more?: Readonly<Record<string, string>>) => Promise<SearchAnswer>;
  /** The names of the files that a query finds, best first. */
  readonly names: (q: string) => Promise<readonly string[]>;
  /** How the score of a hit of a query is made up. */
  readonly why: (q: string, name: string) => Promise<RankAnswer>;
}

/** Serve files, given by their names, until disposed. */
export async function rankedFolder(files: Readonly<Record<string, string>>): Promise<RankedFolder> {
  const home = await temporaryFolder();
  for (const [name, text] of Object.entries(files)) {
    const path = join(home.path, 'site', name);
    await mkdir(dirname(path), { recursive: true });
    await writeFile(path, text);
  }
  const server = await startServer<UpReady>(
    ['up', 'site', '--port', '0', '--site-port', '0', '--data', 'data'],
    {
      cwd: home.path,
    },
  );
  const url = server.ready.search;
  await untilFound(url, '*', ({ total }) => total === Object.keys(files).length);
  const asked = async <Answer>(path: string, parameters: Readonly<Record<string, string>>) => {
    const answer = await fetch(new URL(`${path}?${new URLSearchParams(parameters)}`, url));
    if (!answer.ok) throw new Error(`${answer.status} ${await answer.text()}`);
    return (await answer.json()) as Answer;
  };
  const search = (q: string, more: Readonly<Record<string, string>> = {}) =>
    asked<SearchAnswer>('/search', { q, limit: '50', ...more });
  const nameOf = (address: string) => decodeURIComponent(new URL(address).pathname.split('/').at(-1) ?? '');
  return {
    search,
    names: async (q) => (await search(q)).hits.map((hit) => nameOf(hit.url)),
    why: async (q, name) => {
      const hit = (await search(q)).hits.find((one) => nameOf(one.url) === name);
      return asked<RankAnswer>('/why', { q, oid: hit?.oid ?? '' });
    },
    [Symbol.asyncDispose]: async () => {
      await server[Symbol.asyncDispose]();
      await home[Symbol.asyncDispose]();
    },
  };
}
