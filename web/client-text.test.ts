import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { nothingAsked, pageHref, readAddress, searchPath, toggled } from './client/address.ts';
import { readBrokerStatus, readSearchAnswer, readWords, type Span } from './client/answers.ts';
import { sharedTails } from './client/content-view.ts';
import { refused } from './client/failure.ts';
import { crumbs, safeHref, shown, throughCache } from './client/remote-text.ts';
import { passage, resultView, within } from './client/result-view.ts';
import { age, count, day, duration, isoTime, listed, sentence, size } from './client/wording.ts';

const now = 1_772_600_000;

test('ages are reported in the largest unit that says enough', () => {
  const cases: [number, string][] = [
    [-500, 'just now'],
    [0, 'just now'],
    [44, 'just now'],
    [45, '1 min ago'],
    [180, '3 min ago'],
    [59 * 60, '59 min ago'],
    [60 * 60, '1 h ago'],
    [23.4 * 3600, '23 h ago'],
    [24 * 3600, 'yesterday'],
    [3 * 86_400, '3 days ago'],
    [40 * 86_400, '23 Jan 2026'],
  ];
  for (const [passed, words] of cases) assert.equal(age(now - passed, now), words, `${passed} s`);
  assert.equal(day(1e15), '');
  assert.equal(isoTime(1e15), undefined);
  assert.equal(isoTime(0), '1970-01-01T00:00:00Z');
});

test('counts, sizes and durations', () => {
  assert.equal(count(1, 'object'), '1 object');
  assert.equal(count(1941, 'object'), '1,941 objects');
  const sizes: [number, string][] = [
    [0, '0 B'],
    [999, '999 B'],
    [1000, '1.0 kB'],
    [9940, '9.9 kB'],
    [9960, '10 kB'],
    [999_400, '999 kB'],
    [999_600, '1.0 MB'],
    [27_000_000, '27 MB'],
    [3e12, '3 TB'],
  ];
  for (const [bytes, words] of sizes) assert.equal(size(bytes), words);
  assert.equal(duration(0.2), 'under 1 ms');
  assert.equal(duration(12.4), '12 ms');
  assert.equal(duration(1300), '1.3 s');
  assert.equal(listed([]), '');
  assert.equal(listed(['a', 'b', 'c']), 'a, b and c');
});

