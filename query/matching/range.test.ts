import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { summaryObject } from '../../soif/index.ts';
import { instantOf, isTimeAttribute, timeSpanOf } from '../syntax/index.ts';
import { parseQuery } from '../syntax/parser.ts';
import type { RangeNode } from '../syntax/tree.ts';
import { matches } from './evaluator.ts';
import { numberOf, quantityOf, readRange } from './range.ts';

const at = (iso: string) => Date.parse(iso) / 1000;

test('numbers have units of ten or two', () => {
  for (const [text, number] of [
    ['0', 0],
    ['10', 10],
    ['-3.5', -3.5],
    ['10k', 10_000],
    ['10K', 10_000],
    ['1.5M', 1_500_000],
    ['2G', 2e9],
    ['4Ki', 4096],
    ['4KiB', 4096],
    ['1MiB', 1_048_576],
    ['12B', 12],
    ['12kB', 12_000],
  ] as const)
    assert.equal(quantityOf(text), number, text);
  for (const text of ['', 'k', '10x', '1 k', '10iB', '1e5', '0x10', '1,000', '30d', '9'.repeat(30)])
    assert.equal(quantityOf(text), undefined, text);
  assert.equal(numberOf(' 4711\n'), 4711);
  assert.equal(numberOf('10k'), undefined);
});

