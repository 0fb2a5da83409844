import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { levelFields, type ReadDocument } from './index.ts';

const document: ReadDocument = {
  title: 'Bees',
  fields: [['Keywords', 'honey, wax']],
  blocks: [
    { role: 'heading', level: 1, text: 'Bees' },
    { role: 'paragraph', text: 'Bees make honey in the hive. The beekeeper takes it in summer.' },
  ],
};

const names = (level: 'terse' | 'selected' | 'full') =>
  levelFields(document, level, 10_000).fields.map(([name]) => name);

test('each level has its attributes', () => {
  assert.deepEqual(names('terse'), ['Keywords']);
  assert.deepEqual(names('selected'), ['Keywords', 'Headings', 'Partial-Text']);
  assert.deepEqual(names('full'), ['Headings', 'Full-Text']);
});

test('the keywords of the document come first and are not repeated', () => {
  const keywords = levelFields(document, 'terse', 10_000).fields[0]?.[1].split('\n') ?? [];
  assert.equal(keywords[0], 'honey, wax');
  assert.ok(keywords.includes('hive'));
  assert.ok(!keywords.includes('honey'));
});

test('full is every word, cut at a character when it must be', () => {
  const [, [, text] = ['', '']] = levelFields(document, 'full', 10_000).fields;
  assert.equal(text, document.blocks.map((block) => block.text).join('\n'));
  const cut = levelFields({ fields: [], blocks: [{ role: 'paragraph', text: 'ééé' }] }, 'full', 4);
  assert.deepEqual(cut, { fields: [['Full-Text', 'é']], cut: true });
});

test('no level is over the bytes it may have, and none holds half a character', () => {
  const text = fc.string({ unit: 'grapheme', maxLength: 300 });
  const level = fc.constantFrom('terse', 'selected', 'full');
  fc.assert(
    fc.property(fc.array(text, { maxLength: 5 }), level, fc.nat(400), (texts, chosen, bytes) => {
      const blocks = texts.map((one) => ({ role: 'paragraph' as const, text: one }));
      const { fields } = levelFields({ fields: [], blocks }, chosen, bytes);
      assert.ok(fields.reduce((sum, [, value]) => sum + Buffer.byteLength(value), 0) <= bytes);
      for (const [, value] of fields) assert.ok(value === Buffer.from(value).toString());
    }),
  );
});
