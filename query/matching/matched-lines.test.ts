import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { parseQuery } from '../syntax/parser.ts';
import { matches } from './evaluator.ts';
import { matchedLines, maxLineLength } from './matched-lines.ts';

const object = summaryObject('http://docs.example.org/guide', [
  ['Title', 'Reverse proxies'],
  ['MD5', 'feedface'],
  [
    'Full-Text',
    'Contents\r\n  The proxy forwards.\n\nNothing here.\nA proxy,\tand another PROXY\u0007\nend of it',
  ],
]);
const lines = (query: string, limit = 10) => matchedLines(object, parseQuery(query).query, limit);
const marked = (query: string) =>
  lines(query).map(({ attribute, line, text, matches: found }) => [
    ...[attribute, line, text],
    ...found.map(([start, end]) => text.slice(start, end)),
  ]);

test('lines that match, with where, from every attribute that is looked at', () => {
  assert.deepEqual(marked('proxy'), [
    ['Title', 1, 'Reverse proxies', 'proxies'],
    ['Full-Text', 2, 'The proxy forwards.', 'proxy'],
    ['Full-Text', 5, 'A proxy, and another PROXY', 'proxy', 'PROXY'],
  ]);
  assert.deepEqual(marked('Title: rev* /f[a-z]+/'), [
    ['Title', 1, 'Reverse proxies', 'Reverse'],
    ['Full-Text', 2, 'The proxy forwards.', 'forwards'],
  ]);
  assert.deepEqual(marked('"forwards nothing"'), [
    ['Full-Text', 2, 'The proxy forwards.', 'forwards.'],
    ['Full-Text', 4, 'Nothing here.', 'Nothing'],
  ]);
  assert.deepEqual(marked('url: guide'), [['URL', 1, 'http://docs.example.org/guide', 'guide']]);
  assert.deepEqual(marked('endd~'), [['Full-Text', 6, 'end of it', 'end']]);
  assert.deepEqual(marked('NOT proxy'), []);
  assert.deepEqual(marked('MD5: feed*'), [['MD5', 1, 'feedface', 'feedface']]);
  assert.equal(lines('proxy', 2).length, 2);
  assert.equal(lines('proxy', 0).length, 0);
});

test('long lines are cut around their first match', () => {
  const long = summaryObject('-', [['Full-Text', `${'filler '.repeat(400)}needle ${'filler '.repeat(400)}`]]);
  const [line] = matchedLines(long, parseQuery('needle').query, 5);
  assert.ok(line !== undefined && line.text.length <= maxLineLength);
  assert.deepEqual(
    line.matches.map(([start, end]) => line.text.slice(start, end)),
    ['needle'],
  );
});

test('an object that matches by one positive leaf has a line, and marks are inside their lines', () => {
  const text = fc
    .array(fc.constantFrom('apple', 'Apples', 'pear', '\n', '\r\n', ' ', '😀', 'x', '\u2028'), {
      maxLength: 30,
    })
    .map((parts) => parts.join(''));
  const query = fc.constantFrom(
    'apple',
    'pear NEAR/1 apple',
    '/p+l?/',
    '/x\\s+x/',
    'app*',
    '"apple pear"',
    'pier~',
    '/😀./',
  );
  fc.assert(
    fc.property(text, query, (body, asked) => {
      const one = summaryObject('-', [['Full-Text', body]]);
      const tree = parseQuery(asked).query;
      const found = matchedLines(one, tree, 100);
      assert.equal(found.length > 0, matches(one, tree), asked);
      const all = body.split(/\r\n|[\n\r\u2028\u2029]/);
      for (const { line, text: shown, matches: marks } of found) {
        assert.equal(shown, all[line - 1]?.trim());
        let last = 0;
        for (const [start, end] of marks) {
          assert.ok(start >= last && end > start && end <= shown.length);
          last = end;
        }
      }
    }),
    { numRuns: 2000 },
  );
});
