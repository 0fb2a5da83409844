import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { summaryObject } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import { ResultTemplates } from './result-templates.ts';

const templates = new ResultTemplates([
  { type: 'Report', show: ['Author as Written by', 'Publication-Year'] },
  { type: '*', show: ['Keywords'] },
]);
const shown = (type: string, ...others: (readonly [string, string])[]) =>
  templates.of(summaryObject('x', [['Type', type], ...others]));

test("an object shows the attributes of its type's template, or of the general one, that it has", () => {
  assert.deepEqual(shown('report', ['Author-1', 'Ada\n <b>'], ['Author-2', 'Grace'], ['Keywords', 'no']), [
    { label: 'Written by', value: 'Ada <b>, Grace' },
  ]);
  assert.deepEqual(shown('report', ['Publication-Year', '1994']), [
    { label: 'Publication Year', value: '1994' },
  ]);
  assert.deepEqual(shown('HTML', ['Keywords', 'a, b'], ['Author', 'no']), [
    { label: 'Keywords', value: 'a, b' },
  ]);
  assert.deepEqual(shown('HTML'), []);
  assert.equal(shown('HTML', ['Keywords', '😀'.repeat(500)])[0]?.value, `${'😀'.repeat(99)}…`);
  assert.deepEqual(new ResultTemplates([]).of(summaryObject('x', [['Keywords', 'a']])), []);
});

test('an invalid table is refused with its place', () => {
  const wrong: Record<string, unknown>[] = [
    ...[{ show: 'Author' }, { type: 3, show: [] }, { show: ['no attribute!'] }, { show: [3] }],
    ...[{ type: 'x', show: [], script: 'alert(1)' }, { show: Array.from({ length: 9 }, () => 'A') }, {}],
  ];
  for (const table of wrong)
    assert.throws(
      () => new ResultTemplates([{ type: 'Ok', show: [] }, table]),
      (error) => isGarnerError(error, brokerErrors.BROKER_TEMPLATE) && error.message.includes('[1]'),
      JSON.stringify(table),
    );
  assert.throws(() => new ResultTemplates([{ show: [] }, { type: '*', show: [] }]));
});
