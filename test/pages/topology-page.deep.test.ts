import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Page } from 'playwright-core';
import { HttpClient } from '../../fetch/index.ts';
import { startServer, temporaryFolder } from '../commands/command.ts';
import { type Described, register } from '../registry/registered.ts';
import { assertAccessible } from './accessible.ts';
import { desktop, launched, phone, skip } from './browser-page.ts';

const gatherer = (name: string, roots: readonly string[]): Described => ({
  ...{ type: 'GATHERER', name, url: `https://${name.toLowerCase().replace(/\W+/g, '-')}.example/` },
  objects: 100 * name.length,
  attributes: [['Roots', roots.join('\n')]],
});

const from = (...lines: readonly string[]) => [['Collects-From', lines.join('\n')] as const];

/** A university: three Gatherers, four Brokers of which one collects from two others, and two caches. */
const university = (killed: string): readonly Described[] => [
  gatherer('Physics papers', ['https://physics.example/papers', 'https://preprints.example/']),
  gatherer('Library', ['https://library.example/']),
  gatherer('Archive', ['https://archive.example/', 'ftp://ftp.example/pub']),
  {
    ...{ type: 'BROKER', name: 'Sciences', url: 'https://sciences.example/', objects: 48_210 },
    attributes: from(
      'live https://physics-papers.example/',
      'live https://library.example/',
      `live ${killed}`,
    ),
  },
  {
    ...{ type: 'BROKER', name: 'Humanities', url: 'https://humanities.example/', objects: 9121 },
    attributes: from('live https://library.example/', 'broken https://archive.example/'),
  },
  {
    ...{ type: 'BROKER', name: 'Everything', url: 'https://everything.example/', objects: 57_331 },
    attributes: from(
      'live https://sciences.example/',
      'late https://humanities.example/',
      'live https://gone.example/',
    ),
  },
  { type: 'CACHE', name: 'Campus cache', url: 'https://cache.example/', objects: 120_000 },
  {
    ...{ type: 'CACHE', name: '<b>Dormitory</b>', url: 'https://dormitory.example/', objects: 300 },
    attributes: [['Parents', 'live https://cache.example/']],
  },
  { type: 'REGISTRY', name: 'City', url: 'https://city.example/', objects: 12 },
];

/** The time from late to broken is longer than the pace of the page. */
const leaseSeconds = 4;

const pictures = process.env.GARNER_PICTURES;

async function photograph(page: Page, name: string): Promise<void> {
  if (pictures === undefined) return;
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme });
    await page.screenshot({ path: `${pictures}/topology-${name}-${colorScheme}.png`, fullPage: true });
  }
}

const noWider = async (page: Page) =>
  assert.ok(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), page.url());

