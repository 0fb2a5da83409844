import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { select } from './select.ts';

test('with no lists every type is kept', () => {
  assert.ok(select({})('HTML'));
  assert.ok(select({ allow: [], stop: [] })('Unrecognized'));
});

test('the allow list keeps, the stop list drops and has priority', () => {
  const wanted = select({ allow: ['html', 'Text', 'Image'], stop: ['Image'] });
  assert.deepEqual(['HTML', 'Text', 'Image', 'Audio'].filter(wanted), ['HTML', 'Text']);
});

test('types of the operator’s own tables are types', () => {
  assert.ok(!select({ stop: ['recipe'] }, ['Recipe'])('Recipe'));
  assert.throws(() => select({ stop: ['Recipe'] }));
});

test('a name that is no type is refused, with a similar one', () => {
  assert.throws(
    () => select({ stop: ['Imag'] }),
    (error) => isGarnerError(error) && error.code === 'GATHERER_UNKNOWN_TYPE' && error.hint.includes('Image'),
  );
  assert.throws(
    () => select({ allow: ['Nonsense'] }),
    (error) => isGarnerError(error) && error.exit === 2 && error.hint.includes('HTML'),
  );
});
