import assert from 'node:assert/strict';
import { test } from 'node:test';
import { summaryObject } from '../../soif/index.ts';
import { compileQuery } from '../matching/index.ts';
import { relax } from './map-leaves.ts';
import { parseQuery } from './parser.ts';

const page = (url: string, attributes: Readonly<Record<string, string | number>> = {}) =>
  summaryObject(url, Object.entries(attributes));

const now = Date.UTC(2024, 6, 1) / 1000;
const attributes = {
  has: (name: string) => ['title', 'author', 'last-modification-time', 'view', 'url', 'type'].includes(name),
  nearest: (name: string) => (name === 'autor' ? 'Author' : undefined),
};

function finds(q: string, object: ReturnType<typeof page>): boolean {
  const { query, understood, notes } = parseQuery(q, { now, attributes });
  assert.deepEqual(notes, [], q);
  assert.deepEqual(parseQuery(understood, { now, attributes }).query, query, understood);
  return compileQuery(query)(object);
}

test('language: and lang: take a code or a name, and a note names their form', () => {
  const page1 = page('https://example.org/', { Language: 'de' });
  const reading = { now, attributes: { ...attributes, has: (name: string) => name === 'language' } };
  for (const q of [
    'language:de',
    'language:German',
    'lang:deutsch',
    'lang:DE',
    'language:deu',
    'lang:de-AT',
  ]) {
    const { query, understood, notes } = parseQuery(q, reading);
    assert.deepEqual([understood, notes], ['Language: de', []], q);
    assert.equal(compileQuery(query)(page1), true, q);
  }
  assert.equal(parseQuery('language:gle', reading).understood, 'Language: gle');
  assert.equal(parseQuery('language:(de OR en)', reading).understood, 'language: (de OR en)');
  assert.deepEqual(parseQuery('language:klingon', reading).notes, [
    '"klingon" cannot be used with language: write language:de or language:german',
  ]);
});

test('site:, filetype:, intitle: and inurl: mean what they mean in search engines of the Web', () => {
  const docs = page('https://docs.example.org:8443/guide/Start.MD?v=2', {
    Title: 'First news',
    'Full-Text': 'window glass',
  });
  for (const [q, found] of [
    ['site:example.org', true],
    ['site:docs.example.org', true],
    ['site:DOCS.example.org', true],
    ['site:.example.org', true],
    ['site:*.example.org', true],
    ['site:org', true],
    ['site: example.org', true],
    ['site:"example.org"', true],
    ['site:https://docs.example.org/', true],
    ['site:docs.example.org/guide', true],
    ['site:docs.example.org:8443', true],
    ['site:docs.example.org/gui', false],
    ['site:ample.org', false],
    ['site:example.or', false],
    ['site:docs.example', false],
    ['-site:example.org', false],
    ['window -site:example.com', true],
    ['(site:example.com | site:example.org) window', true],
    ['filetype:md', true],
    ['filetype:.md', true],
    ['ext:md window', true],
    ['filetype:v', false],
    ['intitle:news', true],
    ['intitle:"first news"', true],
    ['intitle:window', false],
    ['-intitle:window glass', true],
    ['inurl:guide', true],
    ['inurl:window', false],
  ] as const)
    assert.equal(finds(q, docs), found, q);
  const elsewhere = page('https://example.com/?to=https://docs.example.org/', { Type: 'PDF' });
  for (const q of ['site:example.org', 'site:docs.example.org', 'filetype:org'])
    assert.equal(finds(q, elsewhere), false, q);
  assert.equal(finds('site:example.org', page('https://example.org.evil.example/')), false);
  assert.equal(finds('filetype:pdf', elsewhere), true, 'a type without its ending');
});

test('before: and after: compare the time of the last change', () => {
  const may = page('http://a/', { 'Last-Modification-Time': Date.UTC(2024, 4, 31, 12) / 1000 });
  for (const [q, found] of [
    ['after:2024', true],
    ['after:2024-05-31', true],
    ['after:2024/5/31', true],
    ['after:2024-06-01', false],
    ['before:2024-05-31', false],
    ['before:2024-06', true],
    ['after:60d', true],
    ['after:7d', false],
    ['before:7d', true],
    ['after:2024-05 before:2024-07', true],
    ['-after:2024', false],
  ] as const)
    assert.equal(finds(q, may), found, q);
});

