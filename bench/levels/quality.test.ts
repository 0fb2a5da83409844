import assert from 'node:assert/strict';
import { test } from 'node:test';
import { asWords, knownItems } from './collections.ts';
import { qualityOf } from './quality.ts';
import { readDocument } from './reading.ts';

const near = (actual: number, expected: number) => assert.ok(Math.abs(actual - expected) < 1e-9, `${actual}`);

test('measures of two rankings, worked out by hand', () => {
  const judged = [
    { text: 'a', relevant: new Set([3]) },
    { text: 'b', relevant: new Set([1, 2]) },
  ];
  // The first query's answer is found second; the second's two are found first and third.
  const quality = qualityOf(
    [
      [7, 3],
      [1, 9, 2],
    ],
    judged,
  );
  near(quality.mrr, (1 / 2 + 1) / 2);
  near(quality.map, (1 / 2 + (1 + 2 / 3) / 2) / 2);
  const [second, third] = [1 / Math.log2(3), 1 / Math.log2(4)];
  near(quality.ndcg10, (second + (1 + third) / (1 + second)) / 2);
  assert.deepEqual([quality.success1, quality.success10, quality.recall10], [0.5, 1, 1]);
  assert.equal(qualityOf([[]], [{ text: 'a', relevant: new Set([3]) }]).mrr, 0);
});

test('queries hold only words', () => {
  assert.equal(asWords('GIT-ADD(1): "what" -is OR node.js?'), 'git-add what is or node.js');
});

test('a page is read as the Gatherer reads it, with the text around its main text separate', async () => {
  const html =
    '<title>A &amp; B</title><nav><a href="x.html#y">Up</a></nav><h2>One</h2><p>Two <b>three</b></p><pre>a\n b</pre>';
  const page = await readDocument('HTML', 'http://docs.example/a.html', Buffer.from(html));
  assert.equal(page.title, 'A & B');
  assert.deepEqual(page.blocks, [
    { role: 'heading', text: 'One', level: 2 },
    { role: 'paragraph', text: 'Two three' },
    { role: 'pre', text: 'a\nb' },
  ]);
  assert.deepEqual(page.references, ['http://docs.example/x.html']);
  assert.equal(page.text, 'Up\nOne\nTwo three\na\nb');
});

test('a query for a known item is a title that no other page has', () => {
  const page = (title: string) => ({
    ...{ url: title, bytes: 1, gzipped: 1, title, text: '', references: [] },
    blocks: [{ role: 'heading' as const, level: 2, text: `About ${title} things` }],
  });
  const { titles, headings } = knownItems([page('Tides'), page('Tides'), page('3.1. Winds')], 10);
  assert.deepEqual(titles, [{ text: 'winds', relevant: new Set([2]) }]);
  assert.deepEqual(
    headings.map(({ text }) => text),
    ['about 3.1 winds things'].map((text) => text.replace('3.1 ', '')),
  );
});
