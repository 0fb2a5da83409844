import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { normaliseUrl, SiteScope } from './site-scope.ts';

test('one spelling for one URL', () => {
  const same: readonly (readonly [string, string])[] = [
    ['HTTP://Example.ORG:80', 'http://example.org/'],
    ['https://example.org:443/a/../b/./c', 'https://example.org/b/c'],
    ['http://h/%7euser/%3a%2F?x=%e3%41', 'http://h/~user/%3A%2F?x=%E3A'],
    ['http://h/a#part', 'http://h/a'],
    ['http://h/a#', 'http://h/a'],
    ['http://h/a?', 'http://h/a'],
    ['http://h/a b\u00e9', 'http://h/a%20b%C3%A9'],
    ['http://h/%', 'http://h/%'],
    ['http://h/%252e', 'http://h/%252e'],
  ];
  for (const [given, normal] of same) assert.equal(normaliseUrl(given), normal, given);
  assert.equal(normaliseUrl('../x?y', 'http://h/a/b/c'), 'http://h/a/x?y');
  for (const bad of ['', '/x', 'mailto:a@b', 'javascript:0', 'ftp://h/', 'http://', 'data:,x'])
    assert.equal(normaliseUrl(bad), undefined, bad);
});

test('normal spelling is stable', () => {
  fc.assert(
    fc.property(
      fc.webUrl({ withFragments: true, withQueryParameters: true }),
      fc.string({ unit: fc.constantFrom('%', '2', 'e', 'E', 'f', '/', '.', 'a', '?', '#', '~', 'é') }),
      (url, tail) => {
        const once = normaliseUrl(url + tail);
        if (once !== undefined) assert.equal(normaliseUrl(once), once);
      },
    ),
    { numRuns: 2000 },
  );
});

test('a scope is an origin, and optionally a folder', () => {
  const included = (scope: SiteScope, link: string) => scope.verdict(link).included;
  const host = new SiteScope('http://h:8080/docs/x.html');
  assert.equal(host.root, 'http://h:8080/docs/x.html');
  assert.equal(included(host, 'http://h:8080/other'), true);
  assert.equal(included(host, 'y'), true);
  for (const link of [
    'http://h/docs/',
    'https://h:8080/docs/',
    'http://h:80801/',
    'http://a@h:8080/',
    'http://h.x:8080/',
  ])
    assert.equal(included(host, link), false, link);
  const folder = new SiteScope('http://h:8080/docs/x.html', true);
  assert.equal(included(folder, '/docs/a/b'), true);
  for (const link of ['/docsx', '/', '/docs', '/docs/../x'])
    assert.equal(included(folder, link), false, link);
});
