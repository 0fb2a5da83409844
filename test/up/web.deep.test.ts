import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { search, startServer, temporaryFolder, type UpReady } from '../commands/command.ts';
import { jsonHere as jsonOf } from '../commands/command-here.ts';
import { missingNginx, openNginx } from '../nginx-origin.ts';
import { type Corpus, copyPages, corpora, missingCorpus, pagesOf, phrasedPages } from '../phrases.ts';

interface RunReport {
  readonly unchanged: number;
  readonly changed: number;
  readonly deleted: number;
  readonly failed: number;
  readonly bytesRead: number;
}

test('up over the Python manual behind nginx: every page is found, and no body is fetched twice', async (t) => {
  const python = corpora[0] as Corpus;
  const missing = missingNginx() ?? missingCorpus([python]);
  if (missing !== undefined) return t.skip(missing);
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  // With its scripts: some pages are named only in the index of the site's own search.
  copyPages(python.path, site, /\.(?:html|js)$/);
  const all = pagesOf(site);
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  t.diagnostic(`SEED=${seed}`);
  const pages = phrasedPages(site, seededRandom(seed), all.length);
  t.diagnostic(`${pages.length} of ${all.length} pages have a six-word phrase of their own`);
  assert.ok(pages.length > 450);

  await using origin = await openNginx(site);
  const data = join(folder.path, 'data');
  await using up = await startServer<UpReady>(['up', origin.url, '--port', '0', '--data', data]);
  t.diagnostic(
    `ready after ${Math.round(up.readyMs)} ms; ${up.ready.objects} objects, ${up.ready.wireBytes} bytes on the wire`,
  );
  const first = origin.requests();
  t.diagnostic(
    `${first.length} requests, ${first.reduce((sum, { bodyBytes }) => sum + bodyBytes, 0)} bytes of bodies`,
  );
  const twice = first.map(({ path }) => path).filter((path, at, all) => all.indexOf(path) !== at);
  assert.deepEqual(twice, [], 'a URL was requested twice');

  const urls = (page: string) => [origin.url + page, origin.url + page.replace(/index\.html$/, '')];
  const wrong: string[] = [];
  for (const { page, phrase } of pages) {
    const { total, hits } = await search(up.ready.search, `"${phrase}"`);
    if (total !== 1 || !urls(page).includes(hits[0]?.url ?? ''))
      wrong.push(`${page} "${phrase}": ${total} ${hits.map(({ url }) => url).join(' ')}`);
  }
  assert.deepEqual(wrong, []);
  const asked = new Set(first.filter(({ status }) => status === 200).map(({ path }) => path.slice(1)));
  assert.deepEqual(
    all.filter((page) => !asked.has(page) && !asked.has(page.replace(/index\.html$/, ''))),
    [],
    'pages without a request',
  );

  const run = () => jsonOf<RunReport>(['gatherer', 'run', '--data', data]);
  const unchanged = await run();
  const second = origin.requests();
  t.diagnostic(`an unchanged run: ${second.length} requests, ${unchanged.unchanged} unchanged`);
  assert.deepEqual(
    [unchanged.changed, unchanged.deleted, unchanged.failed, unchanged.bytesRead],
    [0, 0, 0, 0],
  );
  assert.equal(unchanged.unchanged, up.ready.objects);
  const isThere = (path: string) => existsSync(join(site, decodeURIComponent(path)));
  assert.deepEqual(
    second.filter(({ status, path }) => status !== 304 && isThere(path)),
    [],
  );

  const edited = join(site, 'library/asyncio.html');
  const html = await readFile(edited, 'utf8');
  await writeFile(edited, html.replace('</body>', '<p>xylophonic quokkas admire zeppelins</p></body>'));
  await rm(join(site, 'library/zlib.html'));
  const gone = pages.find(({ page }) => page === 'library/zlib.html');
  const round = await run();
  assert.deepEqual([round.changed, round.deleted], [1, 1]);
  const bodies = origin.requests().filter(({ status }) => status === 200);
  assert.deepEqual(
    bodies.map(({ path }) => path),
    ['/library/asyncio.html'],
  );
  await jsonOf(['broker', 'collect', '--data', data]);
  const found = await search(up.ready.search, '"xylophonic quokkas"');
  assert.deepEqual(
    found.hits.map(({ url }) => url),
    [`${origin.url}library/asyncio.html`],
  );
  if (gone !== undefined) assert.equal((await search(up.ready.search, `"${gone.phrase}"`)).total, 0);
  assert.equal((await up.stop()).code, 0);
});
