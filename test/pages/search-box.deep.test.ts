import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { assertAccessible } from './accessible.ts';
import { complaints, launched, opened, skip } from './browser-page.ts';
import { openSmallBroker } from './search-page-broker.ts';

const close = (page: Page) => page.context().close();
const heading = (page: Page, text: string | RegExp) => page.locator('h1').filter({ hasText: text }).waitFor();

test('the search box in a browser', { skip, timeout: 240_000 }, async (t) => {
  await using broker = await openSmallBroker();
  const browser = await launched();
  t.after(() => browser.close());
  const open = (path?: string) => opened(browser, broker, path);

  await t.test(
    'suggested words under the box: arrows move through them, Enter selects one, Esc closes them',
    async () => {
      const page = await open();
      const options = page.locator('#words [role=option]');
      await page.keyboard.type('tasks re');
      await options.nth(1).waitFor();
      assert.deepEqual(await options.allInnerTexts(), ['rebase', 'rebuild']);
      const state = async () => [
        await page.getAttribute('#q', 'aria-expanded'),
        await page.getAttribute('#q', 'aria-activedescendant'),
      ];
      assert.deepEqual(await state(), ['true', null]);
      await assertAccessible(page, 'suggested words');
      await page.keyboard.press('ArrowDown');
      await page.keyboard.press('ArrowDown');
      assert.deepEqual(await state(), ['true', 'word-1']);
      assert.equal(await page.evaluate('document.activeElement.id'), 'q');
      await page.keyboard.press('ArrowUp');
      await page.keyboard.press('Enter');
      assert.equal(await page.inputValue('#q'), 'tasks rebase');
      assert.deepEqual(await state(), ['false', null]);
      await page.waitForURL(/q=tasks\+rebase$/);
      await page.fill('#q', '');
      await page.keyboard.type('re');
      await options.nth(1).waitFor();
      await page.keyboard.press('Escape');
      assert.deepEqual([await page.inputValue('#q'), await options.count()], ['re', 0]);
      await page.keyboard.type('b');
      await options.nth(1).click();
      assert.equal(await page.inputValue('#q'), 'rebuild');
      await close(page);
    },
  );

  await t.test('a late answer does not change the suggestions for later input', async () => {
    const page = await open();
    await page.clock.install();
    const options = page.locator('#words [role=option]');
    let release: () => void = () => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route(/complete\?q=rebase$/, async (route) => {
      await released;
      await route.continue();
    });
    await page.keyboard.type('re');
    await options.nth(1).waitFor();
    const asked = page.waitForRequest(/complete\?q=rebase$/);
    await page.keyboard.insertText('base');
    await asked;
    // The pause before the page's next request never ends: only answers to earlier requests can still come.
    await page.clock.pauseAt(Date.now() + 5_000);
    await page.fill('#q', '');
    await page.keyboard.type('re');
    const answered = page.waitForResponse(/complete\?q=rebase$/);
    release();
    await (await answered).finished();
    await page.evaluate('fetch(".").then((response) => response.text())');
    assert.deepEqual(await options.allInnerTexts(), ['rebase', 'rebuild']);
    await page.keyboard.press('Escape');
    assert.deepEqual([await page.inputValue('#q'), await options.count()], ['re', 0]);
    await close(page);
  });

  await t.test('a corrected query is shown, with a link to the original', async () => {
    const page = await open('?q=vakuum');
    const notice = page.locator('.notice[data-kind=corrected]');
    assert.match((await notice.textContent()) ?? '', /No results for vakuum\. Showing results for vacuum/);
    await notice.locator('a').click();
    await page.waitForURL(/q=vakuum&exact=1$/);
    await heading(page, 'No result');
    await page.click('.suggestion a');
    await page.waitForURL(/q=vacuum$/);
    await heading(page, '14 results');
    await close(page);
  });

  await t.test('the order, years, groups and copies are chosen by links', async () => {
    const page = await open('?q=vacuum');
    await heading(page, '14 results');
    const also = page.locator('.also').first();
    await page.locator('.result:has(.also) .rest > summary').first().click();
    await also.locator('summary').click();
    assert.match((await also.textContent()) ?? '', /12 other addresses.*and 10 more/);
    assert.equal(await also.locator('a').count(), 1);
    await page.click('.filters a:has-text("Newest first")');
    await page.waitForURL(/sort=date$/);
    await page.locator('.filters a[aria-current]:has-text("Newest first")').waitFor();
    await page.click('.filters a:has-text("2025")');
    await page.waitForURL(/filter=year%3A2025&sort=date$/);
    await page.locator('.filters a[aria-current]:has-text("2025")').waitFor();
    await page.click('.filters a:has-text("At most 3")');
    await page.waitForURL(/grouped=1$/);
    await page.locator('.more a').first().waitFor();
    assert.match(broker.asked.at(-1) ?? '', /filter=year%3A2025&sort=date&fold=1&per-source=3$/);
    await page.locator('.more a').first().click();
    await page.waitForURL(/source=\w+&filter=year%3A2025&sort=date$/);
    await assertAccessible(page, 'filters');
    await close(page);
  });

  await t.test('a reported dead link is checked, and the result stays', async () => {
    const page = await open('?q=vacuum');
    assert.equal(await page.locator('.shown').first().textContent(), 'Written by<b>Ada</b>');
    const result = page.locator('.result').first();
    await result.locator('.rest > summary').click();
    await result.locator('[data-check]').click();
    await result.locator('.check').filter({ hasText: 'missing now; it will be checked again' }).waitFor();
    await page.evaluate("dispatchEvent(new Event('online'))");
    assert.equal(await result.locator('[data-check]').count(), 0);
    await assertAccessible(page, 'a dead link');
    await close(page);
  });

  assert.deepEqual(complaints, [], 'script errors or breaches of the Content-Security-Policy');
});
