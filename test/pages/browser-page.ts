import { existsSync } from 'node:fs';
import { type Browser, type BrowserContextOptions, chromium, type Page } from 'playwright-core';
import { standingTimeMs } from './search-page-broker.ts';

const executablePath = '/usr/bin/chromium';
const args = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
];
export const desktop: BrowserContextOptions = { viewport: { width: 1280, height: 800 } };
export const phone: BrowserContextOptions = {
  viewport: { width: 360, height: 720 },
  isMobile: true,
  hasTouch: true,
};

/** Unexpected console messages of pages: errors, and breaches of the Content-Security-Policy. */
export const complaints: string[] = [];

/** A page of the Broker at `path`, ready for the keyboard. */
export async function opened(
  browser: Browser,
  broker: { readonly url: string },
  path = '',
  options = desktop,
): Promise<Page> {
  const context = await browser.newContext(options);
  const page = await context.newPage();
  // The page's clock is the Broker's, so that ages read the same in every run.
  if (options.javaScriptEnabled !== false) await page.clock.setFixedTime(standingTimeMs);
  page.on('pageerror', (error) => complaints.push(`${path}: ${error.message}`));
  page.on('console', (message) => {
    // The browser logs a refused answer; the tests cause some on purpose.
    if (message.type() === 'error' && !/^Failed to load resource/.test(message.text()))
      complaints.push(`${path}: ${message.text()}`);
  });
  await visit(page, broker.url + path, options.javaScriptEnabled !== false);
  return page;
}

/** Load an address in a page, until it is ready for the keyboard; `scripts`: whether the page runs scripts. */
export async function visit(page: Page, address: string, scripts = true): Promise<void> {
  await page.goto(address);
  if (scripts) await page.waitForSelector('html[data-ready]');
  // The browser sets the focus shortly after the page has loaded; letters typed before that are lost.
  if (await page.locator('[autofocus]').count()) await page.locator('[autofocus]:focus').waitFor();
}

/** The reason why browser tests are skipped here, or false. */
export const skip = existsSync(executablePath)
  ? false
  : `SKIPPED: no ${executablePath}; apt-get install chromium runs the browser tests`;

/** Debian's browser; the caller closes it. */
export const launched = (): Promise<Browser> => chromium.launch({ executablePath, args });
