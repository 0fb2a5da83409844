import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { usualIgnored } from '../settings.ts';
import { addressShape } from './address-shape.ts';
import { IgnoredParameters } from './ignored-parameters.ts';
import { contentDigest, LearnedParameters } from './learned-parameters.ts';
import { contained, SeenText, sketchOf } from './page-sketch.ts';
import { TrapWatch } from './trap-watch.ts';

const at = (path: string) => `http://h${path}`;
const fine = (path: string) => addressShape(at(path)).fine.replace('http://h', '');
const wide = (path: string) => addressShape(at(path)).wide?.replace('http://h', '');

test('addresses that a program makes have one shape: numbers, months, tokens, repeated folders, parameters', () => {
  for (const [path, shape, wider] of [
    ['/', '/', undefined],
    ['/cal/2024/01', '/cal/#/#', '/cal/#/...'],
    ['/events/january-2024.html', '/events/#-#.html', undefined],
    ['/s/0a1b2c3d4e/page', '/s/*/page', '/s/*/...'],
    ['/a/a/a/a/b', '/(a)+/b', '/(a)+/...'],
    ['/x/a/b/a/b/a/b', '/x/(a/b)+', '/x/...'],
    ['/x/a/a/b/2', '/x/(a)+/b/#', '/x/...'],
    ['/kalender/m%C3%A4rz-2024', '/kalender/#-#', undefined],
    ['/agenda/2024/fevrier/', '/agenda/#/#/', '/agenda/#/...'],
    ['/termine/freitag-1-maerz', '/termine/#-#-#', undefined],
    ['/maize/marsh-maybe', '/maize/marsh-maybe', undefined],
    ['/list?size=2&sort=name&size=3', '/list?size&sort', '/list?...'],
    ['/docs/guide/install.html', '/docs/guide/install.html', undefined],
    ['/shop/red/large/wool/', '/shop/red/large/wool/', '/shop/...'],
  ] as const)
    assert.deepEqual([fine(path), wide(path)], [shape, wider], path);
  assert.equal(addressShape(at('/a/a/a/a/')).repeats, true);
  assert.equal(addressShape(at('/a/a/b/')).repeats, false);
  fc.assert(
    fc.property(fc.webPath(), fc.webQueryParameters(), (path, query) => {
      assert.ok(addressShape(`http://h${path}?${query}`).fine.length <= 310);
    }),
  );
});

