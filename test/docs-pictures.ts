import { appendFile, mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Browser, Page } from 'playwright-core';
import { runGarner, ServerHost } from './docs-program.ts';
import { docs } from './manual-pages.ts';

// The screenshots of the manual, taken of the pages of real servers.

/** Where the pictures are. */
export const pictures = join(docs, 'pictures');

const harbour: Readonly<Record<string, string>> = {
  'moorings.md': '# Moorings\n\nThe harbour has forty moorings for visiting boats.\n',
  'tides.md': '# Tides\n\nHigh water is at noon. Boats leave the harbour before low water.\n',
  'crane.md': '# The crane\n\nThe crane of the harbour lifts ten tonnes.\n',
  'fees.md': '# Harbour fees\n\nA visiting boat pays by its length, for each night.\n',
};

const library: Readonly<Record<string, string>> = {
  'pilots.md': '# A history of pilots\n\nPilots have led boats into the harbour since 1712.\n',
  'charts.md': '# Charts of the coast\n\nThe oldest chart shows the harbour before the great storm.\n',
  'storms.txt': 'The great storm\n\nThe great storm of 1825 sank nine visiting boats in the harbour.\n',
};

async function folderWith(path: string, files: Readonly<Record<string, string>>): Promise<void> {
  await mkdir(path);
  for (const [name, text] of Object.entries(files)) await writeFile(join(path, name), text);
}

/** Two Gatherers, and a Broker after a few rounds with them; the address of its search page. */
async function openServers(folder: string, host: ServerHost): Promise<string> {
  const place = { cwd: folder, env: {} };
  const addresses: string[] = [];
  for (const [name, files] of Object.entries({ harbour, library })) {
    await folderWith(join(folder, name), files);
    const title = name === 'harbour' ? 'Harbour office' : 'City library';
    const shared = ['--data', `${name}-data`, '--name', title];
    const base = `https://${name}.example.org/`;
    await runGarner(['gatherer', 'run', '--root', name, '--base-url', base, ...shared], place);
    const server = host.start(['gatherer', 'serve', ...shared, '--port', '0'], place);
    const [, address = ''] = await server.printed(/collect +(\S+)/);
    addresses.push(address);
  }
  const sources = addresses.flatMap((address) => ['--collect', address]);
  const broker = host.start(
    ['broker', 'serve', ...sources, '--name', 'Harbour search', '--port', '0'],
    place,
  );
  const [, address = ''] = await broker.printed(/search +(\S+)/);
  // Rounds of several sizes, some of them without a change, for the chart.
  for (const size of [0, 40, 4, 0, 90, 12]) {
    if (size > 0)
      for (const path of ['harbour/crane.md', 'library/pilots.md'])
        await appendFile(join(folder, path), `\n${'The office is at the pier. '.repeat(size)}\n`);
    for (const name of ['harbour', 'library'])
      await runGarner(['gatherer', 'run', '--data', `${name}-data`], place);
    await runGarner(['broker', 'source', 'collect'], place);
  }
  return address;
}

async function opened(browser: Browser, address: string): Promise<Page> {
  const context = await browser.newContext({ viewport: { width: 960, height: 600 }, colorScheme: 'light' });
  const page = await context.newPage();
  await page.goto(address);
  return page;
}

/** The page of the demo with a search of all its Brokers. */
async function takeFederation(browser: Browser, folder: string, host: ServerHost): Promise<void> {
  const demo = host.start(['up', '--demo-federation', '--port', '0'], { cwd: folder, env: {} });
  const [, address = ''] = await demo.printed(/^ +open (\S+) and search/m);
  const query = `${address}?q=moorings+tide`;
  const page = await opened(browser, query);
  const departments = ['Harbour office', 'Observatory', 'Town archive'];
  // The Brokers index what they collected within a second or two.
  for (;;) {
    const text = (await page.locator('main').textContent()) ?? '';
    if (departments.every((name) => text.includes(name))) break;
    await page.goto(query);
  }
  await page.screenshot({ path: join(pictures, 'federation.png') });
}

/** Take the screenshots again. */
export async function takePictures(browser: Browser): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-pictures-'));
  await using host = new ServerHost();
  try {
    const address = await openServers(folder, host);
    await mkdir(pictures, { recursive: true });
    const query = `${address}?q=visiting+boats+harbour`;
    // The first search opens the index; the picture shows what a reader sees after it.
    await (await opened(browser, query)).getByText('The great storm').first().waitFor();
    const search = await opened(browser, query);
    await search.waitForSelector('html[data-ready]');
    await search.getByText('The great storm').first().waitFor();
    await search.screenshot({ path: join(pictures, 'search-page.png') });
    const status = await opened(browser, `${address}status`);
    await status.getByText('City library').first().waitFor();
    await status.screenshot({ path: join(pictures, 'status-page.png') });
    await takeFederation(browser, folder, host);
  } finally {
    await rm(folder, { recursive: true, force: true, maxRetries: 3 });
  }
}
