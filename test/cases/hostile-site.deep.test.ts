import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Answer, openCrawl, page } from './crawled.ts';

const realPages = 200;
const real = Array.from({ length: realPages }, (_, at) => `/articles/${at}.html`);
const words = 'tide harbour pilot chart buoy anchor current lamp rope keel mast gull sound mooring'.split(
  ' ',
);
const parameters = ['sort', 'colour', 'size', 'brand', 'view', 'page'];
let session = 0;

/** A real article: its own words, links to its neighbours, and one into every trap. */
function article(at: number): Answer {
  const word = (n: number) => words[(at * 7 + n * n * 3 + ((at * n) % 5)) % words.length];
  const text = Array.from({ length: 60 }, (_, n) => `${word(n)} ${word(n + at)}`).join(' ');
  const next = [at * 2 + 1, at * 2 + 2].filter((other) => other < realPages);
  const links = next.map((other) => `<a href="/articles/${other}.html">article</a>`).join(' ');
  session += 1;
  const id = `s${session.toString(16).padStart(8, '0')}`;
  const traps =
    `<a href="/cal/${2000 + at}/01">calendar</a> <a href="/missing/${at}.html">old</a> <a href="/missing/x/${at}">old</a>` +
    ` <a href="/shop?visit=${id}">shop</a> <a href="/a/">a</a> <a href="/list?sort=name">list</a>` +
    ` <a href="/forum/?PHPSESSID=${id}">forum</a>`;
  return page(`About the ${word(1)} and the ${word(2)}`, `<p>${text}</p>${links} ${traps}`);
}

/** A list of 12 things in any order and selection; each link changes one of the parameters. */
function list(query: URLSearchParams): Answer {
  const things = words.slice(0, 12).map((word) => `<li>A good ${word}, ${word.length * 3} euro</li>`);
  const shown = things.filter((_, at) => (at + query.size) % 3 !== 0);
  const links = parameters.flatMap((name) =>
    ['1', '2', '3', '4'].map((value) => {
      const changed = new URLSearchParams(query);
      changed.set(name, value);
      return `<a href="/list?${changed.toString().replaceAll('&', '&amp;')}">${name}</a>`;
    }),
  );
  return page('Things', `<ul>${shown.join('')}</ul>${links.join(' ')}`);
}

function hostile({ pathname, searchParams }: URL): Answer | undefined {
  if (pathname === '/') return page('Harbour', '<h1>Welcome</h1><a href="/articles/0.html">begin</a>');
  const [, at] = /^\/articles\/(\d+)\.html$/.exec(pathname) ?? [];
  if (at !== undefined && Number(at) < realPages) return article(Number(at));
  const [, year, month] = /^\/cal\/(\d+)\/(\d+)$/.exec(pathname) ?? [];
  if (year !== undefined && month !== undefined) {
    const next = Number(month) % 12;
    const link = `/cal/${Number(year) + (next === 0 ? 1 : 0)}/${String(next + 1).padStart(2, '0')}`;
    const body = `<p>No events in ${month}/${year}</p><a href="${link}">next</a>`;
    const { headers, ...answer } = page(`Calendar ${month}/${year}`, body);
    // The second run finds it unchanged.
    return { ...answer, headers: { ...headers, etag: `"${year}-${month}"` } };
  }
  if (pathname.startsWith('/missing/')) return page('Harbour', '<p>Sorry, we looked everywhere.</p>');
  if (/^\/(?:a\/)+$/.test(pathname))
    return page(`At ${pathname}`, '<p>Deeper and deeper.</p><a href="a/">a</a>');
  if (pathname === '/list') return list(searchParams);
  if (pathname === '/shop' || pathname === '/forum/') {
    session += 1;
    const id = `s${session.toString(16).padStart(8, '0')}`;
    const links = ['a', 'b', 'c'].map((part) => `<a href="/shop?part=${part}&amp;visit=${id}">${part}</a>`);
    const part = searchParams.get('part') ?? 'all';
    return page(
      'Shop',
      `<p>The shop sells ${part} of our ropes.</p>${pathname === '/shop' ? links.join('') : ''}`,
    );
  }
  return undefined;
}

test('a hostile site: 200 real pages among traps are gathered, and each trap is named', async (t) => {
  await using site = await openCrawl(hostile);
  const report = await site.run();
  const requests = site.asked.length;
  t.diagnostic(`${requests} requests, ${report.objects} objects, ${report.ms} ms`);
  for (const rule of Object.keys(report.skipped)) t.diagnostic(rule.replaceAll(site.base, ''));
  assert.deepEqual(await site.objects(real), real);
  assert.ok(requests <= 3000, `${requests} requests`);
  const named = [
    'pages like /cal/#/# show nothing new (gatherer.trap-pages)',
    'pages like /(a)+/ show nothing new (gatherer.trap-pages)',
    'pages like /list?',
    '/missing/*: the server answers 200 where there is no page (soft 404)',
    'the parameter visit is no part of an address below /shop (gatherer.ignore-parameters',
    'the parameter PHPSESSID is no part of an address (gatherer.ignore-parameters',
  ];
  const rules = Object.keys(report.skipped).map((rule) => rule.replaceAll(site.base, ''));
  assert.deepEqual(
    site.asked.filter((url) => url.includes('PHPSESSID')),
    [],
  );
  for (const name of named)
    assert.ok(
      rules.some((rule) => rule.includes(name)),
      name,
    );
  // The second run stops where the first one did.
  await site.run();
  assert.ok(site.asked.length <= requests + 20, `${site.asked.length} requests`);
});
