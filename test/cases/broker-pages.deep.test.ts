import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { type Server, startServer, temporaryFolder, type UpReady, untilFound } from '../commands/command.ts';
import { runHere } from '../commands/command-here.ts';

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
  const head = '<title>x&#10;Author: Bank</title><meta name=author content="Ann">';
  const lines = '<p>harbour dues</p><pre>one\nAuthor: Bank\n\u202etwo</pre>';
  await writeFile(join(site, 'lines.html'), head + lines);
  await writeFile(
    join(site, 'notes.md'),
    '# Notes\n\nSome.\n\n## High-tide pilots\n\nThey wait for the ferry.\n',
  );
  up = await startServer<UpReady>(['up', 'site', '--port', '0', '--site-port', '0', '--data', 'd'], {
    cwd: home.path,
  });
  for (const q of ['guard', 'ferry', 'dues'])
    await untilFound(up.ready.search, q, ({ total }) => total === 1);
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

test('case b30: a summary is a page with its attributes, origin and address, and its SOIF one click away', async () => {
  const [hit] = await hitsOf('dues');
  const address = new URL(`objects/${hit?.oid}`, up.ready.search);
  const accept = 'text/html,application/xhtml+xml;q=0.9,*/*;q=0.8';
  const page = await fetch(address, { headers: { accept } });
  assert.equal(new URL(page.url).pathname, '/summary');
  const html = await page.text();
  assert.match(html, /<th scope="row"><bdi title="Last-Modification-Time">Document changed<\/bdi><\/th>/);
  assert.match(html, /Where it comes from/);
  assert.ok(html.includes(`<input id="link" value="${hit?.url}" readonly=""`));
  const soif = /href="(objects\/[^"]+\?format=soif)"/.exec(html)?.[1] ?? '';
  const raw = await fetch(new URL(soif, up.ready.search), { headers: { accept } });
  assert.match(await raw.text(), /^@FILE \{ http/);
  const asBefore = await fetch(address, { headers: { accept: '*/*' } });
  assert.match(await asBefore.text(), /^@FILE \{ http/);
  const unknown = await fetch(new URL('summary?oid=nothing', up.ready.search), { headers: { accept } });
  assert.equal(unknown.status, 404);
  assert.match(await unknown.text(), /class="fault"/);
});

test('case b30: a line break in a value never looks like another attribute', async () => {
  const [hit] = await hitsOf('dues');
  const html = await pageOf(`summary?oid=${hit?.oid}`);
  assert.equal([...html.matchAll(/<th scope="row"><bdi title="Author">/g)].length, 1);
  assert.match(html, /<li>Author: Bank<\/li>/);
  assert.ok(!html.includes('\u202e'));
  const { stdout } = await runHere(['broker', 'show', hit?.oid ?? '', '--data', join(home.path, 'd')]);
  assert.deepEqual(stdout.match(/^Author: .*$/gm), ['Author: Ann']);
  assert.match(stdout, /^ {2}\| Author: Bank$/m);
});
