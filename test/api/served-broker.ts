import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { temporaryFolder, type UpReady } from '../commands/command.ts';
import { serveHere } from '../commands/command-here.ts';

/** Documents of a small site, hostile text among them. */
const site: Readonly<Record<string, string>> = {
  'tides.html':
    '<!doctype html><html lang="en"><title>Tide tables</title><h1>Tide tables</h1>' +
    '<p>The tide table of the harbour, for each day.</p>',
  'moorings.md': '# Moorings\n\nUse two ropes at each mooring, at any tide.\n',
  'hostile.html':
    '<!doctype html><html lang="en"><title>&lt;img src=x onerror=document.title=1&gt; tide</title>' +
    '<p>Tide &lt;/script&gt;&lt;script&gt;document.title = 2&lt;/script&gt; stays text.</p>',
  'cities.csv': 'city,people\nUlm,128928\nBonn,330579\n',
};

/** `garner up` over a small site. */
export interface ServedBroker extends AsyncDisposable {
  /** The address of its Broker, with a trailing slash. */
  readonly url: string;
  readonly gatherer: string;
  /** Write a document of the site. */
  write(name: string, text: string): Promise<void>;
}

/** Start it; `more` are further arguments. */
export async function openServedBroker(...more: readonly string[]): Promise<ServedBroker> {
  const folder = await temporaryFolder();
  const root = join(folder.path, 'site');
  const write = (name: string, text: string) => writeFile(join(root, name), text);
  await mkdir(root);
  for (const [name, text] of Object.entries(site)) await write(name, text);
  const up = await serveHere<UpReady>([
    ...['up', root, '--data', join(folder.path, 'data')],
    ...['--port', '0', '--gatherd-port', '0', '--site-port', '0'],
    ...more,
  ]);
  const slashed = (url: string) => new URL('/', url.replace(/^ws/, 'http')).href;
  return {
    ...{ url: slashed(up.ready.search), gatherer: slashed(up.ready.gatherer), write },
    [Symbol.asyncDispose]: async () => {
      await up[Symbol.asyncDispose]();
      await folder[Symbol.asyncDispose]();
    },
  };
}
