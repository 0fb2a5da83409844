import assert from 'node:assert/strict';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { readPage } from '../../readers/main-text/index.ts';
import { grafted } from './grafts.ts';
import { publishersOf } from './pages.ts';

const page = (url: string, names: string) => ({
  key: url,
  url,
  html: names.replace(/(\S+)/g, '<p class="$1">'),
  truth: '',
});

test('hosts with one template are one publisher', () => {
  const pages = [
    page('https://news.one.example/a', 'story-12 rail-left teaser-box'),
    page('https://two.example/b', 'story-7 rail-left teaser-box masthead'),
    page('https://three.example/c', 'entry sidebar widget-area'),
    page('https://www.one.example/d', 'another page entirely'),
    page('https://four.example/e', 'masthead rail-left'),
  ];
  assert.deepEqual(publishersOf(pages), [
    'one.example',
    'one.example',
    'three.example',
    'one.example',
    'one.example',
  ]);
});

const article = (name: string) =>
  `<div class="menu">${name} menu of the site</div><main><div><p>${name} begins with words.</p><p>${name} ends so.</p></div>` +
  `<div class="comments"><p>${name} is what some reader thought of it, at some length, and then a little more of the same</p></div></main>`;

test('a graft keeps the true text and adds what is not, of other publishers alone', () => {
  const marked = ['One', 'Two', 'Three', 'Four'].map((publisher) => {
    const tree = readPage(article(publisher));
    const shares = tree.blocks.map(({ text }) => (/begins|ends/.test(text) ? 1 : 0));
    return { publisher, tree, shares };
  });
  let added = 0;
  for (let seed = 1; seed <= 20; seed++)
    for (const { publisher, tree, shares } of grafted(marked, seededRandom(seed).next)) {
      const { blocks, elements } = tree;
      assert.equal(shares.length, blocks.length);
      assert.deepEqual(
        blocks.filter((_, at) => shares[at] === 1).map(({ text }) => text),
        [`${publisher} begins with words.`, `${publisher} ends so.`],
      );
      const own = blocks.filter(({ text }) => text.startsWith(publisher));
      assert.equal(own.length, 4);
      added += blocks.length - own.length;
      blocks.forEach(({ element }, at) => {
        assert.ok((elements.firstBlock[element] ?? 0) <= at && at < (elements.endBlock[element] ?? 0));
      });
      elements.parent.slice(1).forEach((parent, before) => {
        const element = before + 1;
        assert.ok(parent < element);
        assert.equal(elements.depth[element], (elements.depth[parent] ?? 0) + 1);
        assert.ok((elements.endBlock[element] ?? 0) <= (elements.endBlock[parent] ?? 0));
      });
    }
  assert.ok(added > 20, `${added} blocks added`);
});
