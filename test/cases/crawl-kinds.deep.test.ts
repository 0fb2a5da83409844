import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { type Answer, linked, moved, openCrawl, page, rulesOf } from './crawled.ts';

const numbers = (count: number) => Array.from({ length: count }, (_, at) => at);
const hash = (text: string) => createHash('md5').update(text).digest('hex');
/** Words that only the page of a name has. */
const words = (name: string) =>
  numbers(12)
    .map((at) => `<p>${hash(name + at).replace(/\d/g, ' ')}</p>`)
    .join('');
const html = { 'content-type': 'text/html; charset=utf-8' };

test('a page whose addresses all have a parameter that changes nothing is gathered under the plain one', async () => {
  await using site = await openCrawl(({ pathname }) => {
    if (pathname === '/') return linked(...numbers(12).map((at) => `/s?v=${at}`), '/t?w=0');
    if (pathname === '/t')
      return page(
        'T',
        numbers(9)
          .map((at) => `<a href="/t?w=${at}">x</a>`)
          .join(''),
      );
    return pathname === '/s' ? page('S', words('s')) : undefined;
  });
  for (const run of [1, 2]) {
    const report = await site.run();
    assert.equal(report.objects, 3, `run ${run}`);
    assert.deepEqual(await site.objects(['/s', '/t', '/s?v=0', '/t?w=0']), ['/s', '/t']);
  }
});

test('a session of another name on each address is no part of it, in this run and the next', async () => {
  let links = 0;
  const plain = numbers(8).map((at) => `/fonds/${at}`);
  await using site = await openCrawl(({ pathname }) => {
    const session = () => hash(`link ${links++}`).slice(0, 10);
    if (pathname === '/') return linked(...plain.map((path) => `${path}?token=${session()}`));
    return plain.includes(pathname) ? page(pathname, words(pathname)) : undefined;
  });
  for (const run of [1, 2]) {
    const report = await site.run();
    assert.equal(report.objects, 9, `run ${run}`);
    assert.deepEqual(await site.objects(plain), plain);
  }
});

test('two sessions in each address are no part of it', async () => {
  let links = 0;
  await using site = await openCrawl(({ pathname }) => {
    const token = () => hash(`link ${links++}`).slice(0, 10);
    const paths = numbers(40).map((at) => `/s/${at % 4}?a=${token()}&b=${token()}`);
    if (pathname === '/') return linked(...paths);
    return pathname.startsWith('/s/') ? page(pathname, words(pathname)) : undefined;
  });
  const { objects } = await site.run();
  assert.deepEqual(await site.objects([...new Set(site.asked)].filter((url) => url.includes('?'))), []);
  assert.equal(objects, 5);
});

test('pages that were read under addresses with a session move to those without it', async () => {
  let visits = 0;
  await using site = await openCrawl(({ pathname, searchParams }) => {
    visits += 1;
    const id = hash(`visit ${visits}`);
    const topics = numbers(6).map((at) => `<a href="/topic?t=${at}&amp;sid=${id}">${at}</a>`);
    if (pathname === '/next') return page('Next', `<a href="/next?sid=S${id.slice(0, 8)}">on</a>`);
    if (pathname === '/') return page('Forum', `${topics.join('')}<a href="/next?sid=S1234567a">n</a>`);
    const topic = searchParams.get('t') ?? '';
    return pathname === '/topic' && Number(topic) < 6
      ? page(`Topic ${topic}`, words(`topic ${topic}`) + topics.join(''))
      : undefined;
  });
  const report = await site.run();
  assert.equal(report.objects, 8);
  const topics = numbers(6).map((at) => `/topic?t=${at}`);
  assert.deepEqual(await site.objects([...topics, '/next']), [...topics, '/next']);
  assert.ok(site.asked.length < 120, `${site.asked.length} requests`);
});

test('a login page that names the page to return to is one page', async () => {
  await using site = await openCrawl(({ pathname, searchParams }) => {
    if (pathname === '/') return linked(...numbers(30).map((at) => `/members/${at}`));
    if (pathname.startsWith('/members/')) return moved(`/login?next=${encodeURIComponent(pathname)}`);
    const next = searchParams.get('next') ?? '';
    return pathname === '/login'
      ? page('Log in', `<form><input type="hidden" name="next" value="${next}"></form>`)
      : undefined;
  });
  assert.equal((await site.run()).objects, 2);
  assert.deepEqual(await site.objects(['/login']), ['/login']);
});

test('a canonical address that is not to be indexed is a mistake', async () => {
  const pages: Record<string, Answer> = {
    '/': linked('/a'),
    '/a': page('A', words('a'), '<link rel="canonical" href="/b">'),
    '/b': page('A', words('a'), '<meta name="robots" content="noindex">'),
  };
  await using site = await openCrawl(({ pathname }) => pages[pathname]);
  await site.run();
  assert.deepEqual(await site.objects(['/a', '/b']), ['/a']);
});

