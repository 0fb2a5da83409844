import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import { newsArticle, newsPage } from '../testing/news-page.ts';
import { mainText, selectBlocks } from './main-text.ts';
import { readPage } from './page-reader.ts';

const texts = (html: string) => mainText(html).paragraphs.map(({ text }) => text);

test('an article comes out of its page, in order and without what surrounds it', () => {
  const { paragraphs, confidence, cut } = mainText(newsPage);
  assert.deepEqual(
    paragraphs
      .map(({ text }) => text)
      .filter((text) => text !== 'Ellmouth to rebuild its lighthouse by spring'),
    newsArticle,
  );
  assert.ok(confidence > 0.8, `confidence ${confidence}`);
  assert.ok(!cut);
  assert.deepEqual(
    paragraphs.find(({ text }) => text === 'What the storm left'),
    { role: 'heading', text: 'What the storm left', level: 2 },
  );
});

test('each paragraph has its role', () => {
  const { paragraphs } = mainText(
    '<h1>Title of it</h1><p>A sentence that stands here, long enough to be one.</p><ul><li>one<li><p>two</p></ul>' +
      '<dl><dt>term<dd>meaning</dl><pre>  code {\n    here\n  }</pre><table><tr><th>a<th>b<tr><td>1<td>2</table>',
  );
  assert.deepEqual(
    paragraphs.map(({ role, text }) => [role, text]),
    [
      ['heading', 'Title of it'],
      ['paragraph', 'A sentence that stands here, long enough to be one.'],
      ['list item', 'one'],
      ['list item', 'two'],
      ['list item', 'term'],
      ['list item', 'meaning'],
      ['preformatted', '  code {\n    here\n  }'],
      ['table row', 'a\tb'],
      ['table row', '1\t2'],
    ],
  );
});

const posts = [
  'Has anybody managed to build the driver on the new kernel? It stops with an error about a missing symbol.',
  'I had the same thing. You need to apply the patch from the list first, then run the configure script again.',
  'Thanks, that worked. For the record, one also has to remove the old module, or it is loaded before the new one.',
  'No luck here. Mine says that the firmware is too old; where did you get the update from?',
];
const around = (body: string) =>
  `<title>T</title><ul class="menu"><li><a href="/a">Forum</a><li><a href="/b">Members</a></ul>${body}` +
  '<div id="footer"><a href="/p">Privacy</a> <a href="/t">Terms</a></div>';

test('a thread keeps every post', () => {
  const divided = posts.map(
    (text, at) => `<div class="post"><div class="author"><a href="/u${at}">user${at}</a></div>
    <div class="message">${text}</div><a href="/q${at}">Quote</a></div>`,
  );
  const found = texts(around(`<div class="thread">${divided.join('')}</div>`));
  for (const post of posts) assert.ok(found.includes(post), post);
});

test('a page of nothing but comments keeps them', () => {
  const comments = posts.map((text) => `<div class="comment"><p>${text}</p></div>`).join('');
  const found = texts(around(`<h1>Question</h1><div class="comments">${comments}</div>`));
  for (const post of posts) assert.ok(found.includes(post), post);
});

test('an index page keeps its list, with links or without', () => {
  const items = Array.from({ length: 30 }, (_, at) => `Manual number ${at}`);
  const links = items.map((item, at) => `<li><a href="m${at}.html">${item}</a>`).join('');
  const found = texts(around(`<h1>Index of manuals</h1><ul>${links}</ul>`));
  for (const item of items) assert.ok(found.includes(item), item);
});

test('a page without a main part loses evident navigation only', () => {
  assert.deepEqual(texts('just words'), ['just words']);
  assert.deepEqual(texts(''), []);
  assert.deepEqual(texts('<nav><a href="x">One</a></nav>'), ['One']);
  assert.deepEqual(texts('<nav><a href="x">One</a></nav><p>Two'), ['Two']);
});

test('what is kept has the greatest expected F1, however unsure the model is', () => {
  const tree = readPage(`<p>${'main '.repeat(60)}<p>${'other '.repeat(200)}`);
  const kept = (...judged: number[]) => selectBlocks(tree, Float64Array.from(judged)).kept.length;
  assert.equal(kept(0.7, 0.1), 1);
  assert.equal(kept(0.9, 0.6), 2);
  // A page without a main part.
  assert.equal(kept(0.3, 0.25), 2);
  assert.equal(kept(0, 0), 0);
  assert.equal(selectBlocks(tree, new Float64Array(2)).confidence, 0);
});

const manual = '/usr/share/doc/git-doc/git-mktag.html';

test('a manual page from Debian comes out whole', (t) => {
  if (!existsSync(manual)) return t.skip('SKIPPED: install git-doc');
  const { paragraphs } = mainText(readFileSync(manual, 'utf8'));
  const lines = paragraphs.map(({ text }) => text);
  for (const line of ['SYNOPSIS', 'DESCRIPTION', 'OPTIONS', '--strict'])
    assert.ok(lines.includes(line), `${line} is missing in ${lines.join(' | ')}`);
  assert.ok(lines.some((line) => line.startsWith('git-mktag - Creates a tag object')));
  assert.ok(paragraphs.some(({ role }) => role === 'preformatted'));
});

const sphinx = '/usr/share/doc/python3.11/html/using/editors.html';

test('documentation loses the links around it', (t) => {
  if (!existsSync(sphinx)) return t.skip('SKIPPED: install python3.11-doc');
  const found = texts(readFileSync(sphinx, 'utf8'));
  assert.ok(found.some((text) => text.startsWith('There are a number of IDEs that support Python')));
  assert.ok(!found.includes('Show Source'));
  assert.ok(!found.some((text) => text.includes('Created using Sphinx')));
});
