import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { type Answer, linked, moved, openCrawl, page, rulesOf } from './crawled.ts';
import { attributesOf } from './tried.ts';

/** A site of a table. */
const crawlOf = (pages: Readonly<Record<string, Answer | ((base: string) => Answer)>>) =>
  openCrawl(({ pathname, search, origin }) => {
    const found = pages[pathname + search];
    return typeof found === 'function' ? found(origin) : found;
  });

const canonical = (href: string) => `<link rel="canonical" href="${href}">`;
const text = (about: string) =>
  `<h2>${about}</h2>${`${about}${about}`
    .split('')
    .map((letter, at) => `<p>${about} ${letter} paragraph ${String.fromCharCode(97 + at)}</p>`)
    .join('')}`;

test('case 57: the canonical address of a page is recorded, and on its own host it is the address of the object', async () => {
  assert.equal((await attributesOf(57, 'can.html'))['Canonical-URL'], 'https://www.example.org/real');
  await using site = await crawlOf({
    '/': linked('/a?ref=x', '/b', '/cross', '/header?x=1', '/print/c', '/tagged?x=1'),
    '/a?ref=x': page('A', text('tide'), canonical('/a')),
    '/a': page('A', `${text('tide')}<p>more`, canonical('/a')),
    '/b': page('B', text('chart'), canonical('real')),
    '/real': page('Real', text('chart')),
    '/cross': page('Cross', text('buoy'), canonical('https://elsewhere.example/x')),
    '/header?x=1': {
      headers: { 'content-type': 'text/plain', link: '</header>; rel="canonical"' },
      body: 'plain words',
    },
    '/header': { headers: { 'content-type': 'text/plain' }, body: 'plain words, and more' },
    '/print/c': page('C', text('mast'), canonical('/c')),
    '/c': page('C', text('mast')),
    '/tagged?x=1': {
      headers: { 'content-type': 'text/plain', link: '</tagged>; rel="canonical"', etag: '"1"' },
      body: 'tagged words',
    },
    '/tagged': { headers: { 'content-type': 'text/plain', etag: '"2"' }, body: 'tagged words, and more' },
  });
  await site.run();
  const all = ['/a?ref=x', '/a', '/b', '/real', '/cross', '/header?x=1', '/header', '/print/c', '/c'];
  const tagged = ['/tagged?x=1', '/tagged'];
  assert.deepEqual(await site.objects([...all, ...tagged]), [
    '/a',
    '/real',
    '/cross',
    '/header',
    '/c',
    '/tagged',
  ]);
  assert.match((await site.object('/cross')) ?? '', /Canonical-URL\{27\}:\thttps:\/\/elsewhere\.example\/x/);
  assert.match((await site.object('/real')) ?? '', /^Other-URLs\{\d+\}:\t\/b$/m);
  // Nothing changes by itself, and an unchanged page still names its address.
  const again = await site.run();
  assert.deepEqual([again.added, again.changed, again.deleted], [0, 0, 0]);
  assert.equal(site.asked.filter((url) => url === '/tagged?x=1').length, 1);
});