test('a bar is OR, and lone signs and wildcards get a note or an answer', () => {
  for (const [written, meant] of [
    ['news | weather', 'news OR weather'],
    ['news || weather', 'news OR weather'],
    ['news|weather', 'news OR weather'],
    ['"a b"|c -d', '"a b" OR (c AND NOT d)'],
    ['(news|weather) -rain', '(news OR weather) AND NOT rain'],
    ['Title:(a|b)', 'Title: (a OR b)'],
  ] as const)
    assert.deepEqual(parseQuery(written).query, parseQuery(meant).query, written);
  for (const [q, note] of [
    ['news |', /OR has nothing to join/],
    ['-', /no letter or digit/],
    ['news -', /no letter or digit/],
    ['n?ws', /write \/\\bn\\wws\\b\//],
    ['n*s', /write \/\\bn\\w\*s\\b\//],
    ['*ews', /part of words/],
    ['before:yesterday', /write before:2024-06-30/],
  ] as const)
    assert.match(parseQuery(q).notes.join('; '), note, q);
  assert.deepEqual(parseQuery('*ews').query, { kind: 'word', word: 'ews', part: true });
});

test('a name before a colon is an attribute only where an object has that attribute', () => {
  for (const [text, understood] of [
    ['Error: ENOENT', 'Error AND ENOENT'],
    ["TypeError: Cannot read property 'foo'", "TypeError AND Cannot AND read AND property AND 'foo'"],
    ['app:setTimeout', '"app:setTimeout"'],
    ['http: error', 'http AND error'],
    ['Autor: smith', 'Autor AND smith'],
    ['-Error: x', 'NOT Error AND x'],
    ['Foo: (a OR b)', 'Foo AND (a OR b)'],
  ] as const) {
    const read = parseQuery(text, { attributes });
    assert.equal(read.understood, understood);
    assert.match(read.notes.join(), /^no object has an attribute "/, text);
  }
  assert.match(parseQuery('Autor: x', { attributes }).notes.join(), /did you mean Author\?$/);
  assert.match(parseQuery('allintitle: x', { attributes }).notes.join(), /did you mean intitle\?$/);
  for (const text of ['Title: x', 'author: x', 'view: x', 'std::string', 'http://x', '12:30'])
    assert.deepEqual(parseQuery(text, { attributes }).notes, [], text);
  assert.deepEqual(parseQuery('Error: ENOENT').notes, [], 'without an index every name may be an attribute');
  const own = { has: (name: string) => name === 'site', nearest: () => undefined };
  assert.equal(parseQuery('site: x', { attributes: own }).understood, 'site: x');
});

test('a date as the value of an attribute of times means that day, month or year', () => {
  for (const [written, meant] of [
    ['Last-Modification-Time: 2024-01-15', 'Last-Modification-Time: =2024-01-15'],
    ['Last-Modification-Time:2024', 'Last-Modification-Time: =2024'],
    ['Date: "2024-01"', 'Date: =2024-01'],
    ['Date: (2024-01 OR 2024-03)', 'Date: (=2024-01 OR =2024-03)'],
    ['-Date: 2024', 'NOT Date: =2024'],
  ] as const) {
    const read = parseQuery(written);
    assert.deepEqual(read.query, parseQuery(meant).query, written);
    assert.deepEqual(read.notes, []);
  }
  for (const q of [
    'Last-Modification-Time: last week',
    'Update-Time: "last week"',
    'Date: 2024-13',
    'Date: 2024-02-31',
    'Date: >2024-13',
    'Date: 2024-01..2024-20',
  ])
    assert.match(parseQuery(q, { now }).notes.join(), /is not a time: write .*2024-06-30.*<7d/, q);
  assert.deepEqual(parseQuery('Date: <30d Update-Time: 1700000000', { now }).notes, []);
});

test('a restriction by place, type or time stays where words become optional', () => {
  const relaxed = relax(parseQuery('Type: Markdown window glass after:2024').query);
  const expected = parseQuery('(window OR glass) AND Type: Markdown AND after:2024').query;
  assert.deepEqual(relaxed, expected);
  assert.equal(relax(parseQuery('site:example.org window').query), undefined);
});
