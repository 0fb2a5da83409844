import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { parseQuery } from '../syntax/parser.ts';
import { tokenTests } from '../syntax/token-predicate.ts';
import { termsOf } from '../words/analysis.ts';
import { isSearchedByBareWords, typeFacet } from '../words/attribute-policy.ts';
import { matches } from './evaluator.ts';
import { TokenMatcher } from './token-matcher.ts';

const object = summaryObject('http://docs.example.org/guide/start.html', [
  ['Title', 'Getting started with Node.js'],
  ['Author-1', 'Ada Lovelace'],
  ['Author-2', 'Grace Hopper'],
  ['Type', 'HTML'],
  ['MD5', 'd41d8cd98f00b204'],
  ['Gatherer-Name', 'quokka'],
  ['Embed<1>-MD5', 'feedface'],
  ['Embed<1>-Title', 'Nested'],
  ['Full-Text', 'The quick brown foxes jumped. 東京都 and C++'],
]);

const found = (query: string) => matches(object, parseQuery(query).query);

test('words, phrases and booleans', () => {
  for (const query of [
    'fox',
    'FOXES jump',
    '"quick brown foxes"',
    'node.js',
    '"started with node"',
    '東京都',
    '京都',
    'c++',
    'nested',
    '*',
    'fox OR nothing',
    'fox -nothing',
    'NOT nothing',
    '',
    'the',
  ])
    assert.ok(found(query), query);
  for (const query of [
    'nothing',
    '"brown quick"',
    '"node.js ada"',
    '東都',
    'fox nothing',
    '-fox',
    'NOT *',
    'c',
    '?',
  ])
    assert.ok(!found(query), query);
});

test('attributes restrict, and reach what bare words do not', () => {
  for (const query of [
    'Title: node',
    'author: hopper',
    'Author-2: grace',
    'Author: (ada AND grace)',
    'type:html',
    'md5:d41d8cd98f00b204',
    'url: guide',
    'URL: "docs example"',
    'Full-Text: fox',
    'Title: (NOT fox)',
    'Embed<1>-MD5: feedface',
    'Title: (Author: ada)',
  ])
    assert.ok(found(query), query);
  for (const query of [
    'title: fox',
    'html',
    'd41d8cd98f00b204',
    'docs',
    'quokka',
    'feedface',
    'Author-1: grace',
    'author: "ada lovelace grace"',
    'missing: fox',
    'Author: (Title: ada)',
  ])
    assert.ok(!found(query), query);
});

test('one table says what bare words search', () => {
  assert.ok(
    isSearchedByBareWords('Title') &&
      isSearchedByBareWords('Publisher') &&
      isSearchedByBareWords('Embed<3>-Author-2'),
  );
  for (const name of [
    'MD5',
    'md5',
    'Embed<3>-MD5',
    'File-Size',
    'URL-References-4',
    'Gatherer-Host',
    'Update-Time',
  ])
    assert.ok(!isSearchedByBareWords(name), name);
  assert.equal(typeFacet(object), 'HTML');
  assert.equal(typeFacet(summaryObject('x', [])), '');
});

test('a phrase is found exactly where its terms follow each other', () => {
  const letter = fc.constantFrom('a', 'b', 'cats', 'cat', '東京', 'é');
  const text = fc.array(letter, { maxLength: 30 });
  fc.assert(
    fc.property(text, fc.array(letter, { minLength: 1, maxLength: 4 }), (words, wanted) => {
      const terms = termsOf(words.join(' '));
      const needle = termsOf(wanted.join(' '));
      const matcher = new TokenMatcher([tokenTests({ kind: 'phrase', words: wanted }, 'en')], 'en');
      const expected = terms.flatMap((_, at) =>
        needle.every((term, index) => terms[at + index] === term) ? [at] : [],
      );
      const starts: number[] = [];
      const joined = words.join(' ');
      matcher.search(joined, (phrase, start, end) => {
        assert.equal(phrase, 0);
        assert.deepEqual(termsOf(joined.slice(start, end)), needle);
        starts.push(start);
        return false;
      });
      assert.equal(starts.length, expected.length);
      assert.equal(matcher.test(joined), expected.length > 0);
    }),
    { numRuns: 1000 },
  );
});
