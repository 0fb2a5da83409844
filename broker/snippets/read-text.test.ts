import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FoldedText, type Language, parseQuery, searchedValues, TokenTable } from '../../query/index.ts';
import { type SummaryObject, summaryObject } from '../../soif/index.ts';
import { readText } from './read-text.ts';
import { snippet } from './snippet.ts';

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

const shown = (object: SummaryObject, q: string) => {
  const { query } = parseQuery(q);
  return snippet(object, query, { maxLength: 120 });
};

test('the passage of an object does not depend on earlier queries', () => {
  fc.assert(
    fc.property(text, text, fc.array(question, { minLength: 1, maxLength: 6 }), (full, title, questions) => {
      const reused = made(full, title);
      for (const q of questions) assert.deepEqual(shown(reused, q), shown(made(full, title), q));
    }),
    { numRuns: 300 },
  );
});

test('an English text is folded and gets a table after many queries, another with the second query, a short one never', () => {
  const made = (value: string, language: Language) => {
    const object = summaryObject('http://example.org/', [['Full-Text', value]]);
    const [searched] = searchedValues(object, undefined);
    assert.ok(searched !== undefined);
    return Array.from({ length: 34 }, (_, at) => {
      const { query } = parseQuery(`word${at}`);
      const [first, again] = [readText(searched, query, language), readText(searched, query, language)];
      assert.equal(first, again);
      return first.places?.constructor;
    });
  };
  const long = 'some words '.repeat(200);
  assert.deepEqual(made(long, 'en'), [...Array(32).fill(FoldedText), TokenTable, TokenTable]);
  assert.deepEqual(made(long, 'de'), [undefined, ...Array(33).fill(TokenTable)]);
  assert.deepEqual(made('some words', 'en'), Array(34).fill(undefined));
});
