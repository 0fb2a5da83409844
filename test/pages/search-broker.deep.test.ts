import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import {
  type SearchAnswer,
  startServer,
  temporaryFolder,
  type UpReady,
  untilFound,
} from '../commands/command.ts';
import { copyPages, corpora, missingCorpus } from '../phrases.ts';
import { assertAccessible } from './accessible.ts';

// The search page of the built command: it gathers real pages, and a browser searches them.

const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 720 },
  isMobile: true,
  hasTouch: true,
};
const plain: BrowserContextOptions = { ...desktop, javaScriptEnabled: false };

const [python, postgres] = corpora;
const pythonPages =
  /\/html\/(?:(?:library\/[a-m][^/]*|tutorial\/[^/]*|howto\/[^/]*|index)\.html|_sources\/tutorial\/[^/]*|_static\/[^/]*)$/;
const postgresPages = /\/sql-(?:create|drop)[^/]*\.html$/;

const queries = [
  ...[
    'asyncio',
    'event loop',
    '"event loop"',
    'list comprehension',
    'context managers',
    'dictionary',
    'hash',
  ],
  ...[
    'garbage collector',
    'regular expressions',
    'logging handlers',
    'bisect',
    'Title: asyncio',
    'url: bisect',
  ],
  ...['decimal OR fractions', 'iterator NOT generator', '(json OR csv) parse', 'keyboard interrupt'],
  ...[
    'how do I read a file',
    'lambda',
    'unicode',
    'exceptions raised',
    'http server',
    'email message',
    'png',
  ],
  ...['sorting', 'daylight saving time', '"standard library"', 'floating point', 'qwertz heapq', 'curses'],
];

/** Unexpected console messages of pages. */
const complaints: string[] = [];

async function opened(browser: Browser, address: string, options = desktop): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  page.on('pageerror', (error) => complaints.push(`${page.url()}: ${error.message}`));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(`${page.url()}: ${message.text()}`);
  });
  await page.goto(address);
  if (options.javaScriptEnabled !== false) await page.waitForSelector('html[data-ready]');
  // The browser sets the focus shortly after the page has loaded; letters typed before that are lost.
  if (await page.locator('[autofocus]').count()) await page.locator('[autofocus]:focus').waitFor();
  return page;
}

const close = (page: Page) => page.context().close();

async function heading(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('h1').filter({ hasText: text }).waitFor();
}

/** A result on the page. */
interface Shown {
  readonly title: string;
  readonly titleMarks: readonly string[];
  readonly passage: string | null;
  readonly passageMarks: readonly string[];
  /** Whether the first mark is within the visible lines. */
  readonly inSight: boolean;
}

function shownResults(page: Page): Promise<Shown[]> {
  return page.evaluate(`Array.from(document.querySelectorAll('.result'), (result) => {
    const marks = (part) => Array.from(part?.querySelectorAll('mark') ?? [], (mark) => mark.textContent);
    const passage = result.querySelector('.passage');
    const [box, first] = [passage, passage?.querySelector('mark')].map((part) => part?.getBoundingClientRect());
    return {
      title: result.querySelector('h2').textContent,
      titleMarks: marks(result.querySelector('h2')),
      passage: passage?.textContent ?? null,
      passageMarks: marks(passage),
      inSight: first !== undefined && first.bottom <= box.bottom + 4,
    };
  })`);
}

const wordsOf = (text: string) => text.toLowerCase().match(/[\p{L}\p{N}]+/gu) ?? [];

/** Whether two words look like forms of one word: they differ only after almost all letters of the shorter one. */
function areForms(a: string, b: string): boolean {
  const shorter = Math.min(a.length, b.length);
  let alike = 0;
  while (alike < shorter && a[alike] === b[alike]) alike++;
  return alike >= Math.max(Math.min(3, shorter), shorter - 3);
}

/** Whether every word of a mark is a form of some word of the query. */
function isFormOf(mark: string, query: string): boolean {
  const words = wordsOf(mark);
  const isForm = (word: string) => wordsOf(query).some((other) => areForms(word, other));
  // A name is marked whole where a part of it is the word.
  const parts = wordsOf(mark.replaceAll(/(?<=\p{Ll})(?=\p{Lu})|(?<=\p{Lu})(?=\p{Lu}\p{Ll})/gu, ' '));
  return words.length > 0 && (words.every(isForm) || parts.some(isForm));
}

const skip = existsSync(executablePath)
  ? (missingCorpus([python, postgres].filter((corpus) => corpus !== undefined)) ?? false)
  : `SKIPPED: no ${executablePath}; apt-get install chromium runs the browser tests`;

