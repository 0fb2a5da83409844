import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { RobotsTxt } from '../../../fetch/index.ts';
import { isGarnerError, ManualClock } from '../../../kernel/index.ts';
import { brief, factsOf, html, openSite, type Page, recalling, sorted } from '../../testing/loopback-site.ts';
import { enumerationErrors } from '../errors.ts';
import { WebEnumerator } from './web-enumerator.ts';

test('breadth first, each URL once, other hosts and schemes left out, any type of document', async () => {
  await using site = await openSite({
    '/': html(
      'a',
      '/a#x',
      './b?q=%7e1',
      'HTTP://127.0.0.1:1/',
      'mailto:x@y',
      'javascript:x',
      'data.bin',
      'http://[',
    ),
    '/a': html('/c', '../a', '/%63', 'missing'),
    '/b?q=~1': html('/'),
    '/c': { body: '<p>no type', headers: {} },
    '/data.bin': { body: new Uint8Array([0, 1, 2]), headers: { 'content-type': 'application/octet-stream' } },
  });
  const reported = await site.run();
  assert.deepEqual(brief(reported), [
    'document /',
    'document /a',
    'document /b?q=~1',
    'document /data.bin',
    'document /c',
    'gone /missing',
  ]);
  const [root, a, , data] = reported;
  assert.deepEqual([root?.depth, a?.depth, reported[4]?.depth], [0, 1, 2]);
  assert.equal(reported[4]?.discoveredFrom, `${site.root}/a`);
  assert.ok(data?.kind === 'document' && data.document.name === 'data.bin');
  assert.deepEqual([...data.document.bytes], [0, 1, 2]);
  assert.equal(data.document.md5, createHash('md5').update(data.document.bytes).digest('hex'));
  assert.equal(site.parsed.length, 5);
});

test('an unchanged site gets one request per URL and sends no body; its links are followed from memory', async () => {
  await using site = await openSite({
    '/': html('/a', '/b'),
    '/a': html('/c'),
    '/b': html(),
    '/c': html('/d'),
  });
  await site.run();
  site.parsed.length = 0;
  assert.deepEqual(brief(await site.run()), [
    ...['unchanged /', 'unchanged /a', 'unchanged /b', 'unchanged /c', 'gone /d'],
  ]);
  const pages = site.asked.filter((line) => !/robots|sitemap/.test(line)).sort();
  assert.deepEqual(pages, ['304 /', '304 /a', '304 /b', '304 /c', '404 /d']);
  assert.deepEqual(site.parsed, []);
  site.pages['/c'] = html('/e');
  site.pages['/e'] = { body: 'new' };
  assert.deepEqual(brief(await site.run()).slice(3), ['document /c', 'document /e']);
});

test('a server without validators: the MD5 decides, and an equal body is unchanged', async () => {
  const bare = (page: Page): Page => ({ ...page, headers: { ...page.headers, etag: '-' } });
  await using site = await openSite({ '/': bare(html('/a')), '/a': bare({ body: 'a' }) });
  await site.run();
  assert.deepEqual(brief(await site.run()), ['unchanged /', 'unchanged /a']);
  site.pages['/a'] = bare({ body: 'b' });
  assert.deepEqual(brief(await site.run()), ['unchanged /', 'document /a']);
});

test('a page deleted together with its links is noticed; one that only lost its links stays', async () => {
  await using site = await openSite({ '/': html('/a', '/b'), '/a': html('/c'), '/b': html(), '/c': html() });
  await site.run();
  site.pages['/'] = html('/b');
  delete site.pages['/a'];
  const reported = await site.run();
  assert.deepEqual(sorted(reported), ['document /', 'gone /a', 'unchanged /b', 'unchanged /c']);
  assert.deepEqual(sorted(await site.run()), ['unchanged /', 'unchanged /b', 'unchanged /c']);
});

