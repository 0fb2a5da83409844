import assert from 'node:assert/strict';
import { test } from 'node:test';
import { brief, openSite, type Page, sorted } from '../../testing/loopback-site.ts';

const js = { 'content-type': 'text/javascript' };
const index = (...names: string[]): Page => ({
  body: `Search.setIndex({"alltitles":{"docnames":[["x",1]]},"docnames":${JSON.stringify(names)},"terms":{}})`,
  headers: js,
});

let pages = 0;

/** A page of Sphinx, unlike every other: `up` leads to the root of its documentation. */
const page = (up: string, ...links: string[]): Page => ({
  body: `<p>${++pages}</p><script src="${up}_static/documentation_options.js"></script>${links.map((link) => `<a href="${link}">x</a>`).join('')}`,
  headers: { 'content-type': 'text/html' },
});

const askedFor = (site: { readonly asked: readonly string[] }, path: string) =>
  site.asked.filter((line) => line.endsWith(` ${path}`));

test('pages that only the search index of Sphinx names are found; unchanged, it is not read again', async () => {
  await using site = await openSite({
    '/docs/': page('', 'a.html', 'x/b.html'),
    '/': { body: '<a href="/docs/">x</a>', headers: { 'content-type': 'text/html' } },
    '/docs/a.html': page(''),
    '/docs/x/b.html': page('../'),
    '/docs/hidden/c.html': page('../', 'd.html'),
    '/docs/hidden/d.html': page('../'),
    '/docs/searchindex.js': index('index', 'a', 'x/b', 'hidden/c'),
  });
  const reported = await site.run();
  assert.deepEqual(sorted(reported), [
    ...['document /', 'document /docs/', 'document /docs/a.html', 'document /docs/hidden/c.html'],
    ...['document /docs/hidden/d.html', 'document /docs/x/b.html', 'gone /docs/index.html'],
    'sitemap /docs/searchindex.js#pages',
  ]);
  const hidden = reported.find(({ path }) => path === '/docs/hidden/c.html');
  assert.equal(hidden?.discoveredFrom, `${site.root}/docs/searchindex.js`);
  assert.deepEqual(askedFor(site, '/docs/searchindex.js'), ['200 /docs/searchindex.js']);

  // Pages unchanged: their lists are remembered.
  const again = await site.run();
  assert.equal(again.filter(({ kind }) => kind === 'unchanged').length, 6);
  assert.deepEqual(
    site.asked.filter((line) => !/^(304|404) /.test(line)),
    [],
  );
  assert.deepEqual(askedFor(site, '/docs/searchindex.js'), ['304 /docs/searchindex.js']);
  assert.equal(
    again.find(({ path }) => path === '/docs/hidden/c.html')?.discoveredFrom,
    hidden?.discoveredFrom,
  );

  // A changed list is read, a failing list changes nothing, and a deleted one is not reported.
  site.pages['/docs/searchindex.js'] = index('index', 'a', 'x/b', 'hidden/c', 'new');
  site.pages['/docs/new.html'] = page('');
  assert.ok(brief(await site.run()).includes('document /docs/new.html'));
  site.pages['/docs/searchindex.js'] = { status: 500 };
  const failing = await site.run();
  assert.ok(brief(failing).includes('failed /docs/searchindex.js#pages'));
  assert.equal(failing.find(({ path }) => path === '/docs/new.html')?.discoveredFrom, hidden?.discoveredFrom);
  delete site.pages['/docs/searchindex.js'];
  const gone = await site.run();
  assert.ok(!brief(gone).some((line) => line.includes('searchindex')));
  assert.ok(brief(gone).includes('unchanged /docs/new.html'));
});

test('a list is requested where a page declares it, once for each root, and not when turned off', async () => {
  await using site = await openSite({
    '/': { body: '<a href="/one/">1</a><a href="/two/">2</a>', headers: { 'content-type': 'text/html' } },
    '/one/': page('', 'a.html'),
    '/one/a.html': page(''),
    '/two/': page('', 'a/', 'b/'),
    '/two/a/': page('../'),
    '/two/b/': page('../'),
    '/two/h/': page('../'),
    '/two/searchindex.js': index('index', 'a', 'b', 'h'),
  });
  assert.ok(!brief(await site.run({ pageLists: false }, false)).includes('document /two/h/'));
  assert.deepEqual(
    site.asked.filter((line) => line.includes('search')),
    [],
  );
  const reported = brief(await site.run());
  assert.ok(reported.includes('document /two/h/'));
  assert.ok(!reported.some((line) => line.includes('/two/h.html') || line.includes('/two/index')));
  assert.deepEqual(
    site.asked.filter((line) => line.includes('search')),
    ['404 /one/searchindex.js', '200 /two/searchindex.js'],
  );
});