test('a pattern is left out after its pages without news, and one that shows news now and then is not', () => {
  const watch = new TrapWatch(20);
  const through = (path: (n: number) => string, fresh: (n: number) => boolean, own = true) => {
    for (let n = 1; n <= 500; n += 1) {
      if (watch.brake(at(path(n))) !== undefined) return n - 1;
      watch.note(at(path(n)), own ? at(path(n - 1)) : at('/index'), fresh(n));
    }
    return 500;
  };
  assert.equal(
    through(
      (n) => `/cal/${n}`,
      () => false,
    ),
    20,
  );
  assert.equal(
    through(
      (n) => `/listed/${n}`,
      () => false,
      false,
    ),
    80,
  );
  assert.equal(
    through(
      (n) => `/log/${n}`,
      (n) => n % 5 === 0,
    ),
    500,
  );
  assert.match(watch.brake(at('/cal/9999')) ?? '', /pages like http:\/\/h\/cal\/# show nothing new/);
  assert.equal(watch.brake(at('/cal/x')), undefined);
  assert.equal(new TrapWatch(0).brake(at('/cal/1')), undefined);
});

test('pages are alike by their pieces of text, whatever day and address of their own they show', () => {
  const sketch = (path: string, body: string) => {
    const found = sketchOf(at(path), Buffer.from(`<title>Port</title>${body}`), 'text/html');
    assert.ok(found !== undefined);
    return found;
  };
  const day = (path: string, more = '') =>
    sketch(path, `<h1>Day ${path}</h1><p>No events on ${path.slice(5)}</p>${more}<script>x${path}</script>`);
  const seen = new SeenText();
  assert.equal(seen.add(day('/cal/2024-01-02')), true);
  for (const path of ['/cal/2024-01-03', '/cal/1999-12-31', '/cal/12'])
    assert.equal(seen.add(day(path)), false);
  assert.equal(seen.add(day('/cal/2024-01-04', '<p>Feast of the harbour</p>')), true);
  assert.equal(seen.add(day('/cal/2024-01-05', '<p>Feast of the harbour</p>')), false);
  assert.equal(seen.add(day('/cal/2024-01-06', '<img src="/boat.png">')), true);
  assert.equal(seen.add(day('/cal/2024-01-07', '<p>512, 4711, 98.6, 777</p>')), true);
  for (const dull of ['<p>1 2 3 17 28 2019 2031</p>', '<script>feast("of boats")</script>', '<!-- boats -->'])
    assert.equal(seen.add(day('/cal/2024-01-08', dull)), false, dull);
  assert.equal(sketchOf(at('/a.png'), Buffer.from('Port'), 'image/png'), undefined);
  const [whole, half] = [sketch('/a', '<p>one two<p>three four<p>five six'), sketch('/b', '<p>one two')];
  assert.deepEqual([contained(half, whole), contained(whole, half)], [1, 0.5]);
});

test('listed parameters are taken off queries and path segments, whatever their case and separator', () => {
  const ignored = new IgnoredParameters(usualIgnored);
  for (const [written, bare] of [
    ['/a?utm_source=x&b=2&UTM_campaign=y', '/a?b=2'],
    ['/a?PHPSESSID=1', '/a'],
    ['/a;JSESSIONID=0A/b;v=1?x=1', '/a/b;v=1?x=1'],
    ['/a;jsessionid=1?gclid=2', '/a'],
    ['/a?x=1;sessionid=2', '/a?x=1'],
    ['/a?b=utm_source', '/a?b=utm_source'],
    ['/a?', '/a?'],
  ] as const)
    assert.equal(ignored.strip(at(written)), at(bare), written);
  const wild = new IgnoredParameters(['*sid', 's*d']);
  assert.equal(wild.strip(at('/a?phpsid=1&sod=2&d=3&x=4')), at('/a?d=3&x=4'));
  assert.equal(new IgnoredParameters([]).strip(at('/a?utm_source=x')), at('/a?utm_source=x'));
  assert.deepEqual(ignored.namesIn('/a;jsessionid=1?gclid=2&b=3#?utm_x=1'), ['jsessionid', 'gclid']);
});

test('a parameter is learned from equal pages alone, and only when the address without it is equal too', () => {
  const learned = new LearnedParameters();
  const learn = (path: string, content: string) => learned.learn(at(path), content);
  for (let n = 1; n <= 6; n += 1) {
    learn(`/p?id=${n}`, `content ${n}`);
    learn(`/q?v=${n}`, 'same');
    learn(`/r?v=${n}`, 'none');
  }
  assert.equal(learned.strip(at('/q?v=7')), at('/q?v=7'));
  assert.equal(learned.plainOf(at('/q?v=5')), at('/q'));
  const [lesson] = learn('/q', 'same');
  assert.deepEqual(
    [lesson?.name, lesson?.place, lesson?.plain, lesson?.urls.length],
    ['v', at('/q'), at('/q'), 6],
  );
  assert.deepEqual(learn('/r', 'another page'), []);
  // One value that changes the page is enough.
  for (let n = 1; n <= 6; n += 1) learn(`/u?w=${n}`, n === 6 ? 'other' : 'same');
  assert.deepEqual(learn('/u', 'same'), []);
  assert.equal(learned.strip(at('/q?v=7&x=1')), at('/q?x=1'));
  for (const path of ['/p?id=7', '/r?v=7', '/s?v=7']) assert.equal(learned.strip(at(path)), at(path));
  // Three paths speak for the whole host, unless another path speaks against it.
  for (const [name, contents] of [
    ['t', 'same'],
    ['v', 'same'],
  ] as const)
    for (const path of ['/x', '/y', '/z']) {
      learn(path, contents);
      for (let n = 1; n <= 5; n += 1) learn(`${path}?${name}=${n}`, contents);
    }
  assert.equal(learned.strip(at('/anywhere?t=1')), at('/anywhere'));
  for (const path of ['/anywhere?v=1', '/r?v=7']) assert.equal(learned.strip(at(path)), at(path));
  assert.equal(learned.strip(at('/x?v=7')), at('/x'));
});

test('a parameter with another value on each of five pages that are equal without it is learned', () => {
  const pages = [1, 2, 3, 4, 5];
  const after = (values: (page: number) => string, plain: (page: number) => string) => {
    const learned = new LearnedParameters();
    for (const page of pages) {
      learned.learn(at(`/${page}?v=${values(page)}`), `content ${page}`);
      learned.learn(at(`/${page}`), plain(page));
    }
    return learned.strip(at('/6?v=7'));
  };
  assert.equal(
    after(String, (page) => `content ${page}`),
    at('/6'),
  );
  // The first page of each list is the list.
  assert.equal(
    after(
      () => '1',
      (page) => `content ${page}`,
    ),
    at('/6?v=7'),
  );
  assert.equal(
    after(String, (page) => (page === 2 ? 'other' : `content ${page}`)),
    at('/6?v=7'),
  );
  // Where values look like sessions, five addresses without them are asked for.
  const learned = new LearnedParameters();
  const asked = [...pages, 6].map((page) => {
    const url = at(`/${page}?v=f00dbeef${page}`);
    learned.learn(url, `content ${page}`);
    return learned.plainOf(url);
  });
  assert.deepEqual(asked, [...pages.map((page) => at(`/${page}`)), undefined]);
});

test('sessions in the links of a page are no content, other values are', () => {
  const digest = (url: string, body: string) => contentDigest(at(url), Buffer.from(body), body);
  const shop = (id: string) => `<a href="?s=${id}">x</a><a href="/b?other=1&amp;sid=${id}">y</a>`;
  assert.equal(digest('/a?s=abc123def', shop('f00dbeef1')), digest('/a?s=zyx987wvu', shop('0123abcd')));
  assert.notEqual(digest('/a?s=1', shop('2')), digest('/a?s=2', shop('3')));
  assert.notEqual(
    digest('/a?d=2024-01-01', shop('2024-01-02')),
    digest('/a?d=2024-01-02', shop('2024-01-03')),
  );
});