test('case 57: canonical addresses that are mistakes leave the page its own address', async () => {
  const pages: Record<string, Answer> = {
    '/': page(
      'Home',
      `${text('home')}${['/loop1', '/loop2', '/gone', '/soft', '/home', '/short', '/chain1', '/page2', '/away', '/back', '/brief'].map((link) => `<a href="${link}">x</a>`).join('')}`,
    ),
    '/loop1': page('L1', text('loop'), canonical('/loop2')),
    '/loop2': page('L2', text('pool'), canonical('/loop1')),
    '/gone': page('G', text('gone'), canonical('/nowhere')),
    '/soft': page('S', text('soft'), canonical('/missing')),
    '/missing': page('404 Not Found', 'Sorry.'),
    '/home': page('H', text('keel'), canonical('/')),
    '/short': page('S', '<p>few words', canonical('/')),
    '/chain1': page('C', text('chain'), canonical('/chain2')),
    '/chain2': page('C', text('chain'), canonical('/chain3')),
    '/chain3': page('C', `${text('chain')}<p>end`),
    '/page2': page('P', text('second'), canonical('/list')),
    '/list': page('P', text('first')),
    '/away': page('A', text('away'), canonical('/moved')),
    '/moved': moved('/target'),
    '/target': page('T', `${text('away')}<p>here`),
    '/back': page('B', text('back'), canonical('/tofro')),
    '/tofro': moved('/back'),
    '/brief': page('Bridge', 'A charter of tolls.', canonical('/seal')),
    '/seal': page('Seal', 'All about wax.'),
  };
  await using site = await crawlOf(pages);
  await site.run();
  const own = [
    '/loop1',
    '/loop2',
    '/gone',
    '/soft',
    '/home',
    '/short',
    '/chain3',
    '/page2',
    '/list',
    '/target',
    '/back',
    '/brief',
    '/seal',
  ];
  assert.deepEqual(await site.objects(Object.keys(pages)), [
    '/',
    ...Object.keys(pages).filter((path) => own.includes(path)),
  ]);
});

test('case 65: a calendar without end is braked with its pattern, and the pages behind it are gathered', async () => {
  await using site = await openCrawl(({ pathname }) => {
    if (pathname === '/') return linked('/cal/2024/01', '/late/1');
    const [, year = '', month = ''] = /^\/cal\/(\d+)\/(\d+)$/.exec(pathname) ?? [];
    const next = Number(year) * 12 + Number(month);
    const link = `/cal/${Math.floor(next / 12)}/${String((next % 12) + 1).padStart(2, '0')}`;
    if (year !== '') return page(`Calendar ${pathname}`, `No events <a href="${link}">next</a>`);
    const [, late = ''] = /^\/late\/(\d+)$/.exec(pathname) ?? [];
    const words = `word${String.fromCharCode(97 + (Number(late) % 26))}${'x'.repeat(Number(late) % 7)}`;
    return late === '' || Number(late) > 150
      ? undefined
      : page(`Late`, `<p>${words} of ${late}</p><a href="/late/${Number(late) + 1}">next</a>`);
  });
  const report = await site.run('--gatherer-trap-pages', '40');
  assert.deepEqual(
    rulesOf(report, 'trap').map(([rule]) => rule.replace(site.base, '')),
    ['a trap: 40 pages like /cal/#/# show nothing new (gatherer.trap-pages)'],
  );
  assert.ok(site.asked.filter((url) => url.startsWith('/cal/')).length <= 50);
  const late = Array.from({ length: 150 }, (_, at) => `/late/${at + 1}`);
  assert.deepEqual(await site.objects(late), late);
});

