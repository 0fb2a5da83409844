import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Server, startServer, temporaryFolder, type UpReady } from '../commands/command.ts';

// The pages of a Broker over a site of one long manual page with a table of contents, and a page in Markdown.

const names = ['store.limit', 'exchange.delete-guard', 'index.threads'];
const manual = `<title>Settings</title><div id=toc><ul>${names.map((name) => `<li><a href="#${name}">${name}</a></li>`).join('')}</ul></div>
<h1 id=settings>Settings</h1><p>Every setting of the program.</p>
${names.map((name) => `<section id="s-${name}"><h2>${name}</h2><p>What ${name.replace(/\W/g, ' ')} bounds is said here.</p></section>`).join('')}`;

interface Hit {
  readonly oid: string;
  readonly title: string;
  readonly url: string;
  readonly section?: { readonly heading: string; readonly anchor: string | null; readonly url: string };
}

let home: Awaited<ReturnType<typeof temporaryFolder>>;
let up: Server<UpReady>;

before(async () => {
  home = await temporaryFolder();
  const site = join(home.path, 'site');
  await mkdir(site);
  await writeFile(join(site, 'config.html'), manual);
  await writeFile(
    join(site, 'notes.md'),
    '# Notes\n\nSome.\n\n## High-tide pilots\n\nThey wait for the ferry.\n',
  );
  up = await startServer<UpReady>(['up', 'site', '--port', '0', '--site-port', '0', '--data', 'd'], {
    cwd: home.path,
  });
});

after(async () => {
  await up[Symbol.asyncDispose]();
  await home[Symbol.asyncDispose]();
});

async function hitsOf(q: string): Promise<readonly Hit[]> {
  const answer = await fetch(new URL(`search?q=${encodeURIComponent(q)}`, up.ready.search));
  return ((await answer.json()) as { readonly hits: readonly Hit[] }).hits;
}

const pageOf = async (path: string) =>
  (await fetch(new URL(path, up.ready.search), { headers: { accept: 'text/html' } })).text();

test('case b22: a long page opens at the heading that was searched for', async () => {
  const [hit] = await hitsOf('delete guard');
  assert.equal(hit?.title, 'Settings');
  assert.equal(hit.section?.heading, 'exchange.delete-guard');
  assert.equal(hit.section.url, `${hit.url}#s-exchange.delete-guard`);
  const shown = await pageOf('?q=delete+guard');
  assert.match(shown, /<h2><a href="[^"]+config\.html#s-exchange\.delete-guard"/);
  assert.match(shown, /<ul class="sections"[^>]*><li><a href="[^"]+#s-exchange\.delete-guard"[^>]*><bdi>/);
});

test('case b22: a page without identifiers opens at the words of its heading', async () => {
  const [hit] = await hitsOf('ferry');
  assert.equal(hit?.section?.url, `${hit?.url}#:~:text=High%2Dtide%20pilots`);
});