test('links lead only to web and file servers, and never hide the host', () => {
  for (const url of ['http://a.example/x', 'https://a.example/', 'ftp://a.example/x'])
    assert.equal(safeHref(url), url);
  for (const url of [
    'javascript:alert(1)',
    ' java\nscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'file:///etc/passwd',
    'blob:https://a.example/x',
    'https://bank.example@evil.example/',
    '//a.example/x',
    '/x',
    '-',
    '',
  ])
    assert.equal(safeHref(url), undefined, url);
  fc.assert(
    fc.property(fc.oneof(fc.string(), fc.webUrl()), (url) => {
      const href = safeHref(url);
      if (href !== undefined) assert.match(href, /^(?:https?|ftp):\/\/[^@/]+\//);
    }),
  );
});

test('crumbs say the site and the path as people read them', () => {
  assert.deepEqual(crumbs('https://a.example/library/asyncio%20task.html', 'Docs'), [
    'Docs',
    'library',
    'asyncio task.html',
  ]);
  assert.deepEqual(crumbs('https://a.example/guide/index.html', 'Docs'), ['Docs', 'guide']);
  assert.deepEqual(crumbs('https://a.example/', ''), ['a.example']);
  assert.deepEqual(crumbs('http://127.0.0.1:8080/x', 'http://127.0.0.1:8080/'), ['127.0.0.1:8080', 'x']);
  assert.deepEqual(crumbs('https://a.example/1/2/3/4/5/6', 'Docs'), ['Docs', '1', '…', '5', '6']);
  assert.deepEqual(crumbs('https://a.example/find?q=a%20b', 'Docs'), ['Docs', 'find?q=a b']);
  assert.deepEqual(crumbs('https://a.example/%ff', 'Docs'), ['Docs', '%ff']);
  assert.deepEqual(crumbs('mailto:a@b.example', 'Docs'), ['Docs']);
  assert.deepEqual(crumbs('file:///home/a/notes.txt', 'Notes'), ['Notes', 'home', 'a', 'notes.txt']);
  assert.deepEqual(crumbs('-', ''), ['-']);
  assert.deepEqual(crumbs('https://a.example/%E2%80%AEgpj.exe', 'Docs'), ['Docs', 'gpj.exe']);
});

test('shown text has no control characters and no half characters', () => {
  assert.equal(shown('a\u0000b\u202ec\nd'), 'a b c d');
  assert.equal(shown('abcdef', 4), 'abc…');
  assert.equal(shown('ab😀def', 4), 'ab…');
});

const textOf = (nodes: ReturnType<typeof passage>) =>
  nodes.map((node) => (typeof node === 'string' ? node : node.children.join(''))).join('');

test('a passage keeps its text and begins near its first match', () => {
  const text = `${'word '.repeat(40)}needle in the hay`;
  const start = text.indexOf('needle');
  const nodes = passage(text, [[start, start + 6]]);
  assert.ok(textOf(nodes).startsWith('…word'));
  assert.ok(textOf(nodes).indexOf('needle') <= 45);
  const marks = nodes.filter((node) => typeof node !== 'string');
  assert.deepEqual(
    marks.map((mark) => mark.children),
    [['needle']],
  );
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), fc.array(fc.nat(300), { maxLength: 8 }), (any, cuts) => {
      const edges = [...new Set(cuts.filter((cut) => cut <= any.length))].sort((a, b) => a - b);
      const spans: Span[] = [];
      for (let at = 0; at + 1 < edges.length; at += 2) spans.push([edges[at] ?? 0, edges[at + 1] ?? 0]);
      const made = passage(any, spans);
      const kept = textOf(made);
      assert.ok(kept === any || (kept.startsWith('…') && any.endsWith(kept.slice(1))));
      const marked = made.filter((node) => typeof node !== 'string').map((node) => node.children.join(''));
      assert.deepEqual(
        marked,
        spans.map(([from, to]) => any.slice(from, to)),
      );
    }),
  );
});

test('what titles of one site end with is found, and only that', () => {
  const made = [
    ['1', 'py', 'asyncio — Asynchronous I/O — Python 3.11.2 documentation'],
    ['2', 'py', 'Index — Python 3.11.2 documentation'],
    ['3', 'py', 'Plain'],
    ['4', 'py', 'Other — Documentation of something else'],
    ['5', 'pg', 'Index — Python 3.11.2 documentation'],
    ['6', 'py', ' — '],
  ].map(([oid = '', source = '', title = '']) => ({ oid, source, title }));
  const tails = sharedTails(readSearchAnswer({ hits: made })?.hits ?? []);
  assert.deepEqual(
    made.map(({ oid, title }) => title.slice(0, tails.get(oid) ?? title.length)),
    ['asyncio — Asynchronous I/O', 'Index', ...made.slice(2).map(({ title }) => title)],
  );
  const spans: Span[] = [
    [0, 3],
    [4, 9],
    [12, 13],
  ];
  assert.deepEqual(within(spans, 0, 6), [
    [0, 3],
    [4, 6],
  ]);
  assert.deepEqual(within(spans, 6, 12), [[0, 3]]);
});

test('results open through an Object Cache where there is one', () => {
  assert.equal(
    throughCache('https://x.org/a?b#c', 'https://cache.org/get/'),
    'https://cache.org/get/https%3A%2F%2Fx.org%2Fa%3Fb%23c',
  );
  assert.equal(throughCache('https://x.org/', ''), 'https://x.org/');
  assert.equal(throughCache('https://x.org/', 'javascript:alert(1)//'), 'https://x.org/');
  assert.equal(throughCache(undefined, 'https://cache.org/'), undefined);
});

