import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { embeddedName, multiValue, nameParts } from './multi-value.ts';
import { attributeTexts, summaryObject } from './summary-object.ts';

test('one value keeps the bare name, several are numbered from 1, none gives nothing', () => {
  assert.deepEqual(multiValue('Author', []), []);
  assert.deepEqual(multiValue('Author', ['a']), [['Author', 'a']]);
  assert.deepEqual(multiValue('Author', ['a', 'b']), [
    ['Author-1', 'a'],
    ['Author-2', 'b'],
  ]);
  const object = summaryObject('u', [['Title', 't'], ...multiValue('Author', ['a', 'b', 'c'])]);
  assert.deepEqual(attributeTexts(object, 'author'), ['a', 'b', 'c']);
});

test('names are taken apart', () => {
  for (const [name, embed, base, index] of [
    ['Title', [], 'Title', undefined],
    ['Author-12', [], 'Author', 12],
    ['Embed<3>-Title', [3], 'Title', undefined],
    ['embed<1>-EMBED<22>-Author-2', [1, 22], 'Author', 2],
    ['Last-Modification-Time', [], 'Last-Modification-Time', undefined],
    ['Access-Protocol-v0', [], 'Access-Protocol-v0', undefined],
    ['-1', [], '-1', undefined],
    ['Embed<>-Title', [], 'Embed<>-Title', undefined],
    ['Embed<1>', [], 'Embed<1>', undefined],
    ['Embed<1>-', [1], '', undefined],
    ['A-1234567890', [], 'A-1234567890', undefined],
  ] as const)
    assert.deepEqual(nameParts(name), { embed, base, index }, name);
});

test('an embedded name is split into its parts', () => {
  const members = fc.array(fc.integer({ min: 0, max: 999_999_999 }), { maxLength: 5 });
  fc.assert(
    fc.property(members, fc.constantFrom('Title', 'Full-Text', 'MD5'), (embed, base) => {
      assert.deepEqual(nameParts(embeddedName(embed, base)), { embed, base, index: undefined });
    }),
  );
});
