import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseQuery, searchedValues } from '../query/index.ts';
import { type SummaryObject, summaryObject } from '../soif/index.ts';
import { readText } from './read-text.ts';
import { matchedAttributes, snippet } from './snippet.ts';

const words = ['server', 'servers', 'directory', 'état', '東京都', 'c++', 'the', 'index.'];
const text = fc
  .array(fc.constantFrom(...words), { minLength: 1, maxLength: 300 })
  .map((parts) => parts.join(' '));
const question = fc.constantFrom(
  ...[
    'server',
    'server directory',
    '"the server"',
    'état OR index',
    'NOT server',
    '東京',
    'c++',
    'dir*',
    'servr~',
  ],
);

const made = (full: string, title: string): SummaryObject =>
  summaryObject('http://example.org/', [
    ['Title', title],
    ['Description', 'a server of the index'],
    ['Full-Text', full],
  ]);

const told = (object: SummaryObject, q: string) => {
  const { query } = parseQuery(q);
  return [snippet(object, query, { maxLength: 120 }), matchedAttributes(object, query)];
};

test('what is shown of an object does not depend on what it was asked for before', () => {
  fc.assert(
    fc.property(text, text, fc.array(question, { minLength: 1, maxLength: 6 }), (full, title, questions) => {
      const kept = made(full, title);
      for (const q of questions) assert.deepEqual(told(kept, q), told(made(full, title), q));
    }),
    { numRuns: 300 },
  );
});

test('a text gets its table with the second question, a short one never', () => {
  const queries = ['one', 'two', 'three'].map((q) => parseQuery(q).query);
  const tables = (value: string) => {
    const object = summaryObject('http://example.org/', [['Full-Text', value]]);
    const [searched] = searchedValues(object, undefined);
    assert.ok(searched !== undefined);
    return queries.flatMap((query) => [1, 2].map(() => readText(searched, query).table !== undefined));
  };
  assert.deepEqual(tables('some words '.repeat(200)), [false, false, true, true, true, true]);
  assert.deepEqual(tables('some words'), [false, false, false, false, false, false]);
});
