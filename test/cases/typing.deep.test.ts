import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Page } from 'playwright-core';
import { freePort, temporaryFolder, type UpReady } from '../commands/command.ts';
import { serveHere } from '../commands/command-here.ts';
import { assertAccessible } from '../pages/accessible.ts';
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
  'ar.html': page('دليل المكتبة', 'الكتاب موجود في المكتبة الوطنية في القاهرة.', ' lang="ar" dir="rtl"'),
  'he.html': page('מדריך הספרייה', 'הספר נמצא בספרייה הלאומית בירושלים.', ' lang="he" dir="rtl"'),
  'deep/in/many/folders/of-a-site/an-address-with-a-long-file-name-that-fits-no-line.html': page(
    'Addresses that are long',
    'An address is shortened in the middle.',
  ),
  'cluster.html': page('Kubernetes clusters', 'How kubernetes schedules the pods of a cluster.'),
  'settings.html': page('Configuration of the server', 'The configuration is read once, at the start.'),
  'config.html': page('The config command', 'With config a value is printed or set.'),
  'vitamin.html': page('Vitamin K', 'Leaves are rich in it.'),
  'tokyo.html': page('東京都の概要', '東京都は日本の首都です。とても大きい。', ' lang="ja"'),
};

async function written(folder: string, files: Readonly<Record<string, string>>): Promise<string> {
  const site = join(folder, 'site');
  for (const [name, text] of Object.entries(files)) {
    await mkdir(dirname(join(site, name)), { recursive: true });
    await writeFile(join(site, name), text);
  }
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
  const both = ['Configuration of the server', 'The config command'];
  assert.deepEqual((await titles('q=config&typing=1')).sort(), both);
  assert.deepEqual((await titles('q=title:+conf&typing=1')).sort(), both);
  assert.deepEqual(await titles('q=%22of+the+ser&typing=1'), ['Configuration of the server']);
  assert.deepEqual(await titles('q=%E6%9D%B1&typing=1'), ['東京都の概要']);
  // A blank, a closing quote or a NOT finishes the word.
  for (const finished of ['conf+', '%22conf%22', '-conf'])
    assert.equal((await asked(search, `q=${finished}&typing=1&exact=1`)).total, finished === '-conf' ? 8 : 0);
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

test('case b19: snippets and titles are cut between characters as readers see them', async (t) => {
  const family = '👨\u200d👩\u200d👧\u200d👧';
  const filler = 'filler words go here to make the text long enough for cutting. ';
  const search = await up(t, {
    'family.md': `# Snippet place\n\n${filler.repeat(20)}needle ${family.repeat(200)} ${filler.repeat(20)}`,
    'title.html': page(`Longtitleword ${'many words in this very long title '.repeat(60)}`, 'Body.'),
  });
  const [found] = (await asked(search, 'q=needle')).hits;
  const snippet = found?.snippet ?? '';
  assert.match(snippet, /needle .*…$/);
  assert.equal(snippet.replaceAll(family, '').match(/[👨👩👧\u200d]/u), null, snippet);
  const [long] = (await asked(search, 'q=longtitleword')).hits;
  assert.match(long?.title ?? '', /^Longtitleword .* (?:many|words|in|this|very|long|title)…$/);
  assert.ok((long?.title.length ?? 0) <= 300);
});

test('case b35: publishers are sites, Brokers are apart, and nothing counts twice in a ring', async () => {
  await using folder = await temporaryFolder();
  const site = await written(folder.path, pages);
  const on = (data: string) => ['--data', join(folder.path, data)];
  const [first, second] = [await freePort(), await freePort()];
  await using gatherer = await serveHere<{ readonly collect: string }>([
    ...['gatherer', 'serve', '--root', site, '--port', '0', ...on('gatherer')],
  ]);
  const broker = (port: number, source: string, ...more: readonly string[]) =>
    serveHere([
      ...['broker', 'serve', '--port', String(port), ...on(`broker-${port}`), '--collect', source],
      ...more,
    ]);
  await using _second = await broker(second, `ws://127.0.0.1:${first}`, '--name', 'Second');
  await using _first = await broker(first, gatherer.ready.collect, '--collect', `ws://127.0.0.1:${second}`);
  interface Known {
    readonly objects: number;
    readonly sources: readonly {
      readonly name: string;
      readonly role: string;
      readonly lastLearnedAt: number | null;
    }[];
  }
  const number = Object.keys(pages).length;
  for (let known: Known | undefined; ; ) {
    known = (await (await fetch(`http://127.0.0.1:${first}/status`)).json()) as Known;
    if (known.objects === number && known.sources.every(({ lastLearnedAt }) => lastLearnedAt !== null)) break;
  }
  const html = await (await fetch(`http://127.0.0.1:${first}/`)).text();
  assert.match(html, new RegExp(`<h1[^>]*>${number} objects from 1 site and 1 Broker</h1>`));
  const rows = [
    ...html.matchAll(/<th scope="row"><a href="([^"]*)"[^>]*><bdi>(.*?)<\/bdi>.*?class="objects">(\d+)</g),
  ];
  assert.deepEqual(
    rows.map(([, , name, objects]) => [name?.split('/').at(-1), Number(objects)]),
    [
      ['site', number],
      ['Second', 0],
    ],
  );
  const listed = await (
    await fetch(new URL((rows[0]?.[1] ?? '').replaceAll('&amp;', '&'), `http://127.0.0.1:${first}/`))
  ).text();
  assert.match(listed, new RegExp(`${number} results`));
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

  await t.test('case b25: a result from right to left is so as a whole, and names its language', async () => {
    const shown = await opened();
    for (const [query, lang] of [
      ['المكتبة', 'ar'],
      ['הספרייה', 'he'],
      ['東京都', 'ja'],
    ] as const) {
      await shown.goto(`${search}?q=${encodeURIComponent(query)}`);
      const [card, ...parts] = await shown.evaluate<
        readonly { readonly direction: string; readonly lang: string }[]
      >(
        `['', 'h2', '.crumbs', '.passage', '.facts'].map((part) => {
          const found = document.querySelector(('.result ' + part).trim());
          return { direction: getComputedStyle(found).direction, lang: found.lang };
        })`,
      );
      const direction = lang === 'ja' ? 'ltr' : 'rtl';
      assert.deepEqual([card?.direction, card?.lang], [direction, lang]);
      assert.deepEqual(new Set(parts.map((part) => part.direction)), new Set([direction]));
    }
    await shown.close();
  });

  await t.test('a card is calm: title, place, passage and date, and the rest behind one button', async () => {
    const shown = await opened('?q=addresses+long');
    const card = shown.locator('.result').first();
    const text = await card.innerText();
    assert.doesNotMatch(text, /Report broken link|summary|HTML/);
    assert.match(
      text,
      /^Addresses that are long\n+.*an-address-with.*…no-line\.html\n+An address is shortened/,
    );
    const whole =
      /\/deep\/in\/many\/folders\/of-a-site\/an-address-with-a-long-file-name-that-fits-no-line\.html$/;
    assert.match((await card.locator('.crumbs').getAttribute('title')) ?? '', whole);
    await card.locator('.rest > summary').click();
    assert.match(await card.locator('.address').innerText(), whole);
    await card.locator('[data-check]').waitFor();
    await assertAccessible(shown, 'an open card');
    await card.locator('.crumbs a').click();
    await shown.waitForURL(/q=addresses\+long&source=/);
    await shown.close();
  });

  await t.test(
    'recent searches stay in the browser, and are forgotten and turned off by a button',
    async () => {
      const shown = await opened();
      await shown.keyboard.type('config');
      await shown.keyboard.press('Enter');
      await shown.click('#clear');
      assert.equal(await shown.inputValue('#q'), '');
      assert.equal(await shown.evaluate('document.activeElement.id'), 'q');
      await shown.locator('.recent a').filter({ hasText: 'config' }).waitFor();
      await assertAccessible(shown, 'recent searches');
      await shown.click('[data-recent=off]');
      await shown.locator('.recent').filter({ hasText: 'Recent searches are off' }).waitFor();
      assert.equal(await shown.evaluate("localStorage.getItem('garner.recent-searches')"), null);
      await shown.fill('#q', 'kubernetes');
      await shown.keyboard.press('Enter');
      assert.equal(await shown.evaluate("localStorage.getItem('garner.recent-searches')"), null);
      await shown.close();
    },
  );

  await t.test('a page without result says what was searched, and what to leave out', async () => {
    const shown = await opened('?q=config+zzzz&exact=1&type=HTML&filter=year:1999');
    await heading(shown, 'No result for');
    const ways = await shown.locator('.ways a').allTextContents();
    assert.deepEqual(ways, ['all types', 'all years', 'without filters', 'zzzz', 'config']);
    await assertAccessible(shown, 'no result');
    await shown.click('.ways a:has-text("without filters")');
    await shown.waitForURL(/\?q=config\+zzzz$/);
    await shown.close();
  });
});
