import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readPage } from './page-reader.ts';

const blocks = (html: string) => readPage(html).blocks.map(({ text }) => text);

test('block-level elements part the text, inline ones do not', () => {
  assert.deepEqual(blocks('<p>one <b>two</b><i>three</i></p>four<div>five<span>six</span></div>'), [
    'one twothree',
    'four',
    'fivesix',
  ]);
});

test('one line break stays in its block, two end it', () => {
  const read = readPage('<div>a<br>b<br><br>c<p>d</div>').blocks;
  assert.deepEqual(
    read.map(({ text, broken }) => [text, broken]),
    [
      ['a\nb', false],
      ['c', true],
      ['d', false],
    ],
  );
});

test('scripts, styles, form fields and drawings are not text; fallbacks are marked', () => {
  assert.deepEqual(
    blocks(
      '<style>a</style><script>b</script><template><p>c</p></template><select><option>d</select>' +
        '<svg><title>e</title><text>f</text></svg><textarea>g</textarea>h',
    ),
    ['h'],
  );
});

test('an element that was never closed does not swallow the page', () => {
  assert.deepEqual(blocks('<select><option>a<p>b</p>'), ['b']);
  assert.deepEqual(blocks('<div><video>a</div><p>b</p>'), ['b']);
  assert.deepEqual(blocks('<svg><g><div>b</div>'), ['b']);
});

test('end tags reach no further than their table cell', () => {
  const { elements, blocks: read } = readPage(
    '<div><table><tr><td>a</div></p><p>b</td></tr></table>c</div>d',
  );
  const depths = read.map(({ element }) => elements.depth[element]);
  assert.deepEqual(
    read.map(({ text }) => text),
    ['a', 'b', 'c', 'd'],
  );
  assert.deepEqual(depths, [4, 5, 1, 0]);
});

test('the blocks of an element are those between its tags', () => {
  const { elements, blocks: read } = readPage('<p>a<div><p>b<ul><li>c<li>d</ul></div>e');
  const spans = elements.firstBlock.map((first, at) =>
    read
      .slice(first, elements.endBlock[at])
      .map(({ text }) => text)
      .join(''),
  );
  assert.deepEqual(spans, ['abcde', 'a', 'bcd', 'b', 'cd', 'c', 'd']);
});

test('rows of a data table are one block, layout tables stay apart', () => {
  assert.deepEqual(blocks('<table><tr><td>a<td>b<tr><td>c<td>d</table>'), ['a\tb', 'c\td']);
  const long = 'word '.repeat(80).trim();
  assert.deepEqual(blocks(`<table><tr><td>menu<td>${long}</table>`), ['menu', long]);
  assert.deepEqual(blocks('<table><tr><td><p>a<p>b<td>c</table>'), ['a', 'b', 'c']);
});

test('links are measured, signs of permanent links are left out', () => {
  const [block] = readPage('<h2>Head <a href="#x">¶</a><a href="y">link</a>&amp;</h2>').blocks;
  assert.equal(block?.text, 'Head link&');
  assert.equal(block?.size, 9);
  assert.equal(block?.linkSize, 4);
});

test('inline elements hide their text by attribute, style and the usual classes', () => {
  assert.deepEqual(
    blocks('<p>a<span hidden>b</span><span style="display: none">c</span><span class="sr-only">d</span>e'),
    ['ae'],
  );
});

test('a list of links that pops up over a sentence becomes a block of its own', () => {
  const read = readPage(
    '<p>Said <a href="1">A. Person</a><span class="card"><a href="2">What the person said last year</a>' +
      '<a href="3">What the person does today</a></span> on Monday.</p>',
  ).blocks;
  assert.deepEqual(
    read.map(({ text, popup }) => [text, popup ?? false]),
    [
      ['What the person said last yearWhat the person does today', true],
      ['Said A. Person on Monday.', false],
    ],
  );
});

test('the facts in the head of the page', () => {
  const tree = readPage(
    '<title> A \n B </title><meta property="og:type" content="article"><meta name="description" content="C &amp; D">' +
      '<script type="application/ld+json">{"@type":"NewsArticle","articleBody":"The tide turns"}</script>',
  );
  assert.equal(tree.title, 'A B');
  assert.equal(tree.description, 'C & D');
  assert.equal(tree.articleBody, 'The tide turns');
});
