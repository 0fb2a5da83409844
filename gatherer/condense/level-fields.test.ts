import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { BlockRole } from '../../readers/document/index.ts';
import { levelFields } from './level-fields.ts';
import type { ReadDocument } from './tokenised-document.ts';

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
  assert.deepEqual(names('full'), ['Keywords', 'Headings', 'Full-Text']);
});

test('the keywords of the document come first and are not repeated', () => {
  const keywords = levelFields(document, 'terse', 10_000).fields[0]?.[1].split('\n') ?? [];
  assert.equal(keywords[0], 'honey, wax');
  assert.ok(keywords.includes('hive'));
  assert.ok(!keywords.includes('honey'));
});

test('full is every word, cut at a character when it must be', () => {
  const full = new Map(levelFields(document, 'full', 10_000).fields);
  assert.equal(full.get('Full-Text'), document.blocks.map((block) => block.text).join('\n'));
  const cut = levelFields({ fields: [], blocks: [{ role: 'paragraph', text: 'ééé' }] }, 'full', 4);
  assert.deepEqual(cut, { fields: [['Full-Text', 'éé']], cut: true, unread: false });
});

test('no level exceeds its max bytes, and none holds half a character', () => {
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

test('a text too short to become shorter is stored whole, as Partial-Text', () => {
  const blocks = [{ role: 'paragraph' as const, text: 'Bees bees bees.' }];
  assert.deepEqual(levelFields({ fields: [], blocks }, 'selected', 100).fields, [
    ['Partial-Text', 'Bees bees bees.'],
  ]);
  assert.deepEqual(levelFields({ title: 'Bees in flight', fields: [], blocks: [] }, 'terse', 100).fields, []);
});

test('headings that only a field holds count as headings', () => {
  const outline: ReadDocument = {
    fields: [['Headings', 'On Bees\nOn Wax']],
    blocks: [{ role: 'paragraph', text: 'They make it in the hive.' }],
  };
  const selected = new Map(levelFields(outline, 'selected', 1000).fields);
  assert.equal(selected.get('Headings'), 'On Bees\nOn Wax');
  assert.match(new Map(levelFields(outline, 'terse', 1000).fields).get('Keywords') ?? '', /Wax/);
});

const roles: readonly BlockRole[] = ['heading', 'paragraph', 'item', 'pre', 'row', 'quote'];

test('a level never has more bytes than the level above it', () => {
  const text = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 300 }),
    fc.lorem({ maxCount: 60 }),
    fc.stringMatching(/^[a-c ._\-。東京カな\n]{0,120}$/),
    fc
      .tuple(fc.lorem({ maxCount: 200 }), fc.integer({ min: 1, max: 30 }))
      .map(([one, times]) => one.repeat(times)),
  );
  const read = fc.record({
    title: fc.lorem({ maxCount: 3 }),
    fields: fc.constantFrom(
      [],
      [['Keywords', 'lorem, bees'] as const],
      [['Headings', 'dolor\nsit'] as const],
    ),
    blocks: fc.array(fc.record({ role: fc.constantFrom(...roles), text }), { maxLength: 30 }),
  });
  fc.assert(
    fc.property(read, (given) => {
      const [terse, selected, full] = (['terse', 'selected', 'full'] as const).map((level) =>
        levelFields(given, level, 10_000_000).fields.reduce(
          (sum, [, value]) => sum + Buffer.byteLength(value),
          0,
        ),
      ) as [number, number, number];
      assert.ok(terse <= selected && selected <= full, `${terse} ${selected} ${full}`);
    }),
    { numRuns: 500 },
  );
});