test('case 67: sitemaps as XML, text, RSS and Atom, plain and gzipped, give their pages', async () => {
  const urls = ['text', 'text2', 'gz', 'rss', 'rssgz', 'atom', 'atomgz', 'wide', 'xml', 'xmlgz', 'index'].map(
    (name) => `/p/${name}`,
  );
  const named = (body: (base: string) => string | Uint8Array, type: string) => (base: string) => ({
    headers: { 'content-type': type },
    body: body(base),
  });
  const atom = (base: string, name: string) =>
    `<?xml version="1.0"?><feed xmlns="http://www.w3.org/2005/Atom"><link href="${base}/p/feed"/><entry><link rel="self" href="${base}/p/self"/><link href="${base}/p/${name}"/><updated>2024-02-03T00:00:00Z</updated></entry></feed>`;
  const rss = (base: string, name: string) =>
    `<rss><channel><link>${base}/p/channel</link><item><title>x</title><link>\n${base}/p/${name} </link><pubDate>Sat, 03 Feb 2024 00:00:00 GMT</pubDate></item></channel></rss>`;
  const urlset = (base: string, name: string) => `<urlset><url><loc>${base}/p/${name}</loc></url></urlset>`;
  const lists = [
    ...['list.txt', 'list.txt.gz', 'feed.rss', 'feed.rss.gz', 'feed.atom', 'feed.atom.gz', 'wide.txt'],
    ...['map.xml', 'map.xml.gz', 'index.xml'],
  ];
  await using site = await crawlOf({
    '/': page('Root', 'no links'),
    '/robots.txt': named((base) => lists.map((name) => `Sitemap: ${base}/${name}`).join('\n'), 'text/plain'),
    '/list.txt': named((base) => `\ufeff${base}/p/text\r\n${base}/p/text2\r\n`, 'text/plain'),
    '/list.txt.gz': named((base) => gzipSync(`${base}/p/gz\n`), 'application/gzip'),
    '/feed.rss': named((base) => rss(base, 'rss'), 'application/rss+xml'),
    '/feed.rss.gz': named((base) => gzipSync(rss(base, 'rssgz')), 'application/gzip'),
    '/map.xml': named((base) => urlset(base, 'xml'), 'application/xml'),
    '/map.xml.gz': named((base) => gzipSync(urlset(base, 'xmlgz')), 'application/gzip'),
    '/feed.atom': named((base) => atom(base, 'atom'), 'application/atom+xml'),
    '/feed.atom.gz': named((base) => gzipSync(atom(base, 'atomgz')), 'application/gzip'),
    '/wide.txt': named((base) => Buffer.from(`\ufeff${base}/p/wide`, 'utf16le'), 'text/plain'),
    '/index.xml': named(
      (base) => `<sitemapindex><sitemap><loc>${base}/child.txt</loc></sitemap></sitemapindex>`,
      'application/xml',
    ),
    '/child.txt': named((base) => `${base}/p/index`, 'text/plain'),
    ...Object.fromEntries([...urls, '/p/channel', '/p/feed', '/p/self'].map((url) => [url, page(url, url)])),
  });
  const report = await site.run();
  assert.deepEqual(await site.objects([...urls, '/p/channel', '/p/feed', '/p/self']), urls);
  assert.deepEqual(rulesOf(report, 'no sitemap'), []);
  assert.match((await site.object('/p/rss')) ?? '', /Last-Modification-Time\{10\}:\t1706918400/);
});

test('case 68: a page behind a cookie is gathered, whatever the way to the cookie', async () => {
  await using site = await openCrawl(({ pathname, searchParams }, request) => {
    const has = (name: string) => (request.headers.cookie ?? '').includes(`${name}=1`);
    const set = (name: string) => ({ 'set-cookie': `${name}=1; Path=/` });
    if (pathname === '/') return linked('/self', '/there', '/round', '/never');
    if (pathname === '/self') return has('self') ? page('Self', 'one') : moved('/self', set('self'));
    if (pathname === '/there') return has('there') ? page('There', 'two') : moved('/set', set('there'));
    if (pathname === '/set') return moved('/there');
    if (pathname === '/round') return has('round') ? page('Round', 'three') : moved('/ask?to=/round');
    if (pathname === '/ask') return moved(searchParams.get('to') ?? '/', set('round'));
    return pathname === '/never' ? moved('/never', { 'set-cookie': 'other=1' }) : undefined;
  });
  const report = await site.run();
  const all = ['/self', '/there', '/round'];
  assert.deepEqual(await site.objects([...all, '/never']), all);
  assert.deepEqual(
    report.failures.map(({ reason }) => reason.replaceAll(site.base, '')),
    ['/never leads nowhere: its redirects go in a circle.'],
  );
  assert.equal(site.asked.filter((url) => url === '/never').length, 2);
});