test('redirects within the site give the final URL, others are left out by a rule', async () => {
  const to = (location: string) => ({ status: 302, headers: { location } });
  await using site = await openSite({
    '/': html('/old', '/other', '/away', '/circle', '/self', '/long0', '/same'),
    '/old': to('/new'),
    '/other': to('new#part'),
    '/new': { body: 'new' },
    '/away': to('http://example.org/'),
    '/circle': to('/circle2'),
    '/circle2': to('/circle'),
    '/self': to('/self'),
    '/same': to('/self'),
    ...Object.fromEntries(Array.from({ length: 12 }, (_, at) => [`/long${at}`, to(`/long${at + 1}`)])),
  });
  const reported = await site.run();
  assert.deepEqual(
    reported.filter(({ kind }) => kind !== 'redirected').map(({ kind, path }) => `${kind} ${path}`),
    ['document /', 'skipped /away', 'failed /self', 'document /new', 'failed /circle2', 'failed /long10'],
  );
  const away = reported.find(({ path }) => path === '/away');
  assert.ok(
    away?.kind === 'skipped' && /same host as .* redirects to http:\/\/example\.org\//.test(away.rule),
  );
  const document = reported.find(({ path }) => path === '/new');
  assert.equal(document?.discoveredFrom, `${site.root}/old`);
});

test('a root that leads to another site says where', async () => {
  await using site = await openSite({ '/': { status: 301, headers: { location: 'https://example.org/x' } } });
  await assert.rejects(
    site.run(),
    (error) =>
      isGarnerError(error, enumerationErrors.GATHERER_ROOT_MOVED) &&
      error.hint.includes('https://example.org/x'),
  );
  for (const root of ['x', 'ftp://h/', 'http://u:p@h/'])
    assert.throws(
      () => new WebEnumerator({ root, fetch: site.http.fetch, factsOf }),
      (error) => isGarnerError(error, enumerationErrors.GATHERER_ROOT_INVALID),
    );
});

test('answers other than a document', async () => {
  await using site = await openSite({
    '/': html('/404', '/410', '/401', '/403', '/500', '/204', '/300'),
    ...Object.fromEntries([401, 403, 410, 500, 204, 300].map((status) => [`/${status}`, { status }])),
  });
  assert.deepEqual(brief(await site.run()), [
    ...['document /', 'gone /404', 'gone /410', 'skipped /401', 'skipped /403', 'failed /500', 'gone /204'],
    'failed /300',
  ]);
});

test('robots.txt is obeyed and named, also for redirects, and it can be turned off', async () => {
  const robots = { body: 'User-agent: *\nDisallow: /no' };
  await using site = await openSite({
    '/robots.txt': robots,
    '/': html('/no/1', '/jump', '/yes'),
    '/no/1': { body: 'secret' },
    '/jump': { status: 302, headers: { location: '/no/2' } },
    '/no/2': { body: 'another secret' },
    '/yes': { body: 'yes' },
  });
  const reported = await site.run();
  assert.deepEqual(sorted(reported), [
    ...['document /', 'document /yes', 'redirected /jump', 'skipped /no/1', 'skipped /no/2'],
  ]);
  const skipped = reported.find(({ kind }) => kind === 'skipped');
  assert.ok(skipped?.kind === 'skipped' && skipped.rule.includes('line 2: Disallow: /no'));
  assert.ok(!site.asked.some((line) => line.includes('/no/')));
  const open = { root: site.root, fetch: site.http.fetch, factsOf };
  const all: string[] = [];
  for await (const item of new WebEnumerator(open).enumerate(recalling(new Map()))) all.push(item.kind);
  assert.equal(all.filter((kind) => kind === 'document').length, 4);
  site.pages['/robots.txt'] = { status: 503 };
  await assert.rejects(site.run(), (error) =>
    isGarnerError(error, enumerationErrors.GATHERER_ROBOTS_UNREADABLE),
  );
});

test('every cut is reported, and a limit that cuts is deterministic', async () => {
  const pages = { '/': html('/1', '/2', '/3'), '/1': html('/4'), '/2': html(), '/3': html(), '/4': html() };
  await using site = await openSite({ ...pages, '/2': { body: 'x'.repeat(1000) } });
  const cut = (reported: Awaited<ReturnType<typeof site.run>>) =>
    reported.flatMap((item) => (item.kind === 'skipped' ? [`${item.path}: ${item.rule}`] : []));
  assert.deepEqual(cut(await site.run({ limits: { maxUrls: 3 } }, false)), [
    ...['/3: no more than 3 URLs (gatherer.max-urls)', '/4: no more than 3 URLs (gatherer.max-urls)'],
  ]);
  assert.deepEqual(cut(await site.run({ limits: { maxDepth: 1 } }, false)), [
    '/4: no more than 1 steps from the root (gatherer.max-depth)',
  ]);
  site.pages['/'] = html(`/${'long'.repeat(3000)}`);
  assert.match(cut(await site.run())[0] ?? '', /no URL longer than 8192 characters/);
});