test('the topology is drawn live: a server that was killed turns broken without a reload', {
  skip,
  timeout: 120_000,
}, async (t) => {
  await using folder = await temporaryFolder();
  await using registry = await startServer<{ readonly registry: string }>(
    [
      ...['registry', 'serve', '--port', '0', '--name', 'The university', '--client-rate', '1000'],
      ...['--data', `${folder.path}/registry`],
    ],
    { cwd: folder.path },
  );
  const at = registry.ready.registry;
  await using client = new HttpClient({
    ...{ userAgent: 'test', allowHosts: [at], delayMs: 0, retries: 0, perHost: 16 },
  });

  const browser = await launched();
  t.after(() => browser.close());
  const context = await browser.newContext(desktop);
  const page = await context.newPage();
  const complaints: string[] = [];
  page.on('pageerror', (error) => complaints.push(error.message));
  page.on('console', (message) => {
    if (message.type() === 'error') complaints.push(message.text());
  });
  // By the clock of the page: what the browser reports arrives late on a busy machine.
  const loads = () =>
    page.evaluate<number[]>(
      `performance.getEntriesByName(${JSON.stringify(`${at}topology`)}, 'resource').map(({ startTime }) => startTime)`,
    );
  await page.goto(`${at}topology`);
  await page.locator('html[data-live]').waitFor();
  await page.locator('main', { hasText: 'No server has registered yet' }).waitFor();
  await page.evaluate("document.documentElement.dataset.same = 'page'");
  const lease = ['--registry', at, '--renewal', '1s', '--lease', `${leaseSeconds}s`, '--name', 'Observatory'];
  await using broker = await startServer<{ readonly search: string }>(
    ['broker', 'serve', '--port', '0', '--data', `${folder.path}/broker`, ...lease],
    { cwd: folder.path },
  );
  for (const server of university(broker.ready.search)) await register(at, client, server);
  const wide = page.locator('svg.wide');
  const box = (name: string) => wide.locator('.box', { has: page.locator('.name', { hasText: name }) });
  const row = (name: string) => page.locator('tbody tr', { has: page.locator('th', { hasText: name }) });
  await wide.locator('.box.broker.live', { hasText: 'Observatory' }).waitFor();
  await page.locator('h1', { hasText: '10 servers: all live; 1 connection broken' }).waitFor();
  await photograph(page, 'live');

  await t.test('layers from sites to Registries, and every fact in the table too', async () => {
    const names = await wide.locator('.layer').allTextContents();
    assert.deepEqual(names, [
      ...['Sites', 'Gatherers', 'Brokers', 'Brokers that collect from Brokers'],
      ...['Caches', 'Caches below caches', 'Registries'],
    ]);
    assert.equal(await wide.locator('.box.provider').count(), 5);
    // Made by the script: it was not on the page that was loaded.
    const rectangle = await wide.locator('.box.provider rect').first().boundingBox();
    assert.ok((rectangle?.width ?? 0) > 100 && (rectangle?.height ?? 0) > 30, 'the boxes are drawn');
    assert.equal(await wide.locator('.box.unlisted', { hasText: 'gone.example' }).count(), 1);
    assert.equal(await wide.locator('.edge.broken').count(), 1);
    assert.equal(await wide.locator('.edge.late').count(), 1);
    assert.match(
      (await row('Humanities').textContent()) ?? '',
      /Broker.*live.*9,121Library live.*Archive broken/,
    );
    assert.match((await row('Everything').textContent()) ?? '', /Sciences live.*Humanities late/);
    // A name is text.
    assert.equal(await page.locator('main b').count(), 0);
    assert.equal(await box('<b>Dormitory</b>').count(), 1);
    await assertAccessible(page, 'the topology');
    await noWider(page);
  });

  await t.test('the keys lead to a box, and Enter to its facts', async () => {
    await page.locator('.skip').focus();
    for (
      let step = 0;
      !(await page.evaluate<boolean>("document.activeElement.matches('svg .box')"));
      step++
    ) {
      assert.ok(step < 15, 'no box has the focus');
      await page.keyboard.press('Tab');
    }
    await page.keyboard.press('Enter');
    await page.locator('tbody tr:target').waitFor();
  });

  await t.test('a server that was killed turns broken, with its lines, within two seconds', async () => {
    process.kill(broker.pid, 'SIGKILL');
    await wide.locator('.box.broker.late', { hasText: 'Observatory' }).waitFor();
    await wide.locator('.box.broker.broken', { hasText: 'Observatory' }).waitFor();
    const { nodes } = (await (await fetch(`${at}topology`)).json()) as {
      readonly nodes: readonly { readonly name: string; readonly state: string; readonly age: number }[];
    };
    const node = nodes.find(({ name }) => name === 'Observatory');
    assert.equal(node?.state, 'broken');
    const afterLease = (node?.age ?? 99) - leaseSeconds;
    t.diagnostic(`shown ${afterLease} s after the end of the lease, in whole seconds`);
    assert.ok(afterLease <= 2, `${afterLease} s`);
    await page.locator('h1', { hasText: '10 servers: 1 broken; 2 connections broken' }).waitFor();
    assert.match((await row('Observatory').textContent()) ?? '', /broken/);
    assert.equal(await wide.locator('.edge.broken').count(), 2);
    assert.equal(await page.locator('html[data-same=page]').count(), 1);
    assert.equal(await page.textContent('#spoken'), await page.textContent('h1'));
    await assertAccessible(page, 'the topology with a broken server');
    await photograph(page, 'broken');
  });

  await t.test(
    'three hundred servers are a number where they have no place, in picture and table',
    async () => {
      const many = Array.from(
        { length: 300 },
        (_, at): Described => ({
          ...{ type: 'BROKER', name: `Broker ${at}`, url: `https://b${at}.example/`, objects: at },
          attributes: from('live https://library.example/'),
        }),
      );
      for (const server of many) await register(at, client, server);
      await page.locator('h1', { hasText: '310 servers: 1 broken' }).waitFor();
      await wide.locator('.box.more', { hasText: /and 29\d more/ }).waitFor();
      assert.ok((await wide.locator('.box').count()) < 50);
      await photograph(page, 'many');
      await page.locator('summary', { hasText: /^\d{3} more$/ }).click();
      assert.equal(await page.locator('tbody tr').count(), 310 + 6);
      assert.equal(await page.locator('html[data-same=page]').count(), 1);
      await page.locator('details[open]').waitFor();
    },
  );
  await t.test(
    'an open page is loaded again every two seconds at most, and never while it is hidden',
    async () => {
      const times = await loads();
      const pauses = times.slice(1).map((time, at) => time - (times[at] ?? 0));
      assert.ok(pauses.length > 2 && pauses.every((pause) => pause > 1900), pauses.join(' '));
      const hide = (isHidden: boolean) =>
        page.evaluate(
          `Object.defineProperty(document, 'hidden', { configurable: true, value: ${isHidden} });
        document.dispatchEvent(new Event('visibilitychange'))`,
        );
      // A load that was due is over when the page shows the topology of now.
      const version = async () =>
        ((await (await fetch(`${at}topology`)).json()) as { version: string }).version;
      await page.locator(`[data-version="${await version()}"]`).waitFor();
      await hide(true);
      const before = (await loads()).length;
      await register(at, client, {
        type: 'REGISTRY',
        name: 'Late',
        url: 'https://late.example/',
        objects: 1,
      });
      // The pace of the page has passed with the change known: a load would have begun.
      await page.evaluate(`new Promise((resolve) => {
      new EventSource('topology/events').onmessage = () => setTimeout(resolve, 2500);
    })`);
      assert.equal((await loads()).length, before);
      await hide(false);
      await row('Late').waitFor({ state: 'attached' });
    },
  );
  assert.deepEqual(complaints, []);
  await context.close();

  await t.test('on a phone and without scripts', async () => {
    const plain = await browser.newContext({ ...phone, javaScriptEnabled: false });
    const bare = await plain.newPage();
    await bare.goto(`${at}topology`);
    await noWider(bare);
    await bare.locator('svg.narrow .box.broken').waitFor();
    assert.ok(await bare.locator('th', { hasText: 'Observatory' }).isVisible());
    await bare.click('a.again');
    await bare.locator('h1', { hasText: '311 servers: 1 broken' }).waitFor();
    await plain.close();
    const small = await browser.newPage(phone);
    await small.goto(`${at}topology`);
    await assertAccessible(small, 'the topology on a phone');
    await photograph(small, 'phone');
  });
});
