import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { jsonHere as jsonOf } from '../commands/command-here.ts';
import { assertAccessible } from './accessible.ts';

// The administration page as served by the built command, in a browser without scripts.

const executablePath = '/usr/bin/chromium';
const skip = existsSync(executablePath)
  ? false
  : `SKIPPED: no ${executablePath}; apt-get install chromium runs the browser tests`;
const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
const token = 'an-admin-token-for-the-test';
const hostile = '<img src=x onerror=alert(1)>';

const said = (page: Page, text: string | RegExp) => page.locator('.said').filter({ hasText: text }).waitFor();
const section = (page: Page, id: string) => page.locator(`section[aria-labelledby=${id}]`);

test('the administration page in a browser', { skip, timeout: 240_000 }, async (t) => {
  await using folder = await temporaryFolder();
  const here = { cwd: folder.path };
  await mkdir(join(folder.path, 'site'));
  await writeFile(
    join(folder.path, 'site/a.html'),
    `<title>${hostile.replaceAll('<', '&lt;')}</title><p>harbour</p>`,
  );
  await writeFile(join(folder.path, 'site/b.html'), '<title>Tide</title><p>harbour tide</p>');
  const root = ['--root', 'site', '--base-url', 'https://harbour.example/'];
  await using gatherer = await startServer<{ readonly collect: string }>(
    ['gatherer', 'serve', ...root, '--data', 'g', '--port', '0', '--gatherer-name', hostile],
    here,
  );
  await using broker = await startServer<{ readonly search: string; readonly administration: string }>(
    ['broker', 'serve', '--data', 'b', '--port', '0'],
    { ...here, env: { GARNER_HTTP_ADMIN_TOKENS: token } },
  );
  const { administration } = broker.ready;
  const browser = await chromium.launch({ executablePath, args });
  t.after(() => browser.close());
  const complaints: string[] = [];
  const opened = async (options: BrowserContextOptions = {}) => {
    const page = await (await browser.newContext(options)).newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    page.on('dialog', (dialog) => complaints.push(`dialog ${dialog.message()}`));
    page.on('framenavigated', (frame) => assert.ok(!frame.url().includes(token), frame.url()));
    await page.goto(administration);
    return page;
  };
  const logIn = async (page: Page, shown = token) => {
    await page.locator('#token').focus();
    await page.keyboard.type(shown);
    await page.keyboard.press('Enter');
  };
  const assertFits = async (page: Page, what: string) => {
    await assertAccessible(page, what);
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), what);
  };

  await t.test('without a valid token nothing is shown', async () => {
    const page = await opened({ javaScriptEnabled: false });
    await logIn(page, 'not-that-one-at-all');
    await page.locator('.fault').filter({ hasText: 'may not administer' }).waitFor();
    assert.equal(await page.locator('section').count(), 0);
    await page.context().close();
  });

  await t.test('sources, deletion and settings by keyboard and mouse, without scripts', async () => {
    const page = await opened({ javaScriptEnabled: false });
    await logIn(page);
    await page.locator('h2').filter({ hasText: 'Sources' }).waitFor();
    const [cookie] = await page.context().cookies();
    assert.deepEqual([cookie?.httpOnly, cookie?.sameSite, cookie?.path], [true, 'Strict', '/admin']);
    assert.ok(!(await page.content()).includes(token));

    await page.fill('#address', gatherer.ready.collect);
    await page.keyboard.press('Enter');
    await said(page, 'The source was added.');
    await page.click('text=Collect now');
    await said(page, /^Collected/);
    const sources = section(page, 'sources');
    await sources.locator('td').filter({ hasText: /^ok$/ }).waitFor();
    assert.match((await sources.textContent()) ?? '', /<img src=x/, 'a hostile name is text');
    await page.fill('#source0-every', '2h');
    await page.keyboard.press('Enter');
    await said(page, 'The time between rounds was set.');
    assert.equal(await page.inputValue('#source0-every'), '2h');
    await page.fill('#source0-every', 'soon');
    await page.keyboard.press('Enter');
    await page.locator('.fault').waitFor();
    await page.click('button:has-text("Pause")');
    await said(page, 'The source is paused.');
    await sources
      .locator('td')
      .filter({ hasText: /^paused$/ })
      .waitFor();
    await page.click('button:has-text("Resume")');
    await said(page, 'The source was resumed.');

    await page.fill('#query', 'harbour');
    await page.keyboard.press('Enter');
    const deletion = section(page, 'deletion');
    await deletion.locator('h3').filter({ hasText: '2 objects would be deleted' }).waitFor();
    assert.match((await deletion.textContent()) ?? '', /<img src=x onerror/);
    const total = async () => {
      const answer = await fetch(new URL('search?q=harbour', broker.ready.search));
      return ((await answer.json()) as { readonly total: number }).total;
    };
    assert.equal(await total(), 2, 'looking deletes nothing');
    await page.fill('#query', 'tide');
    await page.keyboard.press('Enter');
    await page.click('button:has-text("Delete 1 object")');
    await said(page, 'Deleted: 1.');
    assert.equal(await total(), 1);
    await page.click('button:has-text("Unblock")');
    await said(page, 'collected again');
    await page.click('text=Collect now');
    await said(page, /^Collected: 1 learned/);
    assert.equal(await total(), 2);

    const settings = section(page, 'settings');
    await settings.locator('input[name=value]').first().fill('10m');
    await page.keyboard.press('Enter');
    await said(page, 'The setting was changed.');
    await settings.locator('button:has-text("As configured")').click();
    await said(page, 'The configuration applies to this setting again.');
    for (const label of ['Remove expired objects', 'Compact the databases', 'Rebuild the index'])
      await page.click(`button:has-text("${label}")`);
    await said(page, 'The index is being rebuilt.');
    const audit = (await section(page, 'audit').textContent()) ?? '';
    for (const action of ['log in', 'source add', 'delete', 'unblock', 'compact', 'http.admin-tokens 1'])
      assert.ok(audit.includes(action), action);
    assert.match(audit, /nobody/, 'the refused user is in the audit');

    const forged = await page.request.post(new URL('/admin/act', administration).href, {
      form: { act: 'clean' },
      maxRedirects: 0,
    });
    assert.deepEqual([forged.status(), forged.headers().location], [303, '../admin?login=over']);
    const foreign = await page.request.post(new URL('/admin/act', administration).href, {
      form: { act: 'clean' },
      headers: { origin: 'https://evil.example' },
    });
    assert.equal(foreign.status(), 403);
    await page.goto(administration);
    const cleaned = ((await section(page, 'audit').textContent()) ?? '').match(/clean(?!ing)/g)?.length;
    assert.equal(cleaned, 1, 'a form without the key of the session does nothing');

    await page.click('button:has-text("Remove and forget")');
    await said(page, 'The objects that only it offered are deleted.');
    await page.click('button:has-text("Log out")');
    await page.locator('#token').waitFor();
    await page.context().close();
  });

  await t.test('a lesser token sees its part; a removed one is logged out', async () => {
    const data = ['--data', 'b'];
    const made = await jsonOf<{ readonly token: string }>(
      ['broker', 'token', 'add', 'editor', '--scope', 'write', ...data],
      here,
    );
    const page = await opened();
    await logIn(page, made.token);
    await section(page, 'blocked').waitFor();
    assert.equal(await section(page, 'sources').count(), 0);
    await jsonOf(['broker', 'token', 'remove', 'editor', ...data], here);
    await page.reload();
    await page.locator('#token').waitFor();
    await page.context().close();
  });

  await t.test('axe finds nothing, light and dark, wide and narrow', async () => {
    for (const width of [1280, 360]) {
      const page = await opened({ viewport: { width, height: 800 } });
      await assertFits(page, `login ${width}`);
      await logIn(page);
      await section(page, 'audit').waitFor();
      await assertFits(page, `page ${width}`);
      await page.context().close();
    }
  });
  assert.deepEqual(complaints, []);
});
