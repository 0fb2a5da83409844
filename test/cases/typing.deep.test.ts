import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort, temporaryFolder, type UpReady } from '../commands/command.ts';
import { serveHere } from '../commands/command-here.ts';
import { launched, skip } from '../pages/browser-page.ts';

interface Answer {
  readonly total: number;
  readonly notes: readonly string[];
  readonly suggestion: string | null;
  readonly corrected: string | null;
  readonly collecting?: { readonly objects: number; readonly sources: readonly string[] };
  readonly hits: readonly { readonly title: string; readonly snippet: string; readonly url: string }[];
}

async function asked(search: string, query: string): Promise<Answer> {
  const response = await fetch(new URL(`search?${query}`, search));
  if (response.status !== 200) throw new Error(`${query}: ${response.status} ${await response.text()}`);
  return (await response.json()) as Answer;
}

const page = (title: string, text: string, more = '') =>
  `<!doctype html><html${more}><head><meta charset="utf-8"><title>${title}</title></head><body><h1>${title}</h1><p>${text}</p></body></html>`;

/** Pages by their names. */
const pages: Readonly<Record<string, string>> = {
  'cluster.html': page('Kubernetes clusters', 'How kubernetes schedules the pods of a cluster.'),
  'settings.html': page('Configuration of the server', 'The configuration is read once, at the start.'),
  'config.html': page('The config command', 'With config a value is printed or set.'),
  'vitamin.html': page('Vitamin K', 'Leaves are rich in it.'),
  'tokyo.html': page('東京都の概要', '東京都は日本の首都です。とても大きい。', ' lang="ja"'),
};

async function written(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const site = join(folder, 'site');
  await mkdir(site);
  for (const [name, text] of Object.entries(files)) await writeFile(join(site, name), text);
  return site;
}

async function up(t: TestContext, files: Readonly<Record<string, string>> = pages): Promise<string> {
  const folder = await temporaryFolder();
  const site = await written(folder.path, files);
  const served = await serveHere<UpReady>([
    ...['up', site, '--port', '0', '--data', join(folder.path, 'data')],
  ]);
  t.after(async () => {
    await served[Symbol.asyncDispose]();
    await folder[Symbol.asyncDispose]();
  });
  return served.ready.search;
}

const beginnings = (word: string) => Array.from(word, (_, at) => word.slice(0, at + 1));

test('case b04: while a word is typed, its beginning counts, and nothing is corrected', async (t) => {
  const search = await up(t);
  for (const word of ['kubernetes', 'configuration'])
    for (const typed of [...beginnings(word), ...beginnings(word).map((begun) => `the ${begun}`)]) {
      const { total, corrected, suggestion } = await asked(search, `q=${typed}&typing=1`);
      assert.ok(total > 0, `${typed} has no result`);
      assert.deepEqual([corrected, suggestion], [null, null], typed);
    }
  const titles = async (query: string) => (await asked(search, query)).hits.map(({ title }) => title);
  const [first, ...others] = await titles('q=config&typing=1');
  assert.equal(first, 'The config command', 'the whole word is first');
  assert.deepEqual(others, ['Configuration of the server']);
  assert.deepEqual(await titles('q=title:+conf&typing=1'), [
    'The config command',
    'Configuration of the server',
  ]);
  assert.deepEqual(await titles('q=%22of+the+ser&typing=1'), ['Configuration of the server']);
  assert.deepEqual(await titles('q=%E6%9D%B1&typing=1'), ['東京都の概要']);
  // A blank, a closing quote or a NOT finishes the word.
  for (const finished of ['conf+', '%22conf%22', '-conf'])
    assert.equal((await asked(search, `q=${finished}&typing=1&exact=1`)).total, finished === '-conf' ? 5 : 0);
  // Enter does not empty the list, and the answer says why.
  const entered = await asked(search, 'q=kub');
  assert.deepEqual([entered.total, entered.corrected], [1, null]);
  assert.match(entered.notes.join(), /no result has the word "kub"; these have words that begin with it/);
});

test('case b16: a place beyond the end of a list is answered with how long the list is', async (t) => {
  const files = Array.from({ length: 23 }, (_, at) => [`${at}.html`, page(`Common ${at}`, 'A common page.')]);
  const search = await up(t, Object.fromEntries(files));
  for (const offset of ['30', '10000', '99999998', '9'.repeat(40)]) {
    const { total, hits, notes } = await asked(search, `q=common&offset=${offset}`);
    assert.deepEqual([total, hits.length], [23, 0]);
    assert.match(notes.join(), /the list has 23 hits, so none comes after hit/);
  }
  const shown = async (from: string) => (await fetch(new URL(`?q=common&from=${from}`, search))).text();
  for (const [from, number] of [
    ['31', '4'],
    ['10001', '1,001'],
    ['99999999', '10,000,000'],
    ['9'.repeat(40), '900,719,925,474,100'],
  ] as const) {
    const html = await shown(from);
    assert.match(html, new RegExp(`There is no page ${number}`));
    assert.match(html, /href="\.\/\?q=common" rel="first"/);
    assert.match(html, /href="\.\/\?q=common&amp;from=21" rel="last"/);
  }
  const last = await shown('21');
  assert.doesNotMatch(last, /no page/);
  assert.match(last, /aria-current="page" aria-label="Page 3"/);
});

