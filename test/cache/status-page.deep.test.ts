import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import axe from 'axe-core';
import { chromium } from 'playwright-core';
import { type Route, serveHttp } from '../../http/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { cacheStatusPage } from '../../web/index.ts';

const executablePath = '/usr/bin/chromium';
const skip = existsSync(executablePath)
  ? false
  : `SKIPPED: no ${executablePath}; apt-get install chromium runs the browser tests`;

const clock = new ManualClock();

/** A cache with everything that its page can show, and so many additional parents. */
function status(more: number): unknown {
  const now = clock.now() / 1000;
  const peer = (role: string, at: number, state: string) => ({
    ...{ role, name: `a-rather-long-name-of-a-${role}-${at}.example.org:3128`, state },
    ...{ asked: 1000 * at, hits: 30 * at, misses: 5, fetched: 20 * at, failed: at },
    ...(at === 1 && { digestEntries: 5000 }),
  });
  const object = (at: number) => ({
    url: `http://origin.example.org/a/path/that/is/long/${'x'.repeat(10 * at)}`,
    ...{ bytes: 9 ** at, hits: 2 ** (8 - at), status: 200 },
  });
  return {
    ...{ role: 'cache', name: 'edge', proxy: true, addresses: [], now },
    origins: [{ host: null, url: 'http://origin.example.org' }],
    answers: {
      ...{ since: now - 7200, requests: 9000, hitRatio: 0.91, byteHitRatio: 0.62, bytes: 1e9 },
      bytesFromHere: 62e7,
      outcomes: { hit: 8000, validated: 190, miss: 700, pass: 100, failed: 10 },
      latency: { fromHere: { p50: 1, p99: 2 }, others: { p50: 50, p99: 1000 } },
      minutes: Array.from({ length: 70 }, (_, at) => ({
        at: now - (70 - at) * 60,
        requests: 100 + at * 3,
        fromHere: 60 + at * 2,
      })),
    },
    store: {
      ...{ entries: 1234, contentBytes: 5e8, diskBytes: 6e8, diskBudgetBytes: 1e9, memoryBytes: 1e7 },
      ...{ memoryBudgetBytes: 1e8, evicted: 70, damaged: 1, refused: 3 },
      trouble: {
        ...{ reason: 'ENOSPC', what: 'the disk is full', cure: 'make room there', state: 'full' },
        since: now - 300,
      },
    },
    hottest: [0, 1, 2, 3, 4, 5].map(object),
    largest: [5, 4, 3, 2, 1].map(object),
    neighbours: [
      ...[peer('parent', 0, 'up'), peer('parent', 1, 'silent')],
      ...[0, 1, 2, 3].map((at) => peer('sibling', at, 'up')),
      ...Array.from({ length: more }, (_, at) => peer('parent', 2 + at, at === 7 ? 'dead' : 'up')),
    ],
    children: [1, 2, 3].map((at) => ({
      ...{
        name: at === 1 ? null : `child-${at}`,
        address: `2001:db8::${at}`,
        requests: 50 * at,
        fromHere: 20,
        lastAt: now - at,
      },
    })),
  };
}

test('the status page of a cache in a browser', { skip, timeout: 240_000 }, async (t) => {
  let more = 0;
  const route: Route = {
    ...{ method: 'GET', path: '/status', summary: 'status', scope: 'public' },
    handle: () => ({ json: status(more) }),
  };
  const { cacheStatusRoutes } = await cacheStatusPage();
  const routes = cacheStatusRoutes(route, { clock, title: 'Edge' });
  await using server = await serveHttp({ routes, port: 0, clock, title: 'test', version: '0' });
  const args = ['--no-sandbox', '--disable-gpu', '--disable-background-networking', '--disable-sync'];
  const browser = await chromium.launch({ executablePath, args });
  t.after(() => browser.close());
  const complaints: string[] = [];
  for (const colorScheme of ['light', 'dark'] as const)
    for (const width of [1280, 360]) {
      more = colorScheme === 'dark' ? 200 : 0;
      const page = await browser.newPage({ colorScheme, viewport: { width, height: 900 } });
      page.on('console', (message) => complaints.push(message.text()));
      page.on('pageerror', (error) => complaints.push(String(error)));
      await page.goto(`${server.url}status`);
      if (process.env.GARNER_PICTURES !== undefined)
        await page.screenshot({
          path: `${process.env.GARNER_PICTURES}/cache-status-${colorScheme}-${width}.png`,
          fullPage: true,
        });
      await t.test(`${colorScheme}, ${width} pixels: accessible, nothing wider than the window`, async () => {
        await page.evaluate(axe.source);
        const { violations } = (await page.evaluate('axe.run()')) as axe.AxeResults;
        assert.deepEqual(
          violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)]),
          [],
        );
        const wide = await page.evaluate('document.documentElement.scrollWidth - innerWidth');
        assert.ok((wide as number) <= 0, `${wide} pixels too wide`);
      });
      await page.close();
    }
  assert.deepEqual(complaints, []);
});
