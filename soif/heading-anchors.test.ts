import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { decodeAnchors, encodeAnchors, headingsOf, isAnchor } from './heading-anchors.ts';
import { summaryObject } from './summary-object.ts';

test('identifiers that a rule makes of their heading take one byte each', () => {
  const headings = [
    { heading: 'The delete guard', anchor: 'the-delete-guard' },
    { heading: 'What’s new in 3.11?', anchor: 'what-s-new-in-3-11' },
    { heading: 'Merge strategies', anchor: '_merge_strategies' },
    { heading: 'Plain', anchor: undefined },
    { heading: 'Own', anchor: 'id7' },
  ];
  assert.equal(encodeAnchors(headings), '=\n-\n_\n\nid7');
  const value = headings.map(({ heading }) => heading).join('\n');
  assert.deepEqual(
    decodeAnchors(value, '=\n-\n_\n\nid7').map(({ anchor }) => anchor),
    headings.map(({ anchor }) => anchor),
  );
});

test('every identifier that can be kept comes back, and others never', () => {
  const heading = fc.string({ unit: 'grapheme' }).map((text) => text.replace(/\n/g, ''));
  fc.assert(
    fc.property(fc.array(fc.record({ heading, anchor: fc.string({ unit: 'binary' }) })), (headings) => {
      const value = headings.map((one) => one.heading).join('\n');
      const read = decodeAnchors(value, encodeAnchors(headings));
      for (const [at, { anchor }] of read.entries()) {
        const wanted = headings[at]?.anchor ?? '';
        assert.equal(anchor, isAnchor(wanted) && !/^[=_-]$/.test(wanted) ? wanted : undefined);
        assert.ok(anchor === undefined || isAnchor(anchor));
      }
    }),
    { numRuns: 300 },
  );
});

test('values from a network are bounded, and what is no identifier is left out', () => {
  const anchors = ['a b', 'x'.repeat(201), 'ok', '\u202egnp', 'a\tb', 'fine'].join('\n');
  const headings = ['1', '2', '3', '4', '5', '6'].join('\n');
  const object = summaryObject('http://x.example/', [
    ['Headings', headings],
    ['Heading-Anchors', anchors],
  ]);
  assert.deepEqual(
    headingsOf(object).map(({ anchor }) => anchor),
    [undefined, undefined, 'ok', undefined, undefined, 'fine'],
  );
  assert.equal(decodeAnchors('h\n'.repeat(100_000), 'a\n'.repeat(100_000)).length, 5000);
  assert.deepEqual(headingsOf(summaryObject('http://x.example/', [['Heading-Anchors', 'a']])), []);
});
