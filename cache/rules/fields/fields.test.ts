import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fields, withField, withoutFields } from './fields.ts';

const names = fc.constantFrom('Age', 'age', 'AGE', 'Vary', 'vary', 'X-One', 'Cache-Control');
const rawFields = fc
  .array(fc.tuple(names, fc.stringMatching(/^[a-z ,\t]{0,8}$/)), { maxLength: 20 })
  .map((pairs) => pairs.flat());

test('RFC 9110 5.3: lines of one name are joined in their order, whatever their case', () => {
  const fields = new Fields(['Vary', 'a', 'X', 'y', 'vary', ' b\t']);
  assert.equal(fields.get('vary'), 'a, b');
  assert.deepEqual(fields.lines('vary'), ['a', 'b']);
  assert.equal(fields.get('z'), undefined);
  assert.equal(new Fields(['Vary', '']).has('vary'), true);
});

test('RFC 9110 5.6.3: only spaces and tabs are taken off a value', () => {
  assert.equal(new Fields(['A', '\t x\u00a0 ']).get('a'), 'x\u00a0');
});

test('what is left without a field keeps names and values as they came', () => {
  assert.deepEqual(withoutFields(['A', '1', 'b', '2', 'C', ' 3 ', 'B', '4'], new Set(['b'])), [
    'A',
    '1',
    'C',
    ' 3 ',
  ]);
  assert.deepEqual(new Fields(['A', '  ', 'B', '']).lines('a'), ['']);
});

test('a walk and an index find the same lines', () => {
  fc.assert(
    fc.property(rawFields, (raw) => {
      const many = new Fields(raw);
      for (let times = 0; times < 12; times++) many.lines('x');
      for (const name of ['age', 'vary', 'x-one', 'cache-control']) {
        assert.deepEqual(many.lines(name), new Fields(raw).lines(name));
      }
    }),
  );
});

test('a field that was set is there once, and the others keep their order', () => {
  fc.assert(
    fc.property(rawFields, names, (raw, name) => {
      const lower = name.toLowerCase();
      const others = withoutFields(raw, new Set([lower]));
      assert.equal(new Fields(others).has(lower), false);
      assert.equal(others.length + 2 * new Fields(raw).lines(lower).length, raw.length);
      const set = withField(raw, name, 'new');
      assert.deepEqual(new Fields(set).lines(lower), ['new']);
      assert.deepEqual(set.slice(0, -2), [...others]);
    }),
  );
});
