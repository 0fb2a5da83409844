import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { annotationWorld } from '../testing/annotation.ts';
import { annotationRoutes } from './annotation-routes.ts';

const executablePath = '/usr/bin/chromium';
const token = 'admin-token-1';
const url = 'http://x.org/a';

test('the form works in a browser without scripts, by keyboard, in light and dark', async (t) => {
  if (!existsSync(executablePath)) return t.skip('SKIPPED: install chromium');
  await using world = await annotationWorld();
  await world.gather(
    world.annotations,
    summaryObject(url, [
      ['Title', 'Gathered'],
      ['Type', 'HTML'],
    ]),
  );
  const clock = new ManualClock();
  const stored = async (of: string) => world.stored.objects.get(of);
  const routes = annotationRoutes({ annotations: world.annotations, clock, stored, adminTokens: [token] });
  await using server = await serveHttp({ routes, port: 0, clock, title: 'test', version: '0' });
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  try {
    const context = await browser.newContext({ javaScriptEnabled: false });
    const page = await context.newPage();
    const complaints: string[] = [];
    page.on('console', (message) => complaints.push(message.text()));
    await page.goto(`${server.url}annotate`);
    // The browser focuses the field a moment after the page has loaded.
    await page.locator('#url:focus').waitFor();
    await page.keyboard.type(url);
    await page.keyboard.press('Enter');
    await page.getByText('Gathered attributes', { exact: true }).waitFor();
    await page.getByLabel('Title').focus();
    await page.keyboard.type('Typed');
    await page.keyboard.press('Tab');
    await page.keyboard.type('one, two');
    await page.getByLabel('Administration token').fill(token);
    await page.keyboard.press('Enter');
    await page.getByRole('status').waitFor();
    assert.match((await page.getByRole('status').textContent()) ?? '', /shows it now/);
    assert.equal(await page.getByLabel('Keywords').inputValue(), 'one, two');
    const annotation = await world.annotations.get(url);
    assert.deepEqual(annotation?.fields, [
      ['Title', 'Typed'],
      ['Keywords', 'one, two'],
    ]);
    assert.deepEqual(complaints, []);
    for (const colorScheme of ['light', 'dark'] as const) {
      // The checker is a script: it gets past the policy in a context of its own.
      const checked = await browser.newContext({ colorScheme, bypassCSP: true });
      const form = await checked.newPage();
      await form.goto(`${server.url}annotate?url=${encodeURIComponent(url)}&done=stored`);
      await form.evaluate(axe.source);
      const { violations } = await form.evaluate<{ violations: { id: string }[] }>('axe.run()');
      assert.deepEqual(
        violations.map(({ id }) => id),
        [],
      );
      const background = await form.evaluate<string>('getComputedStyle(document.body).backgroundColor');
      assert.equal(background, colorScheme === 'light' ? 'rgb(252, 252, 251)' : 'rgb(21, 24, 26)');
    }
    await page.getByRole('button', { name: 'Remove' }).waitFor();
    await page.getByLabel('Administration token').fill(token);
    await page.getByRole('button', { name: 'Remove' }).click();
    await page.getByRole('status').waitFor();
    assert.equal(world.annotations.store.count, 0);
  } finally {
    await browser.close();
  }
});
