import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { BrowserContextOptions, Page } from 'playwright-core';
import { assertAccessible } from './accessible.ts';
import { complaints, desktop, launched, opened, phone, skip, visit } from './browser-page.ts';
import { openSmallBroker } from './search-page-broker.ts';

const close = (page: Page) => page.context().close();
const focused = (page: Page) => page.evaluate<string>('document.activeElement.textContent');
const content = (page: Page) => page.evaluate<string>("document.getElementById('content').innerHTML");

async function heading(page: Page, text: string | RegExp): Promise<void> {
  await page.locator('h1').filter({ hasText: text }).waitFor();
}

/** Every passage on the page holds a visible matched word. */
async function assertMatchesShow(page: Page): Promise<void> {
  const passages = await page.locator('.passage').all();
  assert.ok(passages.length > 0);
  for (const passage of passages) {
    const box = await passage.boundingBox();
    const mark = await passage.locator('mark').first().boundingBox();
    assert.ok(
      box && mark && mark.y + mark.height <= box.y + box.height + 4,
      (await passage.textContent()) ?? '',
    );
  }
}

test('the search page in a browser', { skip, timeout: 240_000 }, async (t) => {
  await using broker = await openSmallBroker();
  const browser = await launched();
  t.after(() => browser.close());
  const open = (path?: string, options?: BrowserContextOptions) => opened(browser, broker, path, options);

  await t.test('the first visit shows the number of objects, and the box is ready', async () => {
    const page = await open();
    await heading(page, '50 objects from 3 sites');
    assert.equal(await page.evaluate('document.activeElement.id'), 'q');
    assert.equal(await page.locator('.examples a').count(), 3);
    await page.click('.examples a');
    await heading(page, /results?/);
    assert.equal(await page.inputValue('#q'), 'asyncio vacuum');
    await close(page);
  });

  await t.test('typing gives results, with every match in sight, and the box never moves', async () => {
    const page = await open();
    const before = await page.locator('form').boundingBox();
    await page.keyboard.type('sockets load');
    await heading(page, '7 results');
    await assertMatchesShow(page);
    assert.match(page.url(), /\?q=sockets\+load$/);
    assert.equal(await page.title(), 'sockets load – Garner');
    assert.deepEqual(await page.locator('form').boundingBox(), before);
    await page.fill('#q', 'asincio');
    await heading(page, 'No result');
    assert.deepEqual(await page.locator('form').boundingBox(), before);
    await page.locator('#spoken').filter({ hasText: 'No result' }).waitFor({ state: 'attached' });
    await close(page);
  });

  await t.test('the browser draws exactly what the server drew', async () => {
    const plain = await open('', { ...desktop, javaScriptEnabled: false });
    const page = await open();
    for (const path of ['', '?q=vacuum', '?q=sockets&type=HTML', '?q=asincio', '?q=chapter&from=11']) {
      await visit(plain, broker.url + path, false);
      await visit(page, broker.url + path);
      await page.evaluate("document.getElementById('content').replaceChildren()");
      await page.evaluate("dispatchEvent(new Event('online'))");
      await page.locator('h1').waitFor();
      assert.equal(await content(page), await content(plain), path);
    }
    await close(plain);
    await close(page);
  });

  await t.test('taking the page over changes nothing in it', async () => {
    const page = await open('?q=vacuum');
    await page.evaluate(`changes = 0;
      new MutationObserver((list) => { changes += list.length; })
        .observe(document.getElementById('content'), { subtree: true, childList: true, attributes: true, characterData: true })`);
    await page.evaluate("dispatchEvent(new Event('online'))");
    // The text for screen readers follows the page.
    await page.locator('#spoken').filter({ hasText: '14 results' }).waitFor({ state: 'attached' });
    assert.equal(await page.evaluate('changes'), 0);
    await page.fill('#q', 'rebase');
    await heading(page, 'for rebase');
    assert.notEqual(await page.evaluate('changes'), 0, 'the watch works');
    await close(page);
  });

  await t.test('keys: / to the box, arrows through results, Enter opens, Esc clears', async () => {
    const page = await open('?q=vacuum');
    const bodies = { contentType: 'text/html', body: '<title>opened</title>' };
    await page.context().route(/example\.(org|net)/, (route) => route.fulfill(bodies));
    await page.keyboard.press('/');
    assert.equal(await page.evaluate('document.activeElement.id'), 'q');
    assert.equal(await page.inputValue('#q'), 'vacuum');
    const titles = await page.locator('.result h2').allInnerTexts();
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), titles[0]);
    await page.keyboard.press('ArrowDown');
    assert.equal(await focused(page), titles[1]);
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('ArrowUp');
    assert.equal(await page.evaluate('document.activeElement.id'), 'q');
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    await page.waitForURL(/docs\.example\.org/);
    await page.goBack();
    await heading(page, '14 results');
    await page.keyboard.press('Escape');
    await heading(page, '50 objects');
    assert.equal(await page.inputValue('#q'), '');
    assert.equal(await page.evaluate('document.activeElement.id'), 'q');
    await page.goBack();
    await heading(page, '14 results');
    await close(page);
  });

  await t.test('the right arrow accepts the completion of the last word', async () => {
    const page = await open();
    await page.keyboard.type('tasks vac');
    await page.locator('#ghost').filter({ hasText: 'uum' }).waitFor();
    await page.keyboard.press('ArrowRight');
    assert.equal(await page.inputValue('#q'), 'tasks vacuum');
    await page.waitForURL(/q=tasks\+vacuum$/);
    await close(page);
  });

  await t.test('Back leads through searches, not through letters', async () => {
    const page = await open();
    await page.keyboard.type('vacuum');
    await heading(page, '14 results');
    await page.keyboard.press('Enter');
    await page.fill('#q', 'rebase');
    await page.fill('#q', 'rebase asyncio');
    await heading(page, /for rebase asyncio/);
    await page.goBack();
    await heading(page, 'for vacuum');
    assert.equal(await page.inputValue('#q'), 'vacuum');
    await page.goBack();
    await heading(page, '50 objects');
    await page.goForward();
    await heading(page, 'for vacuum');
    await close(page);
  });

  await t.test('filters by site and type count, combine and come off; pages turn', async () => {
    const page = await open('?q=chapter');
    await heading(page, '49 results');
    await page.click('.filters a:has-text("Git")');
    await page.waitForURL(/source=git/);
    await page.locator('.filters a[aria-current]:has-text("Git")').waitFor();
    const number = (await page.locator('.filters a[aria-current] .number').textContent()) ?? '';
    await heading(page, `${number} results`);
    assert.equal(await focused(page), `Git ${number}`);
    await page.click('.filters a:has-text("Markdown")');
    await page.waitForURL(/source=git&type=Markdown/);
    await page.locator('.rest .kind').first().filter({ hasText: 'Markdown' }).waitFor({ state: 'attached' });
    await page.fill('#q', 'zebra');
    await heading(page, 'No result');
    await page.click('.ways a:has-text("all types")');
    await page.waitForURL(/\?q=zebra&source=git$/);
    await page.goto(`${broker.url}?q=chapter`);
    await page.click('.pages a[rel=next]');
    await page.waitForURL(/from=11/);
    await page.locator('.pages').locator('[aria-current=page]').filter({ hasText: '2' }).waitFor();
    assert.equal(await page.evaluate('document.activeElement.tagName'), 'H1');
    assert.equal(await page.evaluate('scrollY'), 0);
    await close(page);
  });

  await t.test('no result shows the understood query, a suggestion and the searched sites', async () => {
    const page = await open('?q=asincio');
    const words = (await page.locator('.none').textContent()) ?? '';
    for (const part of ['Understood as', 'Python documentation, PostgreSQL manual and Git', 'Did you mean'])
      assert.ok(words.includes(part), part);
    await page.click('.suggestion a');
    await heading(page, '14 results');
    await close(page);
  });

  await t.test('a silent site and a relaxed query are shown above the results', async () => {
    broker.mood.downSite = 'postgres';
    const page = await open('?q=rebase+zebra');
    const notices = (await page.locator('.notice').allInnerTexts()).join('\n');
    assert.match(notices, /some of them/);
    assert.match(notices, /PostgreSQL manual does not answer/);
    broker.mood.downSite = undefined;
    await close(page);
  });

  await t.test('waiting: the old results stay, a late answer to an old question is dropped', async () => {
    const page = await open('?q=vacuum');
    let release = () => {};
    broker.mood.gate = new Promise((resolve) => {
      release = resolve;
    });
    await page.fill('#q', 'rebase');
    await page.locator('form[data-busy]').waitFor();
    assert.match((await page.locator('h1').textContent()) ?? '', /14 results/);
    const answered = page.waitForResponse(/search\?q=tasks/);
    await page.fill('#q', 'tasks');
    await page.waitForRequest(/search\?q=tasks/);
    broker.mood.gate = Promise.resolve();
    release();
    await answered;
    await heading(page, 'for tasks');
    await page.locator('form:not([data-busy])').waitFor();
    assert.ok(((await page.locator('.result').first().textContent()) ?? '').toLowerCase().includes('tasks'));
    await close(page);
  });

  await t.test(
    'an error is shown, the results stay, and it disappears by itself or after a retry',
    async () => {
      const page = await open('?q=vacuum');
      broker.mood.failing = 503;
      await page.fill('#q', 'vacuum indexes');
      await page
        .locator('.notice[data-kind=trouble]')
        .filter({ hasText: 'The index is being rebuilt' })
        .waitFor();
      assert.ok((await page.locator('.result').count()) > 0);
      broker.mood.failing = undefined;
      await page.click('text=Try again');
      await page.locator('.notice[data-kind=trouble]').waitFor({ state: 'detached' });
      await page.context().setOffline(true);
      await page.fill('#q', 'rebase');
      await page.locator('.notice[data-kind=trouble]').filter({ hasText: 'You are offline' }).waitFor();
      await page.context().setOffline(false);
      await heading(page, 'for rebase');
      await page.locator('.notice[data-kind=trouble]').waitFor({ state: 'detached' });
      await close(page);
      broker.mood.failing = 500;
      const first = await open('?q=vacuum', { ...desktop, javaScriptEnabled: false });
      await heading(first, 'The index is being rebuilt');
      broker.mood.failing = undefined;
      await first.click('text=Try again');
      await heading(first, '14 results');
      await close(first);
    },
  );

  await t.test('with scripts off: the form, the filters and the pages work', async () => {
    const page = await open('', { ...desktop, javaScriptEnabled: false });
    await page.fill('#q', 'chapter');
    await page.keyboard.press('Enter');
    await heading(page, '49 results');
    await assertMatchesShow(page);
    await page.click('.pages a[rel=next]');
    await heading(page, '49 results');
    assert.match(page.url(), /from=11/);
    await page.click('.filters a:has-text("Text")');
    await page.locator('.filters a[aria-current]:has-text("Text")').waitFor();
    assert.match(page.url(), /\?q=chapter&type=Text$/);
    await close(page);
  });

  await t.test('contents of documents stay text', async () => {
    const page = await open('?q=hostile');
    await page.fill('#q', 'hostile sockets');
    await heading(page, '1 result for hostile sockets');
    assert.match((await page.locator('.passage').textContent()) ?? '', /<\/script><script>document/);
    assert.equal(await page.locator('.result :is(img, script, b, i)').count(), 0);
    assert.equal(await page.locator('.result h2 a').count(), 0);
    assert.equal(await page.title(), 'hostile sockets – Garner');
    await page.fill('#q', 'hostile rebase');
    await page.fill('#q', 'rebase');
    await heading(page, 'for rebase');
    const links = await page.locator('.result h2 a').all();
    assert.ok(links.length > 5);
    for (const link of links) assert.equal(await link.getAttribute('rel'), 'noopener noreferrer');
    await close(page);
  });

  await t.test('on a phone, at 200 % zoom and at 320 pixels nothing is cut off; filters fold', async () => {
    const zoomed = { viewport: { width: 640, height: 400 }, deviceScaleFactor: 2 };
    for (const options of [phone, zoomed, { viewport: { width: 320, height: 500 } }]) {
      const page = await open('', options);
      for (const path of ['', '?q=vacuum', '?q=asincio']) {
        await visit(page, broker.url + path);
        assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), path);
      }
      await close(page);
    }
    const page = await open('?q=vacuum', phone);
    const site = page.locator('.filters a:has-text("Git")');
    assert.equal(await site.isVisible(), false);
    await page.tap('.filters summary');
    assert.equal(await site.isVisible(), true);
    await assertMatchesShow(page);
    await site.tap();
    await page.locator('.filters summary').filter({ hasText: 'Git' }).waitFor();
    assert.equal(await site.isVisible(), true);
    await close(page);
  });

  await t.test('axe-core finds nothing, in light and dark, in every state', async () => {
    for (const size of [desktop, phone]) {
      const page = await open('', size);
      for (const path of ['', '?q=vacuum', '?q=vacuum&source=git', '?q=asincio', 'down', 'trouble']) {
        broker.mood.downSite = path === 'down' ? 'postgres' : undefined;
        broker.mood.failing = path === 'trouble' ? 503 : undefined;
        await visit(page, broker.url + path.replace(/^(?:down|trouble)$/, '?q=rebase+zebra'));
        if (size === phone && path.includes('source')) await page.tap('.filters summary');
        await assertAccessible(page, path);
      }
      await close(page);
    }
    broker.mood.downSite = undefined;
    broker.mood.failing = undefined;
  });

  await t.test('with reduced motion nothing moves, and print has only the results', async () => {
    const page = await open('?q=vacuum', { ...desktop, reducedMotion: 'reduce' });
    await page.evaluate("document.getElementById('search').setAttribute('data-busy', '')");
    const animation = "getComputedStyle(document.getElementById('search'), '::after').animationName";
    assert.equal(await page.evaluate(animation), 'none');
    await page.emulateMedia({ reducedMotion: 'no-preference' });
    assert.notEqual(await page.evaluate(animation), 'none');
    await page.emulateMedia({ media: 'print' });
    assert.equal(await page.locator('#q').isVisible(), false);
    assert.equal(await page.locator('.result').first().isVisible(), true);
    await close(page);
  });

  await t.test('the first view has less than 60 KB and comes from one origin', async (t) => {
    const context = await browser.newContext(desktop);
    const page = await context.newPage();
    const devtools = await context.newCDPSession(page);
    await devtools.send('Network.enable');
    let bytes = 0;
    devtools.on('Network.loadingFinished', (event) => {
      bytes += event.encodedDataLength;
    });
    const elsewhere: string[] = [];
    page.on('request', (request) => {
      if (!request.url().startsWith(broker.url)) elsewhere.push(request.url());
    });
    await page.goto(`${broker.url}?q=vacuum`, { waitUntil: 'networkidle' });
    t.diagnostic(`${bytes} bytes with headers`);
    assert.ok(bytes > 5_000 && bytes < 60_000, `${bytes} bytes`);
    assert.deepEqual(elsewhere, []);
    await context.close();
  });

  assert.deepEqual(complaints, [], 'script errors or breaches of the Content-Security-Policy');
});
