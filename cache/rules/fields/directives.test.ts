import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../../kernel/testing/cpu-time.ts';
import { parseDirectives } from './directives.ts';

const seconds = (line: string, name = 'max-age') => parseDirectives([line]).seconds(name);

test('RFC 9111 5.2: names are compared without regard to case, and what is unknown is kept', () => {
  const read = parseDirectives(['Foobar, MaX-aGe=3600', 'NO-store']);
  assert.equal(read.has('foobar'), true);
  assert.equal(read.seconds('max-age'), 3600);
  assert.equal(read.has('no-store'), true);
  assert.equal(read.has('no-cache'), false);
});

test('RFC 9111 5.2: an argument may be a token or a quoted string', () => {
  assert.equal(seconds('max-age="3600"'), 3600);
  assert.equal(seconds('max-age="36\\00"'), 3600);
  assert.equal(seconds("max-age='3600'"), 'invalid');
});

test('RFC 9111 5.2: a directive within a quoted string is none', () => {
  assert.equal(seconds('extension="max-age=3600", max-age=1'), 1);
  assert.equal(seconds('max-age=1, extension="max-age=3600"'), 1);
  assert.equal(seconds('extension="a\\", max-age=3600"'), undefined);
  assert.equal(parseDirectives(['x="no-store"']).has('no-store'), false);
});

test('RFC 9111 1.2.2: delta-seconds are digits only, and those too large are 2^31', () => {
  assert.equal(seconds('max-age=003600'), 3600);
  assert.equal(seconds('max-age=99999999999'), 2 ** 31);
  assert.equal(seconds(`max-age=${'9'.repeat(400)}`), 2 ** 31);
  for (const wrong of [
    '',
    '=',
    '=-1',
    '=1.0',
    '=1.5',
    '=a1',
    '=1a',
    '= 1',
    ' =1',
    '=1 2',
    '="1',
    '=1"',
    '=""',
    '=0x1',
  ]) {
    assert.equal(seconds(`max-age${wrong}`), 'invalid', wrong);
  }
  assert.equal(seconds('max-age=1 ,no-store'), 1);
});

test('RFC 9111 4.2.1: of a directive that comes twice the first counts', () => {
  assert.equal(seconds('max-age=1800, max-age=1'), 1800);
  assert.equal(parseDirectives(['max-age=1', 'max-age=1800']).seconds('max-age'), 1);
});

test('RFC 9111 5.2.2.4: a qualified directive names fields, a bare one the whole response', () => {
  const names = (line: string) => parseDirectives([line]).fieldNames('no-cache');
  assert.deepEqual(names('no-cache="A, b"'), ['a', 'b']);
  assert.equal(names('no-cache=A'), undefined);
  assert.deepEqual(parseDirectives(['no-cache="a"', 'no-cache="b"']).fieldNames('no-cache'), ['a', 'b']);
  assert.equal(names('no-cache'), undefined);
  assert.equal(names('no-cache="a", no-cache'), undefined);
  assert.equal(names('no-cache=""'), undefined);
  assert.equal(names('no-cache="a b"'), undefined);
  assert.equal(names('no-cache="a'), undefined);
  assert.equal(names('private'), undefined);
});

test('a quote that never ends hides no directive and lends none an argument', () => {
  const read = parseDirectives(['foo="bar, no-store, max-age=3600', 's-maxage=9']);
  assert.equal(read.has('no-store'), true);
  assert.equal(read.seconds('max-age'), 'invalid');
  assert.equal(read.seconds('s-maxage'), 9);
});

test('a directive without an argument differs from one with an argument', () => {
  assert.equal(parseDirectives(['max-stale']).isBare('max-stale'), true);
  assert.equal(parseDirectives(['max-stale=1']).isBare('max-stale'), false);
  assert.equal(parseDirectives(['max-stale=']).isBare('max-stale'), false);
  assert.equal(parseDirectives(['']).isBare('max-stale'), false);
});

const token = fc.stringMatching(/^[!#$%&'*+.^_`|~0-9A-Za-z-]{1,8}$/);
const text = fc.string({ maxLength: 10 });
const quoted = (value: string) => `"${value.replace(/["\\]/g, '\\$&')}"`;

test('what is printed by the grammar is read as it was meant, wherever commas and blanks stand', () => {
  const one = fc.record({
    name: token,
    value: fc.option(fc.oneof(fc.nat(), token), { nil: undefined }),
    other: text,
  });
  fc.assert(
    fc.property(fc.uniqueArray(one, { selector: ({ name }) => name.toLowerCase(), maxLength: 6 }), (all) => {
      const line = all
        .map(
          ({ name, value, other }) =>
            `${name}${value === undefined ? '' : `=${value}`} ,, x-${name}=${quoted(other)}`,
        )
        .join('\t, ');
      const read = parseDirectives([line]);
      for (const { name, value } of all) {
        assert.equal(read.has(name.toLowerCase()), true);
        assert.equal(read.has(`x-${name.toLowerCase()}`), true);
        if (all.some((each) => `x-${each.name}`.toLowerCase() === name.toLowerCase())) continue;
        assert.equal(read.isBare(name.toLowerCase()), value === undefined);
        if (typeof value === 'number') assert.equal(read.seconds(name.toLowerCase()), value);
      }
    }),
  );
});

test('a line that was read before says the same again, whatever was read between', () => {
  const names = ['a', 'max-age', 'no-store', 'private', 'no-cache'];
  const said = (line: string) => {
    const read = parseDirectives([line]);
    return names.map((name) => [
      read.has(name),
      read.isBare(name),
      read.seconds(name),
      read.fieldNames(name),
    ]);
  };
  const line = fc
    .array(fc.constantFrom(...names, '=', '"', ',', ' ', '10', 'é', '\u{1f41d}'), { maxLength: 12 })
    .map((parts) => parts.join(''));
  fc.assert(
    fc.property(fc.array(line, { minLength: 1, maxLength: 300 }), (lines) => {
      const first = lines.map(said);
      // Two lines are never cached together, so each name is parsed again.
      for (const [at, one] of lines.entries()) {
        assert.deepEqual(said(one), first[at]);
        const fresh = parseDirectives([one, '']);
        assert.deepEqual(
          names.map((name) => fresh.has(name)),
          names.map((name) => parseDirectives([one]).has(name)),
        );
      }
    }),
    { numRuns: 50 },
  );
});

test('any line is read, in time that grows with its length only', async () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a=", \t\\]{0,40}$/), (line) => {
      assert.equal(parseDirectives([`${line.replaceAll('"', '')}, no-store`]).has('no-store'), true);
      parseDirectives([line]);
    }),
  );
  for (const part of [',=', ' ', 'a="\\",', 'a="', '"', 'a  ', '=', 'a=" ', '\t,'])
    await assertCpuMs(1000, () => parseDirectives([part.repeat(30_000)]), JSON.stringify(part));
});
