import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { search, startServer, temporaryFolder, type UpReady } from '../commands/command.ts';
import { type Corpus, copyPages, corpora, missingCorpus, pagesOf, phrasedPages } from '../phrases.ts';

test('up over the Python manual as a folder: every page is found and opens', async (t) => {
  const python = corpora[0] as Corpus;
  const missing = missingCorpus([python]);
  if (missing !== undefined) return t.skip(missing);
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  copyPages(python.path, site);
  const seed = Number(process.env.SEED ?? Date.now() % 1e6);
  t.diagnostic(`SEED=${seed}`);
  const pages = phrasedPages(site, seededRandom(seed), 200);
  assert.equal(pages.length, 200);
  // The current folder is the folder's parent: both paths are relative.
  await using up = await startServer<UpReady>(
    ['up', 'site', '--port', '0', '--site-port', '0', '--data', 'data'],
    { cwd: folder.path },
  );
  const { objects, failed, bytesRead, wireBytes } = up.ready;
  t.diagnostic(
    `ready after ${up.readyMs.toFixed(0)} ms; ${wireBytes} bytes on the wire for ${bytesRead} of HTML`,
  );
  assert.deepEqual([objects, failed], [pagesOf(site).length, 0]);

  const base = up.ready.site.split(' ')[0];
  const wrong: string[] = [];
  for (const { page, phrase } of pages) {
    const { total, hits } = await search(up.ready.search, `"${phrase}"`);
    if (total !== 1 || hits[0]?.url !== base + page)
      wrong.push(`${page} "${phrase}": ${total} ${hits.map(({ url }) => url).join(' ')}`);
  }
  assert.deepEqual(wrong, []);
  // The folder is served at the URLs of the results.
  const { page = '' } = pages[0] ?? {};
  const opened = await fetch(base + page);
  assert.equal(await opened.text(), await readFile(join(site, page), 'utf8'));
  assert.equal((await up.stop('SIGINT')).code, 0);
});