test('equal content at several addresses is one object that names the others, redirects too', async () => {
  const same = page('Dup', 'identical bytes');
  const pages: Record<string, Answer> = {
    '/': linked('/one', '/two', '/three/', '/three/index.html', '/old', '/older'),
    ...{ '/one': same, '/two': same, '/three/': same, '/three/index.html': same },
    ...{ '/old': moved('/one'), '/older': moved('/old') },
  };
  await using site = await crawlOf(pages);
  await site.run();
  assert.deepEqual(await site.objects(Object.keys(pages)), ['/', '/one']);
  const others = async () =>
    /^Other-URLs\{\d+\}:\t([\s\S]*?)\n\S+\{/m.exec((await site.object('/one')) ?? '')?.[1]?.split('\n');
  assert.deepEqual(await others(), ['/old', '/older', '/three/', '/three/index.html', '/two']);
  const again = await site.run();
  assert.deepEqual([again.added, again.changed, again.deleted], [0, 0, 0]);
  // One address gets words of its own, a redirect vanishes.
  pages['/two'] = page('Two', 'other bytes');
  delete pages['/older'];
  await site.run();
  assert.deepEqual(await site.objects(Object.keys(pages)), ['/', '/one', '/two']);
  assert.deepEqual(await others(), ['/old', '/three/', '/three/index.html']);
  // The first address vanishes: the content stays.
  delete pages['/one'];
  pages['/'] = linked('/two', '/three/', '/three/index.html');
  await site.run();
  assert.deepEqual(await site.objects(['/one', '/three/', '/three/index.html']), ['/three/']);
});

test('listed parameters are no part of an address, nor are those that change nothing; others are', async () => {
  let visits = 0;
  await using site = await openCrawl(({ pathname, searchParams }) => {
    visits += 1;
    const id = `v${visits.toString(16).padStart(7, '0')}`;
    if (pathname === '/')
      return linked(
        '/a?utm_source=x&b=2',
        '/b;jsessionid=0A1B2C',
        '/s',
        '/item?id=1',
        '/item?id=2',
        '/c?PHPSESSID=1#x',
      );
    if (pathname === '/s')
      return page(
        'S',
        `<p>Some shop.</p><a href="/s?tok=${id}">again</a><a href="/s?tok=${id}&amp;part=2">2</a>`,
      );
    if (pathname === '/item')
      return page('Item', text(`item ${'one two'.split(' ')[Number(searchParams.get('id')) - 1]}`));
    return /^\/[abc]$/.test(pathname) ? page(pathname, text(pathname)) : undefined;
  });
  const report = await site.run();
  const names = ['utm_source', 'jsessionid', 'PHPSESSID', 'tok'];
  assert.deepEqual(
    names.filter((name) => rulesOf(report, `parameter ${name} `).length > 0),
    names,
  );
  const wanted = ['/a?b=2', '/b', '/c', '/s', '/item?id=1', '/item?id=2'];
  assert.deepEqual(await site.objects([...wanted, '/b;jsessionid=0A1B2C', '/a?utm_source=x&b=2']), wanted);
  assert.ok(site.asked.length < 70, `${site.asked.length} requests`);
});

test('settings replace the list of parameters, and turn learning and traps off', async () => {
  await using site = await openCrawl(({ pathname, searchParams }) => {
    if (pathname === '/') {
      const learnable = Array.from({ length: 8 }, (_, at) => `/s?tok=${at}`);
      return linked('/a?utm_source=x', '/b?mine=1', '/cal/1', '/s', ...learnable);
    }
    if (pathname === '/s') return page('S', text('shop'));
    const [, day] = /^\/cal\/(\d+)$/.exec(pathname) ?? [];
    if (day !== undefined)
      return Number(day) > 300
        ? undefined
        : page('Day', `<p>No events</p><a href="/cal/${Number(day) + 1}">x</a>`);
    return /^\/[ab]$/.test(pathname) ? page(pathname, text(pathname + searchParams.size)) : undefined;
  });
  const settings = ['--gatherer-ignore-parameters', 'mine', '--no-gatherer-learn-parameters'];
  const report = await site.run(...settings, '--gatherer-trap-pages', '0');
  assert.deepEqual(await site.objects(['/a?utm_source=x', '/b', '/b?mine=1']), ['/a?utm_source=x', '/b']);
  assert.deepEqual(rulesOf(report, 'parameter tok '), []);
  assert.deepEqual(rulesOf(report, 'trap'), []);
  assert.ok(site.asked.includes('/s?tok=7') && site.asked.includes('/cal/300'));
});

test('a page for missing addresses with status 200 is no document, however it looks', async () => {
  const layout = (main: string) =>
    page('Harbour', `<nav>Home News Contact</nav>${main}<footer>The harbour office</footer>`);
  const missing = Array.from({ length: 12 }, (_, at) => `/news/old-${at}.html`);
  const real = ['/news/tide.html', '/news/storm.html'];
  await using site = await openCrawl(({ pathname }) => {
    if (pathname === '/') return linked(...missing, ...real);
    if (real.includes(pathname))
      return layout(`<p>About the ${pathname.slice(6)}</p><p>${'real words '.repeat(20)}</p>`);
    return pathname.startsWith('/news/') ? layout(`<p>Ahoy! Nothing at ${pathname}.</p>`) : undefined;
  });
  const report = await site.run();
  assert.deepEqual(await site.objects([...missing, ...real]), real);
  assert.deepEqual(
    rulesOf(report, 'soft 404').map(([rule]) => rule.replace(site.base, '')),
    ['/news/*: the server answers 200 where there is no page (soft 404)'],
  );
  assert.equal(site.asked.filter((url) => url.includes('nosuch-')).length, 1);
});

test('noindex, nofollow and X-Robots-Tag are obeyed, refresh and Link headers followed, languages recorded', async () => {
  const html = { 'content-type': 'text/html' };
  await using site = await crawlOf({
    '/': linked('/meta', '/header', '/plain', '/other', '/nofollow', '/quiet', '/none', '/refresh', '/en'),
    '/meta': page('M', 'm', '<meta name=robots content="noindex">'),
    '/header': { headers: { ...html, 'x-robots-tag': 'garner: noindex' }, body: '<p>h' },
    '/plain': { headers: { 'content-type': 'text/plain', 'x-robots-tag': 'noindex' }, body: 'words' },
    '/other': { headers: { ...html, 'x-robots-tag': 'otherbot: noindex' }, body: '<p>o' },
    '/nofollow': page('N', '<a href="/secret">s</a>', '<meta name=robots content=nofollow>'),
    '/quiet': { headers: { ...html, 'x-robots-tag': 'nofollow' }, body: '<a href="/secret">s</a>' },
    '/none': page('N', '<a href="/secret">s</a>', '<meta name=robots content=none>'),
    '/secret': page('S', 's'),
    '/refresh': page('R', 'r', `<meta http-equiv="refresh" content="0; URL='/target'">`),
    '/target': page('T', 't'),
    '/en': {
      headers: { ...html, link: '</fr>; rel="alternate"; hreflang="fr", </next>; rel=next' },
      body: '<title>EN</title><p>english',
    },
    '/fr': page('F', 'french'),
    '/next': page('X', 'next'),
  });
  await site.run();
  const all = [
    '/meta',
    '/header',
    '/plain',
    '/other',
    '/nofollow',
    '/quiet',
    '/none',
    '/secret',
    '/refresh',
    '/target',
    '/en',
    '/fr',
    '/next',
  ];
  assert.deepEqual(await site.objects(all), [
    '/other',
    '/nofollow',
    '/quiet',
    '/refresh',
    '/target',
    '/en',
    '/fr',
    '/next',
  ]);
  assert.match((await site.object('/en')) ?? '', /^Alternates\{\d+\}:\tfr \/fr$/m);
});