test('only below the folder of the root, when set', async () => {
  await using site = await openSite({ '/docs/x.html': html('y.html', '/z.html'), '/docs/y.html': html() });
  const options = { root: `${site.root}/docs/x.html`, stayBelow: true };
  assert.deepEqual(brief(await site.run(options)), ['document /docs/x.html', 'document /docs/y.html']);
});

test('sitemaps are seeds: by robots.txt and by name, indexes, gzip, dates; unchanged ones are not read again', async () => {
  const map = (...urls: string[]) =>
    `<?xml version="1.0"?><urlset xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">${urls
      .map((url) => `<url><loc>${url}</loc><lastmod>2024-02-03</lastmod></url>`)
      .join('')}</urlset>`;
  await using site = await openSite({ '/': html('/a') });
  const { root, pages } = site;
  Object.assign(pages, {
    '/robots.txt': {
      body: `Sitemap: ${root}/index.xml\nSitemap: http://127.0.0.1:1/x.xml\nSitemap: /gone.xml`,
    },
    '/index.xml': {
      body: `<s:sitemapindex xmlns:s="x"><s:sitemap><s:loc>${root}/deep.xml.gz</s:loc></s:sitemap></s:sitemapindex>`,
    },
    '/deep.xml.gz': { body: gzipSync(map(`${root}/b?x=1&amp;y=2`, `${root}/a`, 'http://127.0.0.1:1/')) },
    '/sitemap.xml': { body: map(`${root}/c`) },
    ...{ '/a': { body: 'a' }, '/b?x=1&y=2': { body: 'b' }, '/c': { body: 'c' } },
  });
  const reported = await site.run();
  assert.deepEqual(sorted(reported), [
    ...['document /', 'document /a', 'document /b?x=1&y=2', 'document /c', 'failed /gone.xml'],
    ...[
      'sitemap /deep.xml.gz',
      'sitemap /index.xml',
      'sitemap /sitemap.xml',
      'skipped http://127.0.0.1:1/x.xml',
    ],
  ]);
  const b = reported.find(({ path }) => path.startsWith('/b'));
  assert.ok(b?.kind === 'document' && b.document.lastModified === Date.UTC(2024, 1, 3) / 1000);
  assert.equal(b.discoveredFrom, `${root}/deep.xml.gz`);
  const again = await site.run();
  assert.equal(again.filter(({ kind }) => kind === 'unchanged').length, 4);
  assert.deepEqual(
    site.asked.filter((line) => line.startsWith('200') && line !== '200 /robots.txt'),
    [],
  );
  assert.deepEqual(
    sorted(await site.run({ sitemaps: false, limits: { maxDepth: 0 } })).filter((line) =>
      /sitemap/.test(line),
    ),
    [],
  );
});

test('decide names the rule for any URL', async () => {
  await using site = await openSite({ '/robots.txt': { body: 'User-agent: *\nDisallow: /no' } });
  const { fetch } = site.http;
  const robots = new RobotsTxt({ fetch, clock: new ManualClock() });
  const root = `${site.root}/d/`;
  const enumerator = new WebEnumerator({ root, fetch, robots, factsOf, stayBelow: true });
  const decide = async (url: string) => {
    const { included, rule } = await enumerator.decide(url);
    return `${included} ${rule.replaceAll(site.root, '')}`;
  };
  assert.equal(await decide('x#y'), 'true below /d/; no rule of robots.txt matches');
  assert.equal(await decide('/other'), 'false below /d/');
  assert.equal(await decide('ftp://h/'), 'false only http: and https: URLs');
  assert.match(await decide('http://h/'), /^false same host as/);
  const whole = new WebEnumerator({ root, fetch, robots, factsOf });
  assert.match((await whole.decide('/no/x')).rule, /line 2: Disallow/);
});