test('each page it names obeys the scope, robots.txt and the limits, and so does the list', async () => {
  await using site = await openSite({
    '/robots.txt': { body: 'User-agent: *\nDisallow: /docs/no\nDisallow: /closed/' },
    '/docs/': page('', 'a.html', '/closed.html'),
    '/docs/a.html': page(''),
    '/closed.html': page('closed/'),
    '/docs/searchindex.js': index('a', 'no/x', 'yes', '../outside', `${'long'.repeat(3000)}`),
    '/docs/yes.html': page(''),
    '/outside.html': page('docs/'),
  });
  const root = `${site.root}/docs/`;
  const rules = (reported: Awaited<ReturnType<typeof site.run>>) =>
    reported.flatMap((item) => (item.kind === 'skipped' ? [`${item.path.slice(0, 30)}: ${item.rule}`] : []));
  const reported = await site.run({ root });
  const shorter = rules(reported).map((line) => line.replace(/ \(User.*/, ''));
  assert.deepEqual(shorter.sort(), [
    '/closed/searchindex.js#pages: robots.txt line 3: Disallow: /closed/',
    '/docs/longlonglonglonglonglong: no URL longer than 8192 characters',
    '/docs/no/x.html: robots.txt line 2: Disallow: /docs/no',
  ]);
  assert.ok(brief(reported).includes('document /outside.html'));
  assert.ok(!site.asked.some((line) => /\/(no|closed)\//.test(line)));
  const below = brief(await site.run({ root, stayBelow: true }, false));
  assert.ok(below.includes('unchanged /docs/yes.html'));
  assert.ok(!site.asked.some((line) => line.includes('outside')));
  const few = rules(await site.run({ root, limits: { maxUrls: 3 } }, false));
  assert.ok(few.includes('/docs/yes.html: no more than 3 URLs (gatherer.max-urls)'), few.join('\n'));
});

test('a linked list is also a document, and stays one', async () => {
  await using site = await openSite({
    '/': page('', 'a.html', 'searchindex.js'),
    '/a.html': page(''),
    '/b.html': page(''),
    '/searchindex.js': index('a', 'b'),
  });
  const expected = ['/', '/a.html', '/b.html', '/searchindex.js'];
  const first = await site.run();
  assert.deepEqual(
    sorted(first.filter(({ kind }) => kind === 'document')),
    expected.map((path) => `document ${path}`),
  );
  const second = await site.run();
  assert.deepEqual(sorted(second), [
    'sitemap /searchindex.js#pages',
    ...expected.map((path) => `unchanged ${path}`),
  ]);
  assert.deepEqual(askedFor(site, '/searchindex.js'), ['304 /searchindex.js', '304 /searchindex.js']);
});

test('other content is left out by a rule, and not read again while it is unchanged', async () => {
  await using site = await openSite({
    '/': page('', '/moved.html', '/denied.html'),
    '/searchindex.js': { body: '<!doctype html><h1>Not found</h1>' },
    '/moved.html': page('moved/'),
    '/moved/searchindex.js': { status: 302, headers: { location: '/elsewhere.js' } },
    '/denied.html': page('denied/'),
    '/denied/searchindex.js': { status: 403 },
  });
  for (const status of [200, 304]) {
    const reported = await site.run();
    const skipped = reported.flatMap((item) =>
      item.kind === 'skipped' ? [`${item.path} ${item.rule}`] : [],
    );
    assert.deepEqual(skipped, [
      '/searchindex.js#pages it is no page list: docnames is missing or has no end',
      `/moved/searchindex.js#pages it redirects to ${site.root}/elsewhere.js`,
      '/denied/searchindex.js#pages the server does not allow it (status 403)',
    ]);
    assert.deepEqual(askedFor(site, '/searchindex.js'), [`${status} /searchindex.js`]);
  }
});

test('pages that only the search index of MkDocs names are found', async () => {
  const material = (base: string): Page => ({
    body: `<p>${++pages}</p><meta name="generator" content="mkdocs-1.6.1"><script id="__config">{"base": "${base}"}</script>`,
    headers: { 'content-type': 'text/html' },
  });
  await using site = await openSite({
    '/': { body: '<a href="/m/a/">x</a>', headers: { 'content-type': 'text/html' } },
    '/m/': material('.'),
    '/m/a/': material('..'),
    '/m/b/': material('..'),
    '/m/search/search_index.json': {
      body: JSON.stringify({
        config: { lang: ['en'] },
        docs: ['', '#top', 'a/', 'a/#x', 'b/'].map((location) => ({
          location,
          text: 'x',
          title: '"docs":[',
        })),
      }),
    },
  });
  assert.deepEqual(sorted(await site.run()), [
    ...['document /', 'document /m/', 'document /m/a/', 'document /m/b/'],
    'sitemap /m/search/search_index.json#pages',
  ]);
  await site.run();
  assert.deepEqual(
    site.asked.filter((line) => line.startsWith('200')),
    [],
  );
});
