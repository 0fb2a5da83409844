import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { newsPage } from '../testing/news-page.ts';
import { mainText } from './main-text.ts';
import { readPage } from './page-reader.ts';

const pieces = fc.array(
  fc.oneof(
    fc.constantFrom(
      ...'div p li ul table tr td a span pre select svg video noscript blockquote h2 form x-y title script'
        .split(' ')
        .flatMap((name) => [`<${name}>`, `</${name}>`, `<${name} class="nav" href=x hidden>`]),
      '<br>',
      '<br/>',
      '<!--',
      '-->',
      '&amp;',
      '&#0;',
      '<a href="',
      '"',
    ),
    fc.string({ unit: 'grapheme', maxLength: 30 }),
  ),
  { maxLength: 60 },
);

test('any run of tags and text is read, and its blocks are in order', () => {
  fc.assert(
    fc.property(pieces, (parts) => {
      const { blocks, elements } = readPage(parts.join(''));
      assert.equal(elements.endBlock[0], blocks.length);
      elements.parent.forEach((parent, at) => {
        const first = elements.firstBlock[at] ?? -1;
        const end = elements.endBlock[at] ?? -1;
        assert.ok(first <= end, `element ${at}: ${first} to ${end}`);
        assert.ok(at === 0 || parent < at);
        assert.ok((elements.firstBlock[parent] ?? 0) <= first && end <= (elements.endBlock[parent] ?? 0));
      });
      blocks.forEach(({ element, size, linkSize, text }, at) => {
        assert.ok(size > 0 && linkSize >= 0 && linkSize <= size && text !== '');
        assert.ok((elements.firstBlock[element] ?? 0) <= at && at < (elements.endBlock[element] ?? 0));
      });
    }),
    { numRuns: 500 },
  );
});

test('a page with faults in it gives text and a confidence', () => {
  fc.assert(
    fc.property(fc.nat(newsPage.length), fc.nat(400), fc.string(), (at, length, put) => {
      const html = newsPage.slice(0, at) + put + newsPage.slice(at + length);
      const { paragraphs, confidence } = mainText(html);
      assert.ok(confidence >= 0 && confidence <= 1);
      for (const { text } of paragraphs) assert.notEqual(text, '');
    }),
    { numRuns: 200 },
  );
});

test('10,000 levels of nesting keep their text', () => {
  for (const name of ['div', 'span', 'ul><li', 'table><tr><td', 'blockquote', 'b', 'x-y', 'svg'])
    assert.ok(mainText(`${`<${name}>`.repeat(10_000)}<p>deep text here`).paragraphs.length === 1, name);
  const closed = `${'<div>'.repeat(10_000)}deep${'</div>'.repeat(10_000)}<p>after`;
  const { elements, blocks } = readPage(closed);
  assert.equal(elements.depth[blocks.at(-1)?.element ?? 0], 1);
});

/** Seconds of CPU time for one page. */
function seconds(html: string): number {
  const before = process.cpuUsage();
  mainText(html);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1e6;
}

const hostile: readonly (readonly [string, string, string])[] = [
  ['paragraphs', '', '<p class=a>Some words, and a <a href=x>link</a> to them.'],
  ['start tags', '', '<div>'],
  ['end tags that match nothing', '<p><table><tr><td>', '</p></div></li>'],
  ['inline elements', '', '<span class="a b"><a href=x>y</a>'],
  ['closed in the wrong order', '', '<b><p><i></b></p></i>'],
  ['breaks', '', 'a<br> '],
  ['spaces', '', '          '],
  ['attributes', '<p ', 'class="nav menu ad" '],
  ['letters', '<p>', 'abc, '],
  ['open brackets', '', '<'],
  ['cells', '<table><tr>', '<td>1'],
  ['classes', '', '<p class=a-b-c-d-nav-e id=q>x</p>'],
];

test('time grows in proportion to the page', () => {
  seconds(newsPage.repeat(20));
  for (const [name, head, piece] of hostile) {
    const of = (bytes: number) => head + piece.repeat(Math.ceil(bytes / piece.length));
    const small = Math.min(seconds(of(250_000)), seconds(of(250_000)));
    const bound = 40 * (small + 0.02);
    let large = seconds(of(2_000_000));
    // Once more: the first may have collected the garbage of others.
    if (large >= bound) large = Math.min(large, seconds(of(2_000_000)));
    assert.ok(large < bound, `${name}: ${small} s, eight times as much ${large} s`);
  }
});