test('pages that a sitemap lists are gathered, however little they say', async () => {
  const parts = numbers(60).map((at) => `/part/${at}`);
  await using site = await openCrawl(({ pathname, origin }) => {
    if (pathname === '/') return page('Home');
    if (pathname === '/sitemap.xml') return { body: parts.map((path) => origin + path).join('\n') };
    return pathname.startsWith('/part/') ? page(`Part ${pathname.slice(6)}`, 'of a clock') : undefined;
  });
  const report = await site.run('--gatherer-trap-pages', '10');
  assert.deepEqual(await site.objects(parts), parts);
  assert.deepEqual(report.skipped, {});
});

test('choices as folders in any order and months in any language are braked', async () => {
  const values = ['colour-red', 'colour-blue', 'size-s', 'size-m', 'size-l', 'brand-knot', 'brand-reef'];
  const month = (at: number) =>
    new Intl.DateTimeFormat('fr', { month: 'long' }).format(Date.UTC(2024, at % 12, 15)).toLowerCase();
  const things = numbers(30).map((at) => `/thing/${at}`);
  await using site = await openCrawl(({ pathname }) => {
    const path = decodeURIComponent(pathname);
    if (path === '/') return linked('/shop', '/agenda/janvier-2024');
    if (path.startsWith('/shop')) {
      const more = values.filter((value) => !path.endsWith(value)).map((value) => `${path}/${value}`);
      return page('Shop', [...things, ...more].map((link) => `<a href="${link}">x</a>`).join(''));
    }
    const [, name, year] = /^\/agenda\/([a-z\u00e9\u00fb]+)-(\d{4})$/.exec(path) ?? [];
    if (name !== undefined) {
      const next = numbers(12).findIndex((at) => month(at) === name) + 1;
      const link = `/agenda/${encodeURIComponent(month(next))}-${Number(year) + Number(next === 12)}`;
      return page(`Agenda ${name} ${year}`, `<p>Rien en ${name} ${year}</p><a href="${link}">suite</a>`);
    }
    return things.includes(path) ? page('Thing', words(path)) : undefined;
  });
  const report = await site.run('--gatherer-trap-pages', '50');
  assert.deepEqual(await site.objects(things), things);
  assert.ok(rulesOf(report, 'a trap: 50 pages like').length >= 2, JSON.stringify(report.skipped));
  assert.ok(site.asked.length < 600, `${site.asked.length} requests`);
});

test('a page for missing addresses is recognised by its title in many languages', async () => {
  const titles = [
    ...[
      'Page Not Found | Port',
      'Seite nicht gefunden',
      'Page non trouv\u00e9e - Port',
      'Pagina niet gevonden',
    ],
    ...['P\u00e1gina no encontrada', 'Sidan kunde inte hittas', 'Siden findes ikke', 'Strona nie istnieje'],
    ...['\u9875\u9762\u4e0d\u5b58\u5728', 'Str\u00e1nka nenalezena', 'Oops! We can\u2019t find that page'],
  ];
  await using site = await openCrawl(({ pathname }) => {
    if (pathname === '/') return linked(...titles.flatMap((_, at) => [`/${at}/old-page`, `/${at}/real`]));
    const [, folder = '', name] = /^\/(\d+)\/(.*)$/.exec(pathname) ?? [];
    if (name === 'real') return page('Real', words(pathname));
    const title = titles[Number(folder)] ?? '';
    return folder === '' ? undefined : page(title, `<nav>News and contact</nav><h1>${title}</h1>`);
  });
  await site.run();
  const real = titles.map((_, at) => `/${at}/real`);
  const all = [...real, ...titles.map((_, at) => `/${at}/old-page`)];
  assert.deepEqual(await site.objects(all), real);
});

test('redirects in UTF-8, Refresh headers, several X-Robots-Tag headers and pages that have expired', async () => {
  const said = (name: string, headers: Readonly<Record<string, string | string[]>>): Answer => ({
    headers: { ...html, ...headers } as Record<string, string>,
    body: `<title>${name}</title>${words(name)}`,
  });
  const pages: Record<string, Answer> = {
    '/': linked('/old', '/wait', '/other', '/two', '/gone', '/until'),
    '/old': moved(Buffer.from('/gr\u00fcn').toString('latin1')),
    '/gr%C3%BCn': said('green', {}),
    '/wait': said('wait', { refresh: "3; URL='/there'" }),
    '/there': said('there', {}),
    '/other': said('other', { 'x-robots-tag': ['noarchive', 'otherbot: noindex'] }),
    '/two': said('two', { 'x-robots-tag': ['otherbot: nofollow', 'noindex'] }),
    '/gone': said('gone', { 'x-robots-tag': 'unavailable_after: Friday, 25-Jun-2010 15:00:00 GMT' }),
    '/until': page('Until', words('until'), '<meta name="robots" content="unavailable_after: 2999-01-01">'),
  };
  await using site = await openCrawl(({ pathname }) => pages[pathname]);
  await site.run();
  assert.deepEqual(await site.objects(Object.keys(pages)), [
    ...['/', '/gr%C3%BCn', '/wait', '/there', '/other', '/until'],
  ]);
});
