import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../soif/index.ts';
import { compileQuery } from './evaluator.ts';
import { matchedLines } from './matched-lines.ts';
import { parseQuery } from './parser.ts';

// A longer run: GARNER_TEST_QUERIES=100000
const runs = Number(process.env.GARNER_TEST_QUERIES ?? 1500);

const store = Array.from({ length: 12 }, (_, at) =>
  summaryObject(`http://example.org/${at}`, [
    ['Title', `Object ${at} about proxies`],
    ['File-Size', at * 1000],
    ['Last-Modification-Time', 1_700_000_000 + at * 86_400],
    ['Full-Text', `The quick brown fox ${at} jumps. ${'aab '.repeat(20)}\n東京都 c++ node.js`],
  ]),
);

const piece = fc.constantFrom(
  ...[
    '(',
    ')',
    '"',
    '“',
    '-',
    'AND',
    'OR',
    'NOT',
    'NEAR',
    'NEAR/2',
    'Title:',
    'File-Size:',
    'a',
    'fox',
    ' ',
    ':',
    '*',
    '&',
  ],
  ...[
    '~',
    '~2',
    '~8',
    '~best',
    'pro*',
    '/',
    '/a+/',
    '/(a*)*b/',
    '/[^/',
    '\\',
    '|',
    '>5k',
    '<=',
    '1..',
    '2024-01',
    '30d',
  ],
  ...[
    '#case',
    '#part',
    '#errors 8',
    '#lines 3',
    '#max',
    '\ud800',
    '東',
    '\u0000',
    '{',
    '}',
    '[',
    ']',
    '^',
    '$',
    '\u202e',
  ],
);
const garbage = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 200 }),
  fc.array(piece, { maxLength: 60 }).map((all) => all.join('')),
  fc.array(piece, { maxLength: 60 }).map((all) => all.join(' ')),
  fc.array(piece, { maxLength: 400 }).map((all) => all.join(' ')),
);

test(`${runs} garbage queries are read and asked of a store, none takes long`, (context) => {
  let slowest = 0;
  fc.assert(
    fc.property(garbage, (text) => {
      const before = process.cpuUsage();
      const { query, understood, notes } = parseQuery(text, { now: 1_800_000_000 });
      const matches = compileQuery(query);
      let found = 0;
      for (const object of store) if (matches(object)) found++;
      for (const object of store.slice(0, 2)) matchedLines(object, query, 5);
      const used = process.cpuUsage(before);
      slowest = Math.max(slowest, (used.user + used.system) / 1000);
      assert.ok(found <= store.length && understood !== undefined && notes.every((note) => note.length > 0));
    }),
    { numRuns: runs },
  );
  context.diagnostic(`slowest query: ${slowest.toFixed(1)} ms of CPU time`);
});