test('real pages in the search page, gathered by the command', { skip, timeout: 340_000 }, async (t) => {
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'python');
  copyPages(python?.path ?? '', site, pythonPages);
  await using up = await startServer<UpReady>([
    ...['up', site, '--port', '0', '--site-port', '0', '--data', join(folder.path, 'up')],
  ]);
  const home = up.ready.search;
  const origin = /^http:\/\/127\.0\.0\.1:\d+\//.exec(up.ready.site)?.[0] ?? '';
  assert.ok(up.ready.objects > 250, `${up.ready.objects} objects`);
  const browser = await chromium.launch({ executablePath, args });
  t.after(() => browser.close());
  const open = (path = '', options?: BrowserContextOptions) => opened(browser, home + path, options);

  await t.test('three examples, each of which finds something', async () => {
    const page = await open();
    await heading(page, `${up.ready.objects} objects from 1 site`);
    const examples = await page.locator('.examples a').allInnerTexts();
    assert.equal(examples.length, 3, examples.join());
    for (const example of examples) {
      await page.click(`.examples a:text-is("${example}")`);
      await page.locator('.result').first().waitFor();
      assert.equal(await page.locator('.notice').count(), 0, `${example} is found unchanged`);
      await page.goBack();
      await heading(page, 'objects from');
      // They do not change while the page is open.
      assert.deepEqual(await page.locator('.examples a').allInnerTexts(), examples);
    }
    t.diagnostic(`examples: ${examples.join(', ')}`);
    await close(page);
  });

  await t.test('typing gives results', async () => {
    const page = await open();
    const totals: string[] = [];
    for (const letters of ['context', ' man', 'ager']) {
      await page.keyboard.type(letters);
      const typed = await page.inputValue('#q');
      await heading(page, new RegExp(`result.* for ${typed} `));
      totals.push((await page.locator('h1').textContent()) ?? '');
    }
    assert.equal(new Set(totals).size, 3, totals.join());
    assert.match(page.url(), /\?q=context\+manager$/);
    await close(page);
  });

  await t.test('every result shows a form of a word of the query, in sight', async () => {
    const page = await open();
    const small = await open('', phone);
    const times: number[] = [];
    let results = 0;
    for (const query of queries) {
      const typedIn = async (where: Page) => {
        await where.evaluate(`took = undefined; asked = performance.now(); new MutationObserver((_, me) => {
          took = performance.now() - asked; me.disconnect();
        }).observe(document.getElementById('content'), { subtree: true, childList: true, characterData: true })`);
        await where.fill('#q', query);
        await where
          .locator('.count')
          .filter({ hasText: ` for ${query} in ` })
          .waitFor();
        times.push(await where.evaluate<number>('took'));
      };
      await Promise.all([page, small].map(typedIn));
      const response = await fetch(`${home}search?limit=10&q=${encodeURIComponent(query)}`);
      const answer = (await response.json()) as SearchAnswer & {
        readonly hits: readonly { readonly attributes: readonly string[] }[];
      };
      const onPage = await shownResults(page);
      assert.equal(onPage.length, Math.min(10, answer.total), query);
      for (const [at, shown] of onPage.entries()) {
        const context = `${query}: ${shown.title} | ${shown.passage}`;
        const marks = [...shown.titleMarks, ...shown.passageMarks];
        const inText = answer.hits[at]?.attributes.includes('Full-Text') ?? false;
        // A passage leaves out the title that it begins with; then the words may be in the title alone.
        const isTitle = wordsOf(query).every((word) =>
          wordsOf(shown.title).some((other) => areForms(other, word)),
        );
        assert.ok((inText && !isTitle ? shown.passageMarks : marks).length > 0, context);
        if (shown.passageMarks.length > 0) assert.ok(shown.inSight, context);
        for (const mark of marks) assert.ok(isFormOf(mark, query), `${mark} in ${context}`);
        results++;
      }
      for (const shown of await shownResults(small))
        if (shown.passageMarks.length > 0) assert.ok(shown.inSight, `on a phone: ${query}: ${shown.passage}`);
    }
    times.sort((a, b) => a - b);
    const ms = (part: number) => times[Math.floor(times.length * part)]?.toFixed(0);
    t.diagnostic(
      `${queries.length} queries, ${results} results; key to results ${ms(0.5)} ms, p95 ${ms(0.95)} ms`,
    );
    await close(page);
    await close(small);
  });

  await t.test('Enter and a click open the real page, which works; Back returns', async () => {
    const page = await open('?q=bisect');
    await page.locator('#q').focus();
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(`${origin}**`);
    assert.match(await page.title(), /bisect/);
    // Its own style sheets and scripts were loaded and have run.
    const rules = 'Array.from(document.styleSheets, (sheet) => sheet.cssRules.length)';
    assert.ok(Math.min(...(await page.evaluate<number[]>(rules))) > 0);
    assert.equal(await page.evaluate('typeof Documentation.init'), 'function');
    await page.goBack();
    await heading(page, /result.* for bisect/);
    assert.equal(await page.inputValue('#q'), 'bisect');
    await page.click('.result h2 a');
    await page.waitForURL(`${origin}**`);
    await page.goBack();
    await page.locator('.rest summary').first().click();
    await page.click('.result .summary');
    await page.waitForURL('**/summary?oid=*');
    const summary = (await page.locator('body').textContent()) ?? '';
    assert.match(summary, /Attributes of the summary/);
    await close(page);
  });

  await t.test('filters by type', async () => {
    const page = await open('?q=exceptions');
    const all = await page.locator('.filters a').allInnerTexts();
    assert.ok(all.length > 1, all.join());
    await page.click('.filters a:has-text("RST")');
    await page.waitForURL(/type=RST/);
    await page.locator('.filters a[aria-current]').filter({ hasText: /^RST/ }).waitFor();
    await page.locator('.rest .kind').first().filter({ hasText: 'RST' }).waitFor({ state: 'attached' });
    const types = (await page.locator('.rest .kind').allTextContents()).map((text) => text.split(',')[0]);
    assert.deepEqual([...new Set(types)], ['RST']);
    await page.goBack();
    await page.locator('.rest .kind').filter({ hasText: 'HTML' }).first().waitFor({ state: 'attached' });
    await close(page);
  });

  await t.test('filters by site, with two of them', async () => {
    const other = join(folder.path, 'manual');
    copyPages(postgres?.path ?? '', other, postgresPages);
    const base = ['--base-url', 'https://pg.example.net/docs/', '--gatherer-name', 'PostgreSQL'];
    await using gatherer = await startServer<{ collect: string }>([
      ...['gatherer', 'serve', '--root', other, '--port', '0', '--data', join(folder.path, 'pg'), ...base],
    ]);
    await using broker = await startServer<{ search: string }>([
      ...['broker', 'serve', '--port', '0', '--data', join(folder.path, 'both')],
      ...['--collect', up.ready.gatherer, '--collect', gatherer.ready.collect],
    ]);
    await untilFound(broker.ready.search, 'asyncio', ({ total }) => total > 0);
    await untilFound(broker.ready.search, 'tablespace', ({ total }) => total > 0);
    const page = await opened(browser, `${broker.ready.search}?q=create`);
    const sites = async () =>
      [...new Set(await page.locator('.crumbs').allInnerTexts())].map((text) => text.split(' › ')[0]);
    await page.click('.filters a:has-text("PostgreSQL")');
    await page.locator('.filters a[aria-current]:has-text("PostgreSQL")').waitFor();
    assert.deepEqual([...new Set(await sites())], ['PostgreSQL']);
    assert.equal(await page.locator('.result a[href^="https://pg.example.net/docs/sql-"]').count(), 10);
    await page.fill('#q', 'asyncio');
    await heading(page, 'No result');
    await page.click('.ways a:has-text("all sites")');
    await page.locator('.crumbs').filter({ hasText: 'python ›' }).first().waitFor();
    await close(page);
  });

  await t.test('no result and a relaxed query are reported', async () => {
    const page = await open('?q=xkvqzwjh');
    await heading(page, 'No result for xkvqzwjh');
    assert.match((await page.locator('.none').textContent()) ?? '', /Understood asxkvqzwjhSearchedpython/);
    await page.fill('#q', 'xkvqzwjh asyncio');
    await page.locator('.notice').filter({ hasText: 'These results have some of them' }).waitFor();
    await close(page);
  });

  await t.test('works with scripts off', async () => {
    const page = await open('', plain);
    await page.fill('#q', 'exceptions');
    await page.keyboard.press('Enter');
    await heading(page, /results? for exceptions/);
    assert.ok((await page.locator('.passage mark').count()) >= 10);
    await page.click('.pages a[rel=next]');
    await page.locator('.pages [aria-current=page]').filter({ hasText: '2' }).waitFor();
    await page.click('.result h2 a');
    await page.waitForURL(`${origin}**`);
    await close(page);
  });

  await t.test('nothing is cut off on a phone, and axe-core finds nothing in light and dark', async () => {
    for (const size of [desktop, phone]) {
      const page = await open('', size);
      const states = ['', '"context manager"', 'png', 'xkvqzwjh', 'xkvqzwjh asyncio'];
      for (const query of size === phone ? states.slice(0, 2) : states) {
        await page.fill('#q', query);
        await heading(page, query === '' ? 'objects from' : ` for ${query.replace(/ asyncio$/, '')}`);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), query);
        await assertAccessible(page, query);
      }
      await close(page);
    }
  });

  await t.test('the first view has less than 60 KB and is shown at once', async () => {
    const context = await browser.newContext(desktop);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    let bytes = 0;
    devtools.on('Network.loadingFinished', (event) => {
      bytes += event.encodedDataLength;
    });
    await page.goto(`${home}?q=asyncio`, { waitUntil: 'networkidle' });
    const loaded = await page.evaluate<number>(
      "performance.getEntriesByType('navigation')[0].domContentLoadedEventEnd",
    );
    t.diagnostic(`first view ${bytes} bytes with headers, DOMContentLoaded ${loaded.toFixed(0)} ms`);
    assert.ok(bytes > 5_000 && bytes < 60_000, `${bytes} bytes`);
    await context.close();
  });

  assert.deepEqual(complaints, [], 'script errors or breaches of a Content-Security-Policy');
});
