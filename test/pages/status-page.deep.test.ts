import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { chromium } from 'playwright-core';
import { type Route, serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { searchPageRoutes, withStatusPage } from '../../web/index.ts';
import { assertAccessible } from './accessible.ts';

const executablePath = '/usr/bin/chromium';
const skip = existsSync(executablePath)
  ? false
  : `SKIPPED: no ${executablePath}; apt-get install chromium runs the browser tests`;

const clock = new ManualClock();
const schemes = [['log'], [], ['sketch'], ['signature'], [], ['short-ids'], ['log', 'short-ids']];

/** A Broker of three sources: one with the max number of stored rounds, one with few, one that has never answered. */
function status(): unknown {
  const now = Math.floor(clock.now() / 1000);
  const rounds = (count: number) =>
    Array.from({ length: count }, (_, i) => ({
      ...{ at: now - (count - i) * 300, schemes: schemes[i % schemes.length], ms: 3 + i },
      ...{ bytesUp: 40 + i, bytesDown: 15 * 10 ** (i % 5), learned: i, refreshed: 0, forgotten: i % 3 },
    }));
  const measures = ['log', 'sketch', 'signature'].map((scheme, i) => ({
    ...{ scheme, at: now - 60, bytesUp: 40, bytesDown: 900 * (i + 1), ms: 12 },
    predicted: { bytesUp: 60, bytesDown: 1000 },
  }));
  const source = (id: string, count: number) => ({
    ...{ id, name: `Site ${id}`, url: `wss://a-rather-long-name-of-a-host.${id}.example.org/garner/wire` },
    ...{ state: 'ok', objects: 1234, lastLearnedAt: now - 60, error: null, rounds: rounds(count) },
    ...{ schemes: measures, filter: { query: 'Type: report' } },
  });
  const away = { ...source('c', 0), state: 'down', error: 'connection refused', schemes: [], filter: null };
  const sources = [source('a', 50), source('b', 2), away];
  return {
    name: 'topic',
    objects: 3702,
    summaryBytes: 5e6,
    engine: { objects: 3702 },
    examples: [],
    sources,
  };
}

test('the status page in a browser', { skip, timeout: 240_000 }, async (t) => {
  const route: Route = {
    ...{ method: 'GET', path: '/status', summary: 'status', scope: 'public' },
    handle: () => ({ json: status() }),
  };
  const pages = [{ href: 'status', name: 'Status' }];
  const search = searchPageRoutes({ api: async () => ({ status: 200, json: status() }), clock, pages });
  const routes = [withStatusPage(route, { clock, title: 'Topic' }), ...search];
  await using server = await serveHttp({ routes, port: 0, clock, title: 'test', version: '0' });
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
  const browser = await chromium.launch({ executablePath, args });
  t.after(() => browser.close());
  const complaints: string[] = [];
  for (const width of [1280, 360]) {
    const context = await browser.newContext({ viewport: { width, height: 800 } });
    const page = await context.newPage();
    page.on('console', (message) => {
      if (message.type() === 'error') complaints.push(message.text());
    });
    await page.goto(server.url);
    await page.click('nav a[href=status]');
    await page.locator('h1').filter({ hasText: '3,702 objects from 3 sources' }).waitFor();
    assert.equal(await page.locator('svg[role=img]').count(), 2);
    const box = await page.locator('.bar').first().boundingBox();
    assert.ok(box !== null && box.width > 1 && box.height > 1, 'a bar is visible');
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme });
      const fill = (kind: string) =>
        page.evaluate<string>(`getComputedStyle(document.querySelector('.bar.${kind}')).fill`);
      const fills = await Promise.all(['idle', 'scheme1', 'scheme2', 'scheme3', 'scheme4'].map(fill));
      assert.equal(new Set(fills).size, 5, `${fills}`);
    }
    // Folded tables are checked too.
    for (const summary of await page.locator('.status summary').all()) await summary.click();
    assert.equal(await page.locator('.status details').first().locator('tbody tr').count(), 50);
    assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), `${width}`);
    await assertAccessible(page, `${width}`);
    await context.close();
  }
  assert.deepEqual(complaints, [], 'breaches of the Content-Security-Policy');
});
