import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { namePatterns } from './name-patterns.ts';
import { QueryRules } from './query-rules.ts';

const at = 'http://a.example/x';

test('parameters that change nothing are no part of the key, the others stay byte for byte', () => {
  const rules = new QueryRules({ ignore: ['utm_*', 'gclid'] });
  for (const [query, kept] of [
    ['', ''],
    ['?', '?'],
    ['?utm_source=a', ''],
    ['?utm_', ''],
    ['?gclid', ''],
    ['?a=1&utm_source=a&b=2', '?a=1&b=2'],
    ['?b=%41&&a&gclid=1', '?b=%41&&a'],
    ['?Utm_a=1&gclid2=2&xutm_a=3', '?Utm_a=1&gclid2=2&xutm_a=3'],
    ['?a=1?utm_a=2', '?a=1?utm_a=2'],
    ['?a=utm_b&gclid=#https', '?a=utm_b#https'],
    ['?gclid=1#https', '#https'],
  ] as const)
    assert.equal(rules.keyOf(at + query), at + kept, query);
  assert.equal(rules.keyOf('ftp://a.example/x?gclid=1'), 'ftp://a.example/x?gclid=1');
  assert.equal(new QueryRules().keyOf(`${at}?b&a&gclid`), `${at}?b&a&gclid`);
});

test('sorting keeps the order of those of one name, and what is sent on keeps all of it', () => {
  const rules = new QueryRules({ ignore: ['x'], sort: true, strip: true });
  assert.equal(rules.keyOf(`${at}?b=2&a=3&b=1&x&a=0#https`), `${at}?a=3&a=0&b=2&b=1#https`);
  assert.equal(rules.stripped(`${at}?b=2&a=3&b=1&x&a=0`), `${at}?b=2&a=3&b=1&a=0`);
  assert.equal(rules.strips, true);
  assert.equal(new QueryRules({ sort: true, strip: true }).strips, false);
});

test('a key is its own key, and has the same parameters in whatever order they came', () => {
  const parameter = fc.string({ unit: fc.constantFrom(...'ab=%4u'), maxLength: 4 });
  fc.assert(
    fc.property(
      fc.array(parameter, { maxLength: 6 }),
      fc.boolean(),
      fc.boolean(),
      (parameters, sort, marked) => {
        const rules = new QueryRules({ ignore: ['u*', '4'], sort });
        const url = `${at}?${parameters.join('&')}${marked ? '#https' : ''}`;
        const key = rules.keyOf(url);
        assert.equal(rules.keyOf(key), key);
        const nameOf = (one: string) => one.split('=')[0] ?? '';
        const wanted = parameters.filter((one) => !nameOf(one).startsWith('u') && nameOf(one) !== '4');
        const found = /\?([^#]*)/.exec(key)?.[1]?.split('&') ?? [];
        if (parameters.length > 0) assert.deepEqual([...found].sort(), [...wanted].sort());
        if (!sort) return;
        const turned = [...parameters].sort((one, other) =>
          nameOf(other) < nameOf(one) ? -1 : nameOf(other) > nameOf(one) ? 1 : 0,
        );
        assert.equal(rules.keyOf(`${at}?${turned.join('&')}${marked ? '#https' : ''}`), key);
      },
    ),
  );
});

test('a name is matched whole, with any text for one star', () => {
  const fits = namePatterns(['a', 'b*', '*c', 'd*e']);
  for (const name of ['a', 'b', 'bx', 'c', 'xc', 'de', 'dxe']) assert.equal(fits(name), true, name);
  for (const name of ['', 'ax', 'xa', 'xb', 'cx', 'd', 'e', 'dx']) assert.equal(fits(name), false, name);
  assert.equal(namePatterns(['d*d'])('d'), false);
  for (const entry of ['', 'a b', 'a*b*', 'a&b', 'a=b', 'a;'])
    assert.throws(() => namePatterns([entry]), { code: 'CACHE_NAME_PATTERN' }, entry);
});