test('a result says nothing twice', () => {
  const written = (hit: object) => {
    const [read] =
      readSearchAnswer({ hits: [{ oid: 'o', url: 'https://x.org/a/b.png', ...hit }] })?.hits ?? [];
    return read === undefined ? '' : JSON.stringify(resultView(read, { now: 0 }));
  };
  const titled = { title: 'b.png', snippet: 'b.png', attributes: ['Title', 'Keywords'] };
  const seen = written({ ...titled, matches: [[2, 5]], titleMatches: [[2, 5]] });
  assert.doesNotMatch(seen, /passage/);
  assert.match(seen, /matches in keywords/);
  assert.match(written({ ...titled, matches: [[2, 5]] }), /passage.*matches in title, keywords/);
  assert.match(
    written({ title: 'https://x.org/a/b.png' }),
    /"h2".*"span","attributes":\{"class":"title"\},"children":\["b.png"\]/,
  );
});

test('a remark becomes a sentence', () => {
  assert.equal(sentence('only the first words were searched'), 'Only the first words were searched.');
  assert.equal(sentence(' éh? '), 'Éh?');
});

test('an address survives its URL, and nonsense in a URL is left out', () => {
  const address = {
    ...nothingAsked,
    ...{ query: 'a & "b"', offset: 20, sources: ['s/1', 's 2'], types: ['HTML'] },
  };
  const more = { filters: ['year:2024'], sort: 'date', grouped: true, exact: true };
  assert.deepEqual(readAddress(pageHref({ ...address, ...more }).slice(2)), { ...address, ...more });
  assert.match(
    searchPath({ ...address, ...more }),
    /&filter=year%3A2024&sort=date&exact=1&fold=1&per-source=3$/,
  );
  assert.deepEqual(readAddress(pageHref(address).slice(2)), address);
  assert.equal(pageHref(readAddress('')), './');
  assert.deepEqual(readAddress('?from=x&source=&q=1'), { ...nothingAsked, query: '1' });
  assert.equal(readAddress('?from=0').offset, 0);
  assert.equal(readAddress(`?q=${'x'.repeat(9000)}`).query.length, 500);
  assert.equal(
    searchPath(address),
    'search?q=a+%26+%22b%22&limit=10&offset=20&source=s%2F1&source=s+2&type=HTML&fold=1',
  );
  const without = toggled(address, 'sources', 's 2');
  assert.deepEqual([without.sources, without.offset], [['s/1'], 0]);
  assert.deepEqual(toggled(without, 'sources', 's 2').sources, ['s/1', 's 2']);
});

test('any JSON is read as an answer or refused, and what is read is sound', () => {
  const spans = fc.array(fc.oneof(fc.tuple(fc.integer(), fc.integer()), fc.jsonValue()));
  const hit = fc.record({
    oid: fc.constant('o'),
    snippet: fc.string(),
    title: fc.string(),
    matches: spans,
    titleMatches: spans,
  });
  fc.assert(
    fc.property(
      fc.oneof(
        fc.jsonValue(),
        fc.record({
          hits: fc.array(fc.oneof(hit, fc.jsonValue())),
          sources: fc.jsonValue(),
          facets: fc.jsonValue(),
        }),
      ),
      (json) => {
        const answer = readSearchAnswer(json);
        readBrokerStatus(json);
        readWords(json);
        refused(400, json);
        for (const { snippet, matches } of answer?.hits ?? []) {
          let reached = 0;
          for (const [start, end] of matches) {
            assert.ok(reached <= start && start < end && end <= snippet.length);
            reached = end;
          }
        }
      },
    ),
  );
  assert.equal(readSearchAnswer(null), undefined);
  assert.equal(readSearchAnswer({ hits: 'x' }), undefined);
  assert.equal(readBrokerStatus([]), undefined);
});

test("a refusal is reported in the Broker's own words when it has some", () => {
  assert.deepEqual(refused(400, { error: { message: 'A quote is not closed.', hint: 'Close it.' } }), {
    what: 'A quote is not closed.',
    cure: 'Close it.',
    passing: false,
  });
  assert.equal(refused(503, '<html>').passing, true);
  assert.match(refused(500, undefined).what, /Broker/);
});
