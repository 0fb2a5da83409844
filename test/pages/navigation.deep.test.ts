import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { temporaryFolder } from '../commands/command.ts';
import { serveHere } from '../commands/command-here.ts';
import { assertAccessible } from './accessible.ts';
import { launched, phone, skip } from './browser-page.ts';

test('every page of every server shows one navigation, by keyboard, on a phone and without scripts', {
  skip,
  timeout: 120_000,
}, async (t) => {
  await using folder = await temporaryFolder();
  const site = join(folder.path, 'site');
  await mkdir(site);
  await writeFile(join(site, 'tide.html'), '<title>Tides</title><p>The tide in the harbour.');
  const on = (data: string) => ['--port', '0', '--data', join(folder.path, data)];
  await using registry = await serveHere<{ readonly registry: string }>([
    ...['registry', 'serve', ...on('registry')],
  ]);
  await using broker = await serveHere<{ readonly search: string }>([
    ...['broker', 'serve', ...on('broker'), '--registry', registry.ready.registry],
  ]);
  await using gatherer = await serveHere<{ readonly soif: string }>([
    ...['gatherer', 'serve', '--root', site, ...on('gatherer')],
  ]);
  await using cache = await serveHere<{ readonly admin: string }>([
    'cache',
    'serve',
    '--proxy',
    ...on('cache'),
  ]);
  const servers = [
    [registry.ready.registry, ['Servers', 'Topology', 'Add a server', 'Status', 'Administration']],
    [broker.ready.search, ['Search', 'Status', 'Administration', 'Registry']],
    [new URL('./', gatherer.ready.soif).href, ['Gatherer', 'Annotate']],
    [cache.ready.admin, ['Status', 'Metrics', 'API']],
  ] as const;
  const browser = await launched();
  t.after(() => browser.close());
  const plain = await browser.newContext({ ...phone, javaScriptEnabled: false });
  const bare = await plain.newPage();
  for (const [address, names] of servers) {
    await bare.goto(address);
    const entries = await bare.locator('nav.site-pages a').all();
    const hrefs = await Promise.all(entries.map((entry) => entry.getAttribute('href')));
    for (const [at, href] of hrefs.entries()) {
      const answer = await bare.goto(new URL(href ?? '', address).href);
      assert.equal(answer?.status(), 200, `${address}${href}`);
      const isPage = answer?.headers()['content-type']?.startsWith('text/html') ?? false;
      if (!isPage || !bare.url().startsWith(address)) continue;
      assert.deepEqual(await bare.locator('nav.site-pages a').allTextContents(), names, bare.url());
      assert.equal(await bare.locator('nav.site-pages [aria-current=page]').textContent(), names[at]);
      const { scroll, window } = await bare.evaluate<{ scroll: number; window: number }>(
        '({ scroll: document.documentElement.scrollWidth, window: innerWidth })',
      );
      assert.ok(scroll <= window, `${bare.url()} is ${scroll} of ${window} pixels wide`);
    }
  }
  await plain.close();

  const page = await browser.newPage(phone);
  for (const [address] of servers) {
    await page.goto(address);
    await assertAccessible(page, address);
    // The keys reach the last entry, and Enter opens the one that has the focus.
    const entries = page.locator('nav.site-pages a');
    const isFocused = async (at: number) =>
      (await page.evaluate<string | null>('document.activeElement.textContent')) ===
      (await entries.nth(at).textContent());
    for (let at = 0; !(await isFocused(1)); at++) {
      assert.ok(at < 20, `the keys do not reach the navigation of ${address}`);
      await page.keyboard.press('Tab');
    }
    const href = await entries.nth(1).getAttribute('href');
    await page.keyboard.press('Enter');
    await page.waitForURL(new URL(href ?? '', address).href);
  }
});
