import assert from 'node:assert/strict';
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { openServedBroker } from '../api/served-broker.ts';
import { temporaryFolder } from '../commands/command.ts';
import { assertAccessible } from './accessible.ts';
import { complaints, desktop, launched, opened, phone, skip } from './browser-page.ts';

const limit = { timeout: 120_000 };
/** A logo with everything that must not run or load. */
const svg =
  '<?xml version="1.0"?>\n<!-- a harbour -->\n<svg xmlns="http://www.w3.org/2000/svg" width="120" height="40" ' +
  'onload="document.title=1"><style>rect{fill:#0b5}</style><rect width="120" height="40"/>' +
  '<script>document.title = 2</script><image href="https://example.invalid/x.png"/></svg>';
const settings = (logo: string) => [
  ...['--page-title', 'Harbour <b>search</b>', '--page-logo', logo],
  ...['--page-footer', 'Run by the harbour office.\n<script>document.title = 3</script>'],
  ...['--page-footer-links', 'Imprint https://www.example.org/imprint?a=1&b="2"'],
  ...['--page-footer-links', 'Write to us mailto:search@example.org'],
];

test('every page shows the name, the logo and the footer of its operator', { ...limit, skip }, async (t) => {
  await using folder = await temporaryFolder();
  const logo = join(folder.path, 'logo.svg');
  await writeFile(logo, svg);
  await using broker = await openServedBroker(...settings(logo));
  const found = (await (await fetch(`${broker.url}search?q=city`)).json()) as { hits: { oid: string }[] };
  const oid = found.hits[0]?.oid ?? '';
  const browser = await launched();
  t.after(() => browser.close());
  const page = await opened(browser, broker);
  for (const path of ['', '?q=tide', 'status', 'admin', `summary?oid=${oid}`, `table?oid=${oid}`]) {
    for (const { viewport } of [desktop, phone]) {
      if (viewport) await page.setViewportSize(viewport);
      await page.goto(broker.url + path);
      assert.equal(await page.locator('header .brand').textContent(), 'Harbour <b>search</b>', path);
      assert.match(await page.title(), /Harbour <b>search<\/b>$/, path);
      const natural = 'document.querySelector(".brand img").naturalWidth';
      assert.equal(await page.evaluate(natural), 120, path);
      const footer = page.locator('footer .own');
      assert.match(
        (await footer.textContent()) ?? '',
        /Run by the harbour office\.\s*<script>document\.title = 3<\/script>/,
      );
      assert.deepEqual(
        await footer.locator('a').evaluateAll((links) => links.map((link) => link.getAttribute('href'))),
        ['https://www.example.org/imprint?a=1&b=%222%22', 'mailto:search@example.org'],
      );
      assert.equal(await page.evaluate('document.documentElement.scrollWidth <= innerWidth'), true, path);
      if (path === 'admin') await assertAccessible(page, path);
    }
  }
  assert.deepEqual(complaints, []);
  const src = await page.locator('.brand img').getAttribute('src');
  const picture = await fetch(new URL(src ?? '', broker.url));
  assert.equal(picture.headers.get('content-type'), 'image/svg+xml');
  assert.match(picture.headers.get('cache-control') ?? '', /immutable/);
  await page.goto(picture.url);
  assert.equal(await page.title(), '', 'no script of the logo runs, even when it is opened by itself');
  const policy = picture.headers.get('content-security-policy') ?? '';
  assert.match(policy, /default-src 'none'.*sandbox/);
  assert.doesNotMatch(policy, /script-src|http/);
  const description = await (await fetch(`${broker.url}opensearch.xml`)).text();
  assert.ok(description.includes(`<Image type="image/svg+xml">${picture.url}</Image>`), description);
  assert.match(description, /<LongName>Harbour &lt;b&gt;search&lt;\/b&gt;<\/LongName>/);
});
