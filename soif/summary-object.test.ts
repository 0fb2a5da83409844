import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  Attributes,
  attributeNumber,
  attributeText,
  attributeTexts,
  attributeValue,
  baseName,
  summaryObject,
  withAttributes,
} from './summary-object.ts';

const object = summaryObject('http://h/', [
  [Attributes.title, 'Tides'],
  ['title', 'second'],
  ['Author-1', 'a'],
  ['AUTHOR-2', 'b'],
  ['Embed<1>-Author', 'inner'],
  [Attributes.fileSize, 42],
  ['Bad', Uint8Array.of(0xff)],
  ['Spaced', ' 7\n'],
  ['Negative', '-7'],
]);

test('names match without regard to case, and the first of a name counts', () => {
  assert.equal(attributeText(object, 'TITLE'), 'Tides');
  assert.deepEqual(attributeValue(object, 'bad'), Uint8Array.of(0xff));
  assert.equal(attributeText(object, 'bad'), '\ufffd');
  assert.equal(attributeText(object, 'none'), undefined);
  assert.equal(object.templateType, 'FILE');
});

test('numbers are non-negative integers or nothing', () => {
  assert.equal(attributeNumber(object, 'file-size'), 42);
  assert.equal(attributeNumber(object, 'Spaced'), 7);
  for (const name of ['Negative', 'Title', 'Bad', 'none'])
    assert.equal(attributeNumber(object, name), undefined);
});

test('all values of a name are found, numbered or not; nested members are apart', () => {
  assert.deepEqual(attributeTexts(object, 'Author'), ['a', 'b']);
  assert.deepEqual(attributeTexts(object, 'Title'), ['Tides', 'second']);
  assert.deepEqual(attributeTexts(object, 'embed<1>-author'), ['inner']);
  assert.equal(baseName('Author-12'), 'author');
  assert.equal(baseName('Access-Protocol-v0'), 'access-protocol-v0');
});

test('changes replace the first of a name in place or are appended; the original is untouched', () => {
  const changed = withAttributes(object, [
    ['TITLE', 'Ebb'],
    ['New', 1],
  ]);
  assert.deepEqual(
    changed.attributes.map(({ name }) => name),
    ['TITLE', ...object.attributes.slice(1).map(({ name }) => name), 'New'],
  );
  assert.equal(attributeText(changed, 'title'), 'Ebb');
  assert.equal(attributeText(object, 'title'), 'Tides');
});
