import assert from 'node:assert/strict';
import { test } from 'node:test';
import { hyphenKeeper } from './add-pages.ts';
import type { PageLine } from './columns.ts';
import { LineAssembler } from './line-assembler.ts';
import { bodySize, paragraphsOf } from './paragraphs.ts';
import { logicalOrder } from './right-to-left.ts';
import { withoutRunningHeads } from './running-heads.ts';

const plain = { size: 10, bold: false, direction: 0, exact: true };

function assembled(
  ...pieces: readonly (readonly [text: string, x: number, y: number, width: number])[]
): string[] {
  const assembler = new LineAssembler();
  for (const [text, x, y, width] of pieces) assembler.show({ ...plain, text, x, y, width });
  return assembler.take().map((line) => line.text);
}

test('pieces on a line join; gaps are spaces, kerning is none, lower pieces begin lines', () => {
  assert.deepEqual(
    assembled(['Te', 0, 100, 10], ['xt', 9.8, 100, 10], ['and', 22.5, 100, 15], ['below', 0, 88, 20]),
    ['Text and', 'below'],
  );
});

test('accents struck over letters join them, text struck twice is read once', () => {
  assert.deepEqual(assembled(['caf', 0, 0, 15], ['´', 15.5, 0, 5], ['e', 15, 0, 4.4]), ['café']);
  assert.deepEqual(assembled(['bold', 0, 0, 20], ['bold', 0.3, 0, 20]), ['bold']);
});

test('a raised number behind a word is a mark of its own, one in a formula is not', () => {
  assert.deepEqual(assembled(['word', 0, 0, 20], ['1', 20.2, 3.6, 3.5]), ['word 1']);
  assert.deepEqual(assembled(['x', 0, 0, 5], ['2', 5.2, 3.6, 3.5]), ['x2']);
});

test('lines of scripts from right to left come as they are read', () => {
  assert.equal(logicalOrder('םולש'), 'שלום');
  assert.equal(logicalOrder('12 םולש'), 'שלום 12');
  assert.equal(logicalOrder('the word םולש means peace'), 'the word שלום means peace');
});

const line = (text: string, y: number, extra: Partial<PageLine> = {}): PageLine => ({
  ...plain,
  text,
  x: 72,
  y,
  end: 500,
  ...extra,
});

const pages = [1, 2, 3, 4, 5].map((page) => [
  line('The Handbook', 800),
  line(`Body of page ${page} begins`, 700),
  line(`differs ${page * 7} times.`, 688),
  line(`- ${page + 10} -`, 30),
]);

test('lines that repeat at one height and numbers that count pages go, others stay', () => {
  assert.deepEqual(
    withoutRunningHeads(pages).map((lines) => lines.map(({ text }) => text)),
    [1, 2, 3, 4, 5].map((page) => [`Body of page ${page} begins`, `differs ${page * 7} times.`]),
  );
  assert.equal(withoutRunningHeads(pages.slice(0, 2))[0]?.length, 4);
});

test('lines become paragraphs: hyphens, headings, sentences across pages', () => {
  const first = [
    line('A Large Title', 760, { size: 18 }),
    line('Some words are broken at the end of a line, so trans-', 700),
    line('mission is mended, but a well-', 688),
    line('known compound keeps its sign. It is well-known', 676),
    line('and goes on', 664),
  ];
  const second = [line('over the page.', 760), line('Next paragraph.', 730)];
  const all = [first, second];
  const paragraphs = [...paragraphsOf(all, bodySize(all), hyphenKeeper(all))];
  assert.deepEqual(paragraphs, [
    { text: 'A Large Title', heading: true },
    {
      text: 'Some words are broken at the end of a line, so transmission is mended, but a well-known compound keeps its sign. It is well-known and goes on over the page.',
      heading: false,
    },
    { text: 'Next paragraph.', heading: false },
  ]);
});
