import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { termOf } from './analysis.ts';
import { beginningOf, WantedTerms } from './term-filter.ts';

const suffixes = [
  ...['s', 'es', 'sses', 'ies', 'ed', 'eed', 'ing', 'y', 'ational', 'tional', 'enci', 'anci', 'izer', 'bly'],
  ...['ably', 'ally', 'ently', 'ely', 'ously', 'ization', 'ation', 'ator', 'alism', 'iveness', 'fulness'],
  ...[
    'ousness',
    'ality',
    'ivity',
    'bility',
    'logy',
    'icate',
    'ative',
    'alize',
    'icity',
    'ical',
    'ful',
    'ness',
  ],
  ...[
    'al',
    'ance',
    'ence',
    'er',
    'ic',
    'able',
    'ible',
    'ant',
    'ement',
    'ment',
    'ent',
    'ion',
    'ou',
    'ism',
    'ate',
  ],
  ...[
    'ity',
    'ous',
    'ive',
    'ize',
    'e',
    'll',
    'ble',
    'bled',
    'ted',
    'zing',
    'pping',
    'i',
    'bl',
    'at',
    'iz',
    '',
  ],
];
const word = fc
  .tuple(
    fc.string({ unit: fc.constantFrom(...'abeilmorstyz'), maxLength: 6 }),
    fc.array(fc.constantFrom(...suffixes), { maxLength: 4 }),
  )
  .map(([root, ends]) => root + ends.join(''))
  .filter((one) => one.length > 0 && one.length <= 64);

test('every word begins as its English stem says', () => {
  fc.assert(
    fc.property(word, (one) => {
      const beginning = beginningOf(termOf(one));
      assert.ok(beginning.length > 0 && one.startsWith(beginning), `${one}: ${termOf(one)}: ${beginning}`);
    }),
    { numRuns: 20_000 },
  );
  for (const [one, beginning] of [
    ['durability', 'durab'],
    ['happy', 'happ'],
    ['hoping', 'hop'],
    ['3', '3'],
    ['c++', 'c++'],
  ] as const)
    assert.equal(beginningOf(termOf(one)), beginning);
});

test('no beginning is looked for that another one finds', () => {
  assert.deepEqual(new WantedTerms(['instal', 'install', 'state', 'stat', 'in']).beginnings, ['stat', 'in']);
});