test('a time is its whole span', () => {
  for (const [text, start, end] of [
    ['2024', '2024-01-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['2024-02', '2024-02-01T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2024-12', '2024-12-01T00:00:00Z', '2025-01-01T00:00:00Z'],
    ['2024-02-29', '2024-02-29T00:00:00Z', '2024-03-01T00:00:00Z'],
    ['2024-02-29T12:30', '2024-02-29T12:30:00Z', '2024-02-29T12:31:00Z'],
    ['2024-02-29T12:30:05Z', '2024-02-29T12:30:05Z', '2024-02-29T12:30:06Z'],
    ['2024-02-29 12:30:05+01:00', '2024-02-29T11:30:05Z', '2024-02-29T11:30:06Z'],
    ['2024-02-29T12:30:05.25-0230', '2024-02-29T15:00:05Z', '2024-02-29T15:00:06Z'],
    ['Sun, 06 Nov 1994 08:49:37 GMT', '1994-11-06T08:49:37Z', '1994-11-06T08:49:38Z'],
    ['Sunday, 06-Nov-94 08:49:37 GMT', '1994-11-06T08:49:37Z', '1994-11-06T08:49:38Z'],
    ['Sun Nov  6 08:49:37 1994', '1994-11-06T08:49:37Z', '1994-11-06T08:49:38Z'],
  ] as const) {
    const span = timeSpanOf(text, false);
    assert.deepEqual([span?.start, span?.end], [at(start), at(end)], text);
    assert.equal(instantOf(` ${text} `), at(start), text);
  }
  for (const text of [
    '',
    '24',
    '2024-13',
    '2024-00',
    '2023-02-29',
    '2024-02-30',
    '2024-01-01T25:00',
    'Sun, 06 Foo 1994 08:49:37 GMT',
    '2024-1-1',
    'yesterday',
    'x'.repeat(100_000),
  ])
    assert.equal(timeSpanOf(text, false), undefined, text.slice(0, 20));
  assert.equal(instantOf('1700000000'), 1_700_000_000);
  assert.equal(instantOf('0'), 0);
  assert.ok(
    ['Date', 'date', 'Last-Modification-Time', 'Update-Time', 'Publication-Date-2'].every(isTimeAttribute),
  );
  assert.ok(!['Time-to-Live', 'Candidate', 'File-Size', 'Timeline'].some(isTimeAttribute));
});

test('existing dates are read back from the text of Date in any part of the calendar', () => {
  fc.assert(
    fc.property(fc.integer({ min: at('1000-01-01'), max: at('9999-12-31') }), (seconds) => {
      const date = new Date(seconds * 1000);
      assert.equal(instantOf(date.toUTCString()), seconds);
      assert.equal(instantOf(date.toISOString()), seconds);
      const day = timeSpanOf(date.toISOString().slice(0, 10), false);
      assert.ok(
        day !== undefined && day.start <= seconds && seconds < day.end && day.end - day.start === 86_400,
      );
    }),
  );
});

test('a range holds for what it says, in the reading that all its bounds fit', () => {
  const holds = (attribute: string, query: string, value: string) =>
    matches(summaryObject('http://x.org/', [[attribute, value]]), parseQuery(`${attribute}: ${query}`).query);
  const cases: [attribute: string, query: string, yes: readonly string[], no: readonly string[]][] = [
    ['File-Size', '>10k', ['10001', ' 20000 '], ['10000', '9', 'big', '10k', '']],
    ['File-Size', '>= 10k', ['10000'], ['9999']],
    ['File-Size', '<1MiB', ['1048575'], ['1048576']],
    ['File-Size', '<=5', ['5', '-1'], ['6']],
    ['File-Size', '=5', ['5', '5.0'], ['50', '4']],
    ['File-Size', '2..4', ['2', '3.5', '4'], ['1', '5']],
    ['File-Size', '..4', ['4', '0'], ['5']],
    ['File-Size', '4..', ['4', '5'], ['3']],
    ['File-Size', '>2024', ['2025'], ['2024']],
    [
      'Update-Time',
      '>2026-01-01',
      [String(at('2026-01-02')), '2026-01-02', '2027'],
      [String(at('2026-01-01')), String(at('2026-01-01T23:59:59Z')), '2026-01-01', 'soon'],
    ],
    ['Update-Time', '>=2026-01-01', [String(at('2026-01-01'))], [String(at('2025-12-31T23:59:59Z'))]],
    ['Update-Time', '<2026', [String(at('2025-12-31T23:59:59Z'))], [String(at('2026-01-01'))]],
    ['Update-Time', '<=2026', [String(at('2026-12-31T23:59:59Z'))], [String(at('2027-01-01'))]],
    ['Update-Time', '=2026', [String(at('2026-06-01'))], [String(at('2027-01-01'))]],
    ['Update-Time', '>1700000000', ['1700000001'], ['1700000000']],
    [
      'Last-Modification-Time',
      '2024-01..2024-06-30',
      [String(at('2024-06-30T23:00:00Z')), 'Sun, 30 Jun 2024 23:59:59 GMT'],
      [String(at('2024-07-01')), '2023-12-31'],
    ],
    ['Issued', '2023..2024-06', ['2023', '2024-06-30'], ['2024-07', 'soon']],
    ['Year', '1990..2000', ['1994'], ['2001']],
    ['Title', 'a..m', ['Apache', 'élan', 'm'], ['mod_proxy', 'zoo']],
    ['Title', '>=Proxy', ['proxy', 'PROXY x', 'zoo'], ['apache']],
    ['Title', '>"new york"', ['New Yorkers', 'o'], ['new york', 'NEW YORK', 'new']],
    ['Title', '=“New York”', ['new york', ' New  York'.replace('  ', ' ')], ['new yorker']],
    ['Title', '#case >=a', ['apache'], ['Zoo']],
    ['Title', '10..b', ['9', 'a', '10'], ['1', 'c']],
  ];
  for (const [attribute, query, yes, no] of cases) {
    for (const value of yes)
      assert.ok(
        holds(attribute, query.startsWith('#') ? `(${query})` : query, value),
        `${attribute}: ${query} holds not for ${value}`,
      );
    for (const value of no)
      assert.ok(
        !holds(attribute, query.startsWith('#') ? `(${query})` : query, value),
        `${attribute}: ${query} holds for ${value}`,
      );
  }
});

test('an age is a time so long before now, and smaller the later its time', () => {
  const now = at('2026-03-01T12:00:00Z');
  const parsed = (text: string) => parseQuery(`Update-Time: ${text}`, { now });
  for (const [text, understood] of [
    ['<30d', '>2026-01-30T12:00:00Z'],
    ['<=1w', '>=2026-02-22T12:00:00Z'],
    ['>24h', '<2026-02-28T12:00:00Z'],
    ['>=1y', '<=2025-03-01T06:00:00Z'],
    ['1d..7d', '2026-02-22T12:00:00Z..2026-02-28T12:00:00Z'],
    ['..7d', '>=2026-02-22T12:00:00Z'],
    ['7d..', '<=2026-02-22T12:00:00Z'],
  ] as const) {
    assert.equal(parsed(text).understood, `Update-Time: ${understood}`, text);
    assert.deepEqual(parsed(text).notes, []);
  }
  const young = summaryObject('-', [['Update-Time', now - 5 * 86_400]]);
  assert.ok(matches(young, parsed('<30d').query) && !matches(young, parsed('>30d').query));
  const timeless = parseQuery('Update-Time: <30d');
  assert.match(timeless.notes.join(), /ages such as 30d are not understood here/);
});

test('numbers are compared as numbers are', () => {
  const bound = fc.option(fc.integer({ min: -50, max: 50 }), { nil: undefined });
  fc.assert(
    fc.property(
      bound,
      bound,
      fc.boolean(),
      fc.boolean(),
      fc.integer({ min: -60, max: 60 }),
      (low, high, openLow, openHigh, value) => {
        const range: RangeNode = {
          kind: 'range',
          ...(low !== undefined && {
            from: { value: String(low), ...(openLow && { exclusive: true as const }) },
          }),
          ...(high !== undefined && {
            to: { value: String(high), ...(openHigh && { exclusive: true as const }) },
          }),
        };
        const expected =
          (low === undefined || (openLow ? value > low : value >= low)) &&
          (high === undefined || (openHigh ? value < high : value <= high));
        assert.equal(readRange(range, 'file-size').holds(String(value)), expected);
      },
    ),
  );
});
