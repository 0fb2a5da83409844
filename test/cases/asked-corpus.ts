import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import {
  type Server,
  startServer,
  type temporaryFolder,
  type UpReady,
  untilFound,
} from '../commands/command.ts';

/** Pages whose words and names the cases of queries are about. */
const pages: Readonly<Record<string, string>> = {
  'errors.md':
    "# Errors\n\n```\nTypeError: Cannot read property 'foo' of undefined\nError: ENOENT, no such file\nhttp: error\n```\n",
  'timers.md':
    '# Application script\n\n## `app:setTimeout(callback, delay)`\n\nExecute a function once. `client:connect()` too.\n',
  'install.md': '# Troubleshooting: installation\n\nWhat to do when the installer stops.\n',
  'start.md': '# Getting: started\n\nFirst steps.\n',
  'news/today.md': '# Harbour news\n\nThe ferry is late. Read it in the news.\n',
  'news/weather.html':
    '<title>Weather</title><meta name="author" content="Ada Lovelace"><h1>Weather</h1><p>Rain and wind over the harbour.</p>',
  'glass.txt': 'Glass\n\nA window is made of glass, and a pane of glass is a window.\n',
  'pane.txt': 'Pane\n\nA window of wood with one pane.\n',
};

export interface AskedCorpus {
  readonly server: Server<UpReady>;
  readonly data: string;
  /** The address of the search page, with a slash at its end. */
  readonly address: string;
}

/** Serve the pages as `garner up` does, and wait until all are searchable. */
export async function servedCorpus(
  folder: Awaited<ReturnType<typeof temporaryFolder>>,
): Promise<AskedCorpus> {
  const [site, data] = [join(folder.path, 'corpus'), join(folder.path, 'data')];
  for (const [name, text] of Object.entries(pages)) {
    await mkdir(dirname(join(site, name)), { recursive: true });
    await writeFile(join(site, name), text);
  }
  const server = await startServer<UpReady>(['up', site, '--data', data, '--port', '0']);
  const count = Object.keys(pages).length;
  await untilFound(server.ready.search, '*', ({ total }) => total === count);
  return { server, data, address: server.ready.search };
}
