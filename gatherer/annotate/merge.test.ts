import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Field } from '../../readers/document/index.ts';
import { attributeText, digestOf, type SummaryObject, summaryObject } from '../../soif/index.ts';
import { annotationOf, cleanValue } from './annotation.ts';
import { annotationErrors } from './errors.ts';
import { FieldList } from './field-list.ts';
import { laidOver, merged, unmerged } from './merge.ts';

const gathered = summaryObject('http://x.org/', [
  ['Title', 'As gathered'],
  ['Author-1', 'A. One'],
  ['Author-2', 'B. Two'],
  ['Headings', 'One\nTwo'],
  ['Type', 'HTML'],
  ['MD5', '0'.repeat(32)],
  ['Full-Text', 'words'],
  ['Time-to-Live', 100],
]);

const shown = (object: SummaryObject) =>
  object.attributes.map(({ name, value }) => `${name}=${Buffer.from(value)}`);

test('annotated attributes replace, others come before the closing attributes, and all of it can be taken off again', () => {
  const fields: Field[] = [
    ['author', 'Somebody else'],
    ['Keywords', 'harvest, soif'],
    ['Time-to-Live', '7'],
    ['Classification', 'H.3.1'],
    ['HEADINGS', ''],
  ];
  const { object, merge } = merged(gathered, fields);
  assert.deepEqual(shown(object), [
    'Title=As gathered',
    'author=Somebody else',
    'Keywords=harvest, soif',
    'Classification=H.3.1',
    'Type=HTML',
    `MD5=${'0'.repeat(32)}`,
    'Full-Text=words',
    'Time-to-Live=7',
  ]);
  assert.deepEqual(
    merge.hidden.map(({ name, position }) => `${name}@${position}`),
    ['Author-1@1', 'Author-2@2', 'Headings@3', 'Time-to-Live@7'],
  );
  assert.deepEqual(unmerged(object, merge), gathered);
});

test('a new Title comes first, and an object without closing attributes gets the rest at its end', () => {
  const { object } = merged(summaryObject('u:x', [['Body', 'b']]), [
    ['Keywords', 'k'],
    ['Title', 't'],
  ]);
  assert.deepEqual(shown(object), ['Title=t', 'Body=b', 'Keywords=k']);
});

const name = fc.constantFrom(
  'Title',
  'title',
  'Author',
  'Author-1',
  'Author-2',
  'Keywords',
  'Type',
  'Full-Text',
  'X',
);
const objects = fc
  .array(fc.tuple(name, fc.uint8Array({ maxLength: 5 })), { maxLength: 12 })
  .map((attributes) => summaryObject('http://x.org/', attributes));
const annotated = fc
  .array(fc.tuple(fc.constantFrom('Title', 'AUTHOR', 'Author-2', 'Keywords', 'New', 'New-1'), fc.string()), {
    maxLength: 8,
  })
  .map((fields) => {
    const list = new FieldList();
    for (const [key, value] of fields) list.add(key, cleanValue(value));
    return list.fields;
  });

test('a merge can always be undone, and merging twice is merging once', () => {
  fc.assert(
    fc.property(objects, annotated, (object, fields) => {
      const once = merged(object, fields);
      assert.deepEqual(unmerged(once.object, once.merge), object);
      assert.deepEqual(merged(once.object, fields).object, once.object);
      // An object that was stored without the merge that was noted for it is left alone.
      assert.deepEqual(unmerged(object, once.merge), object);
      for (const [key, value] of fields)
        if (value !== '') assert.equal(attributeText(once.object, key), value);
      assert.equal(digestOf(merged(object, []).object).toString(), digestOf(object).toString());
    }),
  );
});

test('fields laid over others replace those of the same name with all their values', () => {
  const over = laidOver(
    [
      ['Author-1', 'a'],
      ['Author-2', 'b'],
      ['Title', 't'],
    ],
    [
      ['author', 'c'],
      ['New', 'n'],
    ],
  );
  assert.deepEqual(over, [
    ['Title', 't'],
    ['author', 'c'],
    ['New', 'n'],
  ]);
});

test('an annotation keeps within its limits and cannot set the Gatherer’s own attributes', () => {
  const of = (fields: Field[], url = 'HTTP://X.org') =>
    annotationOf({ url, fields, author: ' Jo\n Doe ', at: 12.5 });
  assert.deepEqual(of([['Title', ' a\r\nb\u0007\u202e ']]), {
    url: 'http://x.org/',
    fields: [['Title', 'a\nb']],
    author: 'Jo Doe',
    at: 12,
  });
  const refused = (fields: Field[], code: string, url?: string) =>
    assert.throws(() => of(fields, url), { code }, JSON.stringify(fields).slice(0, 80));
  const { ANNOTATION_FIELD, ANNOTATION_URL, ANNOTATION_TOO_LARGE } = annotationErrors;
  const kept = [
    'MD5',
    'md5-1',
    'Update-Time',
    'File-Size',
    'TYPE',
    'Gatherer-Name',
    'gatherer-x',
    'Annotated-By',
  ];
  for (const wrong of [...kept, 'Last-Modification-Time', '', 'a b', 'a{3}', 'x'.repeat(129), 'Bad-'])
    refused([[wrong, 'v']], ANNOTATION_FIELD.code);
  for (const value of ['', '0', '-1', '1.5', 'x', '1e3', '99999999999'])
    refused([['Time-to-Live', value]], ANNOTATION_FIELD.code);
  assert.deepEqual(of([['Refresh-Rate', '60']]).fields, [['Refresh-Rate', '60']]);
  refused(
    [
      ['A', '1'],
      ['a', '2'],
    ],
    ANNOTATION_FIELD.code,
  );
  refused([['A', 'x'.repeat(64 * 1024 + 1)]], ANNOTATION_TOO_LARGE.code);
  refused(
    Array.from({ length: 5 }, (_, at) => [`A${at}`, 'x'.repeat(60_000)]),
    ANNOTATION_TOO_LARGE.code,
  );
  refused(
    Array.from({ length: 201 }, (_, at) => [`A${at}`, 'x']),
    ANNOTATION_TOO_LARGE.code,
  );
  for (const url of [
    '',
    'x',
    '/a/b',
    'javascript:alert(1)',
    'data:text/html,x',
    `http://x/${'a'.repeat(9000)}`,
  ])
    refused([], ANNOTATION_URL.code, url);
});