test('case b34: until everything is collected for the first time, answers say so', async () => {
  await using folder = await temporaryFolder();
  const number = 300;
  const files = Array.from({ length: number }, (_, at) => [
    `${at}.html`,
    page(`Filling ${at}`, 'Filling up.'),
  ]);
  const site = await written(folder.path, Object.fromEntries(files));
  const port = await freePort();
  const starting = serveHere<UpReady>([
    ...['up', site, '--port', String(port), '--data', join(folder.path, 'data')],
  ]);
  let isReady = false;
  const ended = () => {
    isReady = true;
  };
  starting.then(ended, ended);
  const faults: string[] = [];
  let said = 0;
  while (!isReady) {
    const answer = await asked(`http://127.0.0.1:${port}/`, 'q=filling').catch(() => undefined);
    if (answer === undefined || answer.total === number || isReady) continue;
    const words = answer.notes.join();
    if (!/still collecting.*: \d+ objects? so far/.test(words) || answer.collecting === undefined)
      faults.push(`${answer.total} of ${number} objects: ${words}`);
    const html = await (await fetch(`http://127.0.0.1:${port}/?q=absent`)).text();
    if (!isReady && !/No result for <q>absent<\/q> yet.*[Ss]till collecting/.test(html)) faults.push(html);
    said++;
  }
  await using served = await starting;
  assert.deepEqual(faults, []);
  assert.ok(said > 0, 'no answer came while it was filling');
  const answer = await asked(served.ready.search, 'q=filling');
  assert.deepEqual([answer.total, answer.collecting, answer.notes], [number, undefined, []]);
});

const heading = (shown: Page, text: string | RegExp) =>
  shown.locator('h1').filter({ hasText: text }).waitFor();

test('the search page while typing', { skip, timeout: 120_000 }, async (t) => {
  const search = await up(t);
  const browser = await launched();
  t.after(() => browser.close());
  const opened = async (path = '') => {
    const shown = await browser.newPage();
    await shown.goto(search + path);
    await shown.waitForSelector('html[data-ready]');
    await shown.locator('#q').focus();
    return shown;
  };

  await t.test(
    'case b04: the page never says that there is no result while a word is unfinished',
    async () => {
      const shown = await opened();
      for (const typed of beginnings('kubernetes')) {
        await shown.keyboard.type(typed.slice(-1));
        await heading(shown, /^\d+ results?/);
        await shown.waitForURL(new RegExp(`q=${typed}$`));
      }
      await shown.fill('#q', 'kuber');
      await shown.keyboard.press('Enter');
      await shown.locator('.notice').filter({ hasText: 'No result has the word "kuber"' }).waitFor();
      await shown.close();
    },
  );

  await t.test(
    'case b23: letters of an input method are searched for when they have been chosen',
    async () => {
      const shown = await opened();
      const requests: string[] = [];
      shown.on('request', (request) => requests.push(request.url()));
      const keys = await shown.context().newCDPSession(shown);
      for (const text of ['t', 'と', 'とう', '東', '東京'])
        await keys.send('Input.imeSetComposition', { text, selectionStart: 2, selectionEnd: 2 });
      assert.equal(await shown.inputValue('#q'), '東京');
      await shown.evaluate('new Promise((resolve) => setTimeout(resolve, 200))');
      assert.deepEqual([requests, new URL(shown.url()).search], [[], '']);
      assert.equal(await shown.textContent('#spoken'), '');
      await keys.send('Input.insertText', { text: '東京' });
      await heading(shown, /^1 result/);
      assert.equal(new URL(shown.url()).searchParams.get('q'), '東京');
      await shown.close();
    },
  );

  await t.test('case b36: Ctrl-K and Cmd-K lead to the box, which says so', async () => {
    const shown = await opened('?q=config');
    assert.equal(await shown.textContent('form kbd'), 'Ctrl K');
    assert.equal(await shown.getAttribute('#q', 'aria-keyshortcuts'), '/ Control+K Meta+K');
    for (const key of ['Control+k', 'Meta+k', 'Control+K']) {
      await shown.locator('.result a').first().focus();
      await shown.keyboard.press(key);
      assert.equal(await shown.evaluate('document.activeElement.id'), 'q', key);
    }
    await shown.close();
  });
});
