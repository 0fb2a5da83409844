import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchRequest } from '../../fetch/index.ts';
import { brief, html, openSite, sorted } from '../testing/loopback-site.ts';
import { parseRootNode } from './root-node.ts';
import { ScopeRule } from './scope-rule.ts';

const urlset = (root: string, paths: readonly string[], end = '</urlset>') => ({
  body: `<urlset>${paths.map((path) => `<url><loc>${root}${path}</loc></url>`).join('')}${end}`,
});

test('a sitemap that ends in the middle is reported, half an address is ignored, and it is read again', async () => {
  await using site = await openSite({ '/': html(), '/a': html(), '/b': html() });
  const map = urlset(site.root, ['/a'], `<url><loc>${site.root}/b`);
  const headers = { 'content-type': 'text/xml' };
  site.pages['/sitemap.xml'] = { ...map, headers };
  assert.deepEqual(sorted(await site.run()), ['document /', 'document /a', 'failed /sitemap.xml']);
  assert.ok(!site.memory.has(`${site.root}/sitemap.xml`));
  site.pages['/sitemap.xml'] = { ...urlset(site.root, ['/a', '/b']), headers };
  assert.deepEqual(sorted(await site.run()), [
    ...['document /b', 'sitemap /sitemap.xml', 'unchanged /', 'unchanged /a'],
  ]);
  // Cut again: the pages of the whole sitemap are not forgotten.
  site.pages['/sitemap.xml'] = { ...map, headers };
  const cut = await site.run();
  assert.ok(brief(cut).includes('failed /sitemap.xml'));
  assert.equal(cut.find(({ path }) => path === '/b')?.discoveredFrom, `${site.root}/sitemap.xml`);
});

test('a failing sitemap at its usual place is reported, a missing one is not', async () => {
  await using site = await openSite({ '/': html(), '/a': html() });
  site.pages['/sitemap.xml'] = urlset(site.root, ['/a']);
  await site.run();
  site.pages['/sitemap.xml'] = { status: 503 };
  const failing = await site.run();
  assert.deepEqual(sorted(failing), ['failed /sitemap.xml', 'unchanged /', 'unchanged /a']);
  assert.equal(failing.find(({ path }) => path === '/a')?.discoveredFrom, `${site.root}/sitemap.xml`);
  site.pages['/sitemap.xml'] = { status: 404 };
  assert.deepEqual(sorted(await site.run()), ['unchanged /', 'unchanged /a']);
});

test('a user name and password in a redirect are not repeated', async () => {
  const location = 'https://anna:s3cret@elsewhere.example/x';
  await using site = await openSite({ '/': html('/a'), '/a': { status: 302, headers: { location } } });
  const reported = await site.run({ sitemaps: false });
  const moved = reported.find(({ path }) => path === '/a');
  assert.ok(moved?.kind === 'skipped' && moved.rule.endsWith('it redirects to https://elsewhere.example/x'));
  site.pages['/'] = { status: 302, headers: { location } };
  await assert.rejects(
    site.run(),
    (error: Error) => !JSON.stringify([error.message, error]).includes('s3cret'),
  );
});

test('a site that answers 429 to page after page is left alone', async () => {
  const pages = Array.from({ length: 200 }, (_, at) => `/${at}`);
  const full = { status: 429 };
  const all = { '/': html(...pages), ...Object.fromEntries(pages.map((path) => [path, full])) };
  await using site = await openSite(all, { sitemaps: false });
  await assert.rejects(site.run(), { code: 'GATHERER_SITE_SILENT' });
  const asked = site.asked.filter((line) => line.startsWith('429'));
  assert.ok(asked.length >= 20 && asked.length <= 60, String(asked.length));
  site.pages['/'] = full;
  await assert.rejects(site.run(), { code: 'GATHERER_ROOT_STATUS' });
});

test('sitemaps and page lists are requested with the delay of the root, like pages', async () => {
  const page = '<script src="/_static/documentation_options.js"></script>';
  await using site = await openSite({
    '/': { body: page, headers: { 'content-type': 'text/html' } },
    '/searchindex.js': { body: 'Search.setIndex({"docnames":["a"]})' },
  });
  site.pages['/sitemap.xml'] = urlset(site.root, ['/a']);
  const delays = new Map<string, number | undefined>();
  const fetch = (request: FetchRequest) => {
    delays.set(request.url.slice(site.root.length), request.minDelayMs);
    // Nothing waits for it here.
    return site.http.fetch({ ...request, minDelayMs: 0 });
  };
  const rule = new ScopeRule(parseRootNode({ url: `${site.root}/`, delay: '7s' }, 'root'));
  assert.ok(brief(await site.run({ fetch, rule })).includes('sitemap /sitemap.xml'));
  for (const path of ['/', '/sitemap.xml', '/searchindex.js']) assert.equal(delays.get(path), 7000, path);
});
