import assert from 'node:assert/strict';
import { test } from 'node:test';
import { LineAssembler } from './line-assembler.ts';

type Place = readonly [text: string, x: number, y: number];

/** The lines of pieces of ten points, each letter five wide. */
function lines(...places: readonly Place[]): string[] {
  const assembler = new LineAssembler();
  for (const [text, x, y] of places)
    assembler.show({ text, x, y, width: 5 * text.length, size: 10, bold: false, direction: 0, exact: true });
  return assembler.take().map((line) => line.text);
}

const words = ['one of the text', 'two of the text', 'three of the text', 'four of the text'];
const column = (name: string, x: number, from = 700): Place[] =>
  words.map((text, at) => [`${name} ${text}`, x, from - 12 * at]);
const rows = (...columns: readonly (readonly Place[])[]): Place[] =>
  words.flatMap((_, at) => columns.flatMap((places) => places.slice(at, at + 1)));
const read = (...columns: readonly (readonly Place[])[]) => columns.flat().map(([text]) => text);
const [left, right, middle] = [column('Left', 72), column('Right', 320), column('Mid', 195)];

test('columns that were drawn row by row are read one after the other', () => {
  assert.deepEqual(lines(...rows(left, right)), read(left, right));
  const [second, third] = [column('Mid', 240), column('Right', 420)];
  assert.deepEqual(lines(...rows(left, second, third)), read(left, second, third));
  assert.deepEqual(lines(...rows(left, middle)), read(left, middle), 'a narrow gutter');
});

test('columns whose lines are not at one height, as in scans, are read one after the other', () => {
  const lower = (places: readonly Place[], by: number): Place[] =>
    places.map(([text, x, y]) => [text, x, y - by]);
  for (const by of [-6, 3, 6])
    assert.deepEqual(lines(...rows(left, lower(right, by))), read(left, right), String(by));
  const table = ['alpha', 'beta', 'gamma'].flatMap((name, at): Place[] => [
    [name, 72, 700 - 20 * at],
    [`${at + 40}.5`, 320, 694 - 20 * at],
  ]);
  assert.deepEqual(lines(...table), ['alpha', '40.5', 'beta', '41.5', 'gamma', '42.5']);
});

test('a line across the columns divides the page', () => {
  const heading: Place = ['A heading right across both of the columns of a page', 100, 740];
  const line: Place = ['A line across the whole page which parts the two halves of the page', 72, 640];
  const [below, beside] = [column('Left', 72, 610), column('Right', 320, 610)];
  assert.deepEqual(
    lines(heading, ...rows(left, right), line, ...rows(below, beside)),
    read([heading], left, right, [line], below, beside),
  );
});

test('of two columns the left one is read first, also when the right one was drawn before it', () => {
  assert.deepEqual(lines(...right, ...left), read(left, right));
  assert.deepEqual(lines(...left, ...right), read(left, right));
});

test('rows of a table, a list of contents and two lines stay rows', () => {
  const table = ['alpha', 'beta', 'gamma', 'delta'].flatMap((name, at): Place[] => [
    [name, 72, 700 - 12 * at],
    [`${at + 40}.5`, 320, 700 - 12 * at],
  ]);
  assert.deepEqual(lines(...table), ['alpha 40.5', 'beta 41.5', 'gamma 42.5', 'delta 43.5']);
  const cells = (...texts: readonly string[]) =>
    [72, 320].map((x) => texts.map((text, at): Place => [text, x, 700 - 12 * at]));
  for (const texts of [
    ['a b c', 'd e f', 'g h i', 'j k l'],
    ['Characteristics', 'Understanding', 'Representation', 'Administration'],
    ['one line of many words that fills all', 'two words here', 'ten words here', 'six words here'],
  ])
    assert.equal(lines(...rows(...cells(...texts)))[0], `${texts[0]} ${texts[0]}`);
  const contents = left.flatMap(([text, x, y], at): Place[] => [
    [text, x, y],
    [String(at), 500, y],
  ]);
  assert.equal(lines(...contents)[1], 'Left two of the text 1');
  assert.deepEqual(lines(...rows(left, right).slice(0, 4)).length, 2);
});

test('blanks instead of moves part columns too', () => {
  const typed = words.map(
    (text, at): Place => [`Left ${text}`.padEnd(40) + `right ${text}`, 72, 700 - 12 * at],
  );
  assert.deepEqual(lines(...typed), [
    ...words.map((text) => `Left ${text}`),
    ...words.map((text) => `right ${text}`),
  ]);
});

test('columns of a script from right to left begin at the right', () => {
  const hebrew = (x: number, word: string): Place[] =>
    words.map((_, at) => [`${word} רבד רבד רבד רבד`, x, 700 - 12 * at]);
  const shown = lines(...rows(hebrew(72, 'לאמש'), hebrew(320, 'ןימי')));
  assert.match(shown[0] ?? '', /ימין/);
  assert.match(shown.at(-1) ?? '', /שמאל/);
});
