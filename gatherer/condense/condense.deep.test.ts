import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { termsOf } from '../../query/index.ts';
import type { Block, BlockRole } from '../../readers/document/index.ts';
import { condense, weigh } from './condense.ts';
import type { ReadDocument } from './tokenised-document.ts';

const paragraphs = (text: string): Block[] =>
  text
    .split(/\n[^\S\n]*\n/)
    .map((part) => part.trim())
    .filter((part) => part !== '')
    .map((part) => ({ role: 'paragraph', text: part }));

const wharf: ReadDocument = {
  fields: [],
  blocks: [
    { role: 'heading', level: 1, text: 'Tide tables' },
    { role: 'paragraph', text: 'A tide table tells when the water is high. The harbour master prints it.' },
    { role: 'heading', level: 2, text: 'Reading a tide table' },
    {
      role: 'paragraph',
      text: 'Find the day in the tide table. Then read off the hour with tide_calc --today.',
    },
    { role: 'pre', text: 'tide_calc --today\ntide_calc --tomorrow' },
  ],
};

test('terse is phrases and words without stop words, selected adds headings and sentences', () => {
  const terse = condense(weigh(wharf), 'terse');
  assert.equal(terse.keywords[0], 'Tide tables');
  assert.ok(terse.keywords.includes('harbour'), terse.keywords.join());
  assert.ok(terse.keywords.includes('tide_calc'), terse.keywords.join());
  assert.ok(!terse.keywords.some((word) => /^(?:the|a|is|it|when)$/i.test(word)), terse.keywords.join());
  assert.deepEqual([terse.headings, terse.sentences, terse.language], [[], [], 'en']);
  const selected = condense(weigh(wharf), 'selected');
  assert.deepEqual(selected.headings, ['Tide tables', 'Reading a tide table']);
  assert.ok(selected.sentences.includes('A tide table tells when the water is high.'));
  // Everything fits: no word is repeated.
  assert.deepEqual(selected.keywords, ['Tide tables']);
});

test('the words of terse hold each term once', () => {
  const text = 'Connections connect. A connected connection connects connecting connectors.';
  const { keywords } = condense(weigh({ fields: [], blocks: [{ role: 'paragraph', text }] }), 'terse', 10);
  const terms = keywords.flatMap((keyword) => termsOf(keyword));
  assert.equal(new Set(terms).size, terms.length, keywords.join());
});

test('text without spaces becomes runs of one script, not loose pairs', () => {
  const text = '全文検索エンジンは文書を索引付けする。全文検索は速い。';
  const { keywords } = condense(weigh({ fields: [], blocks: [{ role: 'paragraph', text }] }), 'terse', 4);
  assert.ok(keywords.includes('全文検索'), keywords.join());
  assert.ok(keywords.includes('エンジン'), keywords.join());
});

test('nothing comes of nothing', () => {
  const empty = { keywords: [], headings: [], sentences: [], language: undefined, cut: false };
  assert.deepEqual(condense(weigh({ fields: [], blocks: [] }), 'selected'), empty);
  assert.deepEqual(
    condense(weigh({ fields: [], blocks: [{ role: 'pre', text: '--- +++ ***' }] }), 'selected'),
    empty,
  );
});

const gpl = '/usr/share/common-licenses/GPL-3';

test('a real text of 35 kB: selected is under a fifth, terse under a twenty-fifth, and both are about it', (t) => {
  if (!existsSync(gpl)) return t.skip(`SKIPPED: ${gpl} is not here`);
  const text = readFileSync(gpl, 'utf8');
  const document = { fields: [], blocks: paragraphs(text) };
  const length = (parts: readonly string[]) => parts.join('\n').length;
  const terse = condense(weigh(document), 'terse');
  const selected = condense(weigh(document), 'selected');
  const selectedLength = length([...selected.keywords, ...selected.sentences]);
  assert.ok(length(terse.keywords) < text.length / 25, `terse is ${length(terse.keywords)}`);
  assert.ok(selectedLength < text.length / 5, `selected is ${selectedLength}`);
  const found = terse.keywords.join(' ').toLowerCase();
  for (const word of ['license', 'covered work', 'source', 'propagate', 'patent'])
    assert.ok(found.includes(word), `${word} is not in ${found}`);
});

const roles: readonly BlockRole[] = ['heading', 'paragraph', 'item', 'pre', 'row', 'quote'];
const block = fc.record({
  role: fc.constantFrom(...roles),
  text: fc.oneof(
    fc.string({ unit: 'binary', maxLength: 200 }),
    fc.lorem({ maxCount: 40 }),
    fc.stringMatching(/^[a-c ._\-。東京カな\n]{0,80}$/),
  ),
});
const read = fc.record({ fields: fc.constant([]), blocks: fc.array(block, { maxLength: 20 }) });

test('the result is part of the document, bounded, and the same every time', () => {
  fc.assert(
    fc.property(read, fc.constantFrom('terse', 'selected'), (document, level) => {
      const condensed = condense(weigh(document), level);
      const texts = document.blocks.map(({ text }) => text);
      const { keywords, headings, sentences } = condensed;
      for (const piece of [...keywords, ...headings, ...sentences]) {
        assert.ok(piece !== '' && texts.some((text) => text.includes(piece)), JSON.stringify(piece));
        assert.ok(piece.length <= 402);
      }
      const root = Math.sqrt(texts.join(' ').length);
      assert.ok(keywords.length <= 22 + 4.2 * root);
      assert.ok(sentences.join('\n').length <= 301 + 30 * root);
      assert.deepEqual(condense(weigh(document), level), condensed);
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 100) },
  );
});

test('megabytes of anything take time in proportion and stay bounded', async () => {
  for (const unit of [
    'word ',
    'a',
    'é. ',
    '漢',
    'a.b',
    'x\n',
    '. ',
    'A? B! ',
    'か\u3099',
    '\ud800',
    'w\u0301 ',
  ]) {
    for (const role of ['paragraph', 'pre'] as const) {
      const text = unit.repeat(Math.ceil(1_000_000 / unit.length));
      const condenseIt = () => {
        const document = { fields: [], blocks: [{ role, text }] };
        const { keywords, headings, sentences } = condense(weigh(document), 'selected');
        assert.ok([...keywords, ...headings, ...sentences].join('\n').length < 100_000);
      };
      await assertCpuMs(10_000, condenseIt, JSON.stringify(unit));
    }
  }
});

test('a million different words are cut, and the result reports it', () => {
  const text = Array.from({ length: 600_000 }, (_, index) => `w${index.toString(36)}`).join(' ');
  const condensed = condense(weigh({ fields: [], blocks: [{ role: 'paragraph', text }] }), 'selected');
  assert.ok(condensed.cut);
  assert.ok(condensed.keywords.join('\n').length < 50_000);
});
