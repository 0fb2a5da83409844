import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Fields } from 'garner/summariser';
import { isGarnerError } from '../../kernel/index.ts';
import { moduleErrors } from './errors.ts';
import { moduleFields } from './module-fields.ts';

/** The types of the package also check the values that authors may return. */
const fields = (returned: Fields) => moduleFields('m.js', returned);

function refused(returned: unknown): string {
  try {
    moduleFields('m.js', returned);
  } catch (error) {
    assert.ok(isGarnerError(error, moduleErrors.MODULE_OUTPUT), String(error));
    return error.message.replace(/^the module m\.js returned no valid attributes: /, '');
  }
  throw new assert.AssertionError({ message: 'it was understood' });
}

test('a table or pairs of texts, numbers, truths and lists of them', () => {
  const expected = [
    ['Title', 'Soup'],
    ['Serves', '4'],
    ['Vegan', 'true'],
    ['Author', 'Ann\nBob'],
  ];
  const table = {
    Title: 'Soup',
    Serves: 4,
    Vegan: true,
    Author: ['Ann', 'Bob'],
    Cook: null,
    Oven: undefined,
  };
  assert.deepEqual(fields(table), expected);
  assert.deepEqual(fields(Object.entries(table)), expected);
  assert.deepEqual(fields(Object.assign(Object.create(null), { A: 1 })), [['A', '1']]);
  assert.deepEqual(fields({}), []);
  assert.deepEqual(fields([]), []);
});

test('one name in several spellings is one attribute', () => {
  const twice = [
    ['Author', 'Ann'],
    ['author', ['Bob', 'Cid']],
  ] as const;
  assert.deepEqual(fields(twice), [['Author', 'Ann\nBob\nCid']]);
});

test('values become text that may be stored', () => {
  assert.deepEqual(fields({ A: ' a\0\tb \r\n\r\nc\ud800', B: ' \0 ' }), [['A', 'a b\nc\ufffd']]);
});

test('anything else is refused with a message that names the place', () => {
  for (const rubbish of [undefined, null, 'Title: x', 7, () => 1, new Map([['A', '1']]), new Date(0)])
    assert.equal(refused(rubbish), 'it is neither a table nor a list of attributes');
  assert.match(refused({ Good: 'x', Title: { de: 'Suppe' } }), /^Title: this is neither a text, a number/);
  assert.match(refused({ Size: Number.NaN }), /^Size: /);
  assert.match(refused({ Author: ['Ann', {}] }), /^Author: this is neither/);
  assert.match(refused({ 'a b': 'x' }), /^a b: this is no attribute name/);
  assert.match(refused({ md5: 'x' }), /^md5: this attribute is Garner’s own/);
  assert.match(refused(['Title', 'Soup']), /^0: this is no pair/);
  assert.match(
    refused(Object.fromEntries(Array.from({ length: 1001 }, (_, n) => [`A${n}`, n]))),
    /more than/,
  );
  const large = 'x'.repeat(1024 * 1024);
  assert.match(refused({ A: Array.from({ length: 65 }, () => large) }), /more than 67108864 characters/);
});

test('an object that resists is refused', () => {
  const resisting = new Proxy(
    {},
    {
      ownKeys: () => {
        throw Object.create(null);
      },
    },
  );
  assert.equal(refused(resisting), 'it does not say why');
  const getter = {
    get Title(): string {
      throw new Error('no');
    },
  };
  assert.equal(refused(getter), 'no');
});

test('nothing that is returned does anything else', () => {
  const anything = fc.anything({
    withNullPrototype: true,
    withSparseArray: true,
    withBigInt: true,
    withDate: true,
  });
  const attributes = fc.dictionary(fc.string(), anything);
  fc.assert(
    fc.property(fc.oneof(anything, attributes, fc.array(fc.tuple(fc.string(), anything))), (returned) => {
      try {
        const names = moduleFields('m.js', returned).map(([name]) => name.toLowerCase());
        assert.equal(new Set(names).size, names.length);
      } catch (error) {
        assert.ok(isGarnerError(error, moduleErrors.MODULE_OUTPUT), String(error));
      }
    }),
    { numRuns: 2000 },
  );
});
