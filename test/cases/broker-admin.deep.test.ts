import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { assertAccessible } from '../pages/accessible.ts';

const executablePath = '/usr/bin/chromium';
const skip = existsSync(executablePath) ? false : `SKIPPED: no ${executablePath}`;
const token = 'an-admin-token-for-the-case';

test('case b24: on a phone the administration has links to its parts, rows are cards, nothing scrolls sideways', {
  skip,
  timeout: 120_000,
}, async (t) => {
  await using folder = await temporaryFolder();
  await using broker = await startServer<{ readonly administration: string }>(
    ['broker', 'serve', '--data', 'b', '--port', '0'],
    { cwd: folder.path, env: { GARNER_HTTP_ADMIN_TOKENS: token } },
  );
  const browser = await chromium.launch({ executablePath, args: ['--no-sandbox', '--disable-gpu'] });
  t.after(() => browser.close());
  const context = await browser.newContext({
    viewport: { width: 390, height: 800 },
    isMobile: true,
  });
  // The page without its scripts; axe-core needs a browser that runs its own.
  await context.route(/\.js(?:\?|$)/, (route) => route.abort());
  const page = await context.newPage();
  await page.goto(broker.ready.administration);
  await page.fill('#token', token);
  await page.keyboard.press('Enter');
  await page.locator('nav.tabs').waitFor();
  await page.fill('#address', 'ws://127.0.0.1:9/');
  await page.keyboard.press('Enter');
  await page.locator('.said').filter({ hasText: 'The source was added.' }).waitFor();
  const pictures = process.env.GARNER_TEST_PICTURES;
  if (pictures !== undefined) await page.screenshot({ path: pictures, fullPage: true });

  const links = await page.locator('nav.tabs a').evaluateAll((all) => all.map((a) => a.getAttribute('href')));
  for (const id of ['sources', 'tokens', 'views', 'settings', 'upkeep']) {
    assert.ok(links.includes(`admin#${id}`), id);
    assert.equal(await page.locator(`h2#${id}`).count(), 1);
  }
  await page.fill('#token-name', 'reader');
  await page.keyboard.press('Enter');
  await page.locator('.said').filter({ hasText: 'The token, shown only now:' }).waitFor();
  await page.fill('#view-name', 'tides');
  await page.fill('#view-query', 'tide');
  await page.keyboard.press('Enter');
  await page.locator('.said').filter({ hasText: 'The view was defined.' }).waitFor();
  await page.fill('#hook0', 'https://www.example.org/hook?a=1&b=<i>');
  await page.keyboard.press('Enter');
  await page.locator('.said').filter({ hasText: 'The secret that signs its messages' }).waitFor();
  assert.match((await page.locator('[aria-label="Views"]').textContent()) ?? '', /hook\?a=1&b=.*active/);
  await page.click('button:has-text("Remove the webhook")');
  await page.locator('.said').filter({ hasText: 'The webhook was removed.' }).waitFor();
  assert.equal(await page.locator('button:has-text("Remove the webhook")').count(), 0);
  await page.fill('#token-name', 'guest');
  await page.fill('#token-end', '2099-12-31');
  await page.locator('#token-end').press('Enter');
  await page.locator('.said').filter({ hasText: 'The token, shown only now:' }).waitFor();
  assert.match((await page.locator('[aria-label="Named tokens"]').textContent()) ?? '', /guest.*2099-12-31/);
  await page.click('button:has-text("Repair store and index")');
  await page.locator('.said').filter({ hasText: 'free of faults' }).waitFor();
  await page.click('button:has-text("Check store and index")');
  await page.locator('.said').filter({ hasText: 'free of faults' }).waitFor();
  await page.click('button:has-text("Count duplicates")');
  await page.locator('.said').filter({ hasText: 'several Gatherers: 0' }).waitFor();

  const wide = await page.evaluate<string[]>(
    `[document.documentElement, ...document.querySelectorAll('.wide')]
      .filter((box) => box.scrollWidth > box.clientWidth + 1).map((box) => box.outerHTML.slice(0, 200))`,
  );
  assert.deepEqual(wide, []);
  const row = await page.locator('[aria-label="Every source"] tbody tr').first().boundingBox();
  assert.ok(row !== null && row.width <= 390);
  await assertAccessible(page, 'the administration on a phone');
});
