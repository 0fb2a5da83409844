import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { parseDictionary } from './structured-dictionary.ts';

const read = (text: string) => {
  const members = parseDictionary(text);
  return members === undefined ? undefined : Object.fromEntries(members);
};

test('RFC 9651 3.2: every type of member is read', () => {
  assert.deepEqual(
    read('a=1, b=-2.50, c="x\\"y", d=tok/en:*, e=:aGk=:, f=?0, g, h=@-7, i=%"f%c3%bc", j=(1 "x");q=1'),
    {
      a: { type: 'integer', value: 1 },
      b: { type: 'decimal', value: -2.5 },
      c: { type: 'string', value: 'x"y' },
      d: { type: 'token', value: 'tok/en:*' },
      e: { type: 'bytes', value: 'aGk=' },
      f: { type: 'boolean', value: false },
      g: { type: 'boolean', value: true },
      h: { type: 'date', value: -7 },
      i: { type: 'display', value: 'f%c3%bc' },
      j: { type: 'list' },
    },
  );
});

test('RFC 9651 3.3: items at the edges of their types are read', () => {
  for (const [text, value] of [
    ['0', 0],
    ['-0.125', -0.125],
    ['123456789012.125', 123456789012.125],
    ['999999999999999', 999999999999999],
    ['?1', true],
    [':YQ==:', 'YQ=='],
    [':Zm9vYmE5:', 'Zm9vYmE5'],
    ['::', ''],
    ['%"%090"', '%090'],
    ['""', ''],
  ] as const) {
    const member = parseDictionary(`a=${text}`)?.get('a');
    assert.equal(member !== undefined && 'value' in member ? member.value : undefined, value, text);
  }
  assert.equal(read('a=:YQ===:'), undefined);
});

test('RFC 9651 3.2: of a key that comes twice the last counts', () => {
  assert.deepEqual(read('a=1,a=2'), { a: { type: 'integer', value: 2 } });
});

test('RFC 9651 3.1.2: parameters are read and let go', () => {
  assert.deepEqual(read('a=1;b;c="x"; d=?1, e;f=1'), {
    a: { type: 'integer', value: 1 },
    e: { type: 'boolean', value: true },
  });
});

test('RFC 9651 4.2: what breaks the grammar anywhere is refused as a whole', () => {
  for (const text of [
    'a=1, &&&&&',
    'a =1',
    'a= 1',
    'A=1',
    'a=1,',
    ',a=1',
    'a=1,,b',
    'a=1 b',
    'a="x',
    'a="\u00e9"',
    'a="\\x"',
    'a=1.',
    'a=1.2345',
    'a=1234567890123456',
    'a=1234567890123.0',
    'a=-',
    'a=--1',
    'a=?2',
    'a=?',
    'a=:x',
    'a=@1.5',
    'a=%x',
    'a=%"%C3"',
    'a=(1',
    'a=(1"x")',
    'a=(1,2)',
    'a=1;',
    'a=1;B',
    'a=1;b=',
    'a=',
    '1=a',
    '\ta=1',
    'a=1\t',
  ]) {
    assert.equal(read(text), undefined, text);
  }
});

test('RFC 9651 4.2: blanks around commas and spaces at both ends are allowed, and nothing is an empty dictionary', () => {
  assert.deepEqual(Object.keys(read('  a \t,\t b=2  ') ?? {}), ['a', 'b']);
  assert.deepEqual(read(''), {});
  assert.deepEqual(read('  '), {});
});

test('what is printed is read back, and any text is read or refused', () => {
  const key = fc.stringMatching(/^[a-z*][a-z0-9_.*-]{0,6}$/);
  const member = fc.oneof(
    fc
      .integer({ min: -999_999_999_999_999, max: 999_999_999_999_999 })
      .map((value) => ({ text: `=${value}`, value })),
    fc
      .stringMatching(/^[ -~]{0,8}$/)
      .map((value) => ({ text: `="${value.replace(/["\\]/g, '\\$&')}"`, value })),
    fc.stringMatching(/^[A-Za-z*][A-Za-z0-9:/*-]{0,8}$/).map((value) => ({ text: `=${value}`, value })),
    fc.boolean().map((value) => ({ text: value ? '' : '=?0', value })),
  );
  const dictionary = fc.uniqueArray(fc.tuple(key, member), { selector: ([name]) => name, maxLength: 6 });
  fc.assert(
    fc.property(dictionary, (all) => {
      const members = parseDictionary(all.map(([name, { text }]) => `${name}${text}`).join(' ,\t'));
      assert.deepEqual(
        [...(members ?? [])].map(([name, found]) => [name, 'value' in found ? found.value : undefined]),
        all.map(([name, { value }]) => [name, value === 0 ? 0 : value]),
      );
    }),
  );
  fc.assert(
    fc.property(fc.stringMatching(/^[a1=,;()" .?:@%\\-]{0,30}$/), (text) => void parseDictionary(text)),
  );
});
