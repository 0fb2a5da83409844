import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Fields, type RawFields } from './fields/fields.ts';
import type { StoredHead } from './stored-head.ts';
import { choose, matches, selectingFields } from './vary.ts';

const received = Date.UTC(2026, 0, 1);

function stored(vary: readonly string[], request: RawFields, more: RawFields = []): StoredHead {
  const selecting = selectingFields(vary, new Fields(request));
  return {
    url: 'http://a.example/',
    status: 200,
    reason: 'OK',
    fields: [...vary.flatMap((line) => ['Vary', line]), ...more],
    requestedAtMs: received,
    receivedAtMs: received,
    selecting: selecting === '*' ? [] : selecting,
    authorized: false,
  };
}

const same = (vary: string, first: RawFields, second: RawFields) =>
  matches(stored([vary], first), new Fields(second));

test('RFC 9111 4.1: without Vary every request matches', () => {
  assert.equal(matches(stored([], []), new Fields(['Foo', '1'])), true);
});

test('RFC 9111 4.1: what Vary names is the same in both requests or the response is not used', () => {
  assert.equal(same('Foo', ['Foo', '1'], ['foo', '1']), true);
  assert.equal(same('Foo', ['Foo', '1'], ['Foo', '2']), false);
  assert.equal(same('Foo, Bar', ['Foo', '1', 'Bar', 'a'], ['Bar', 'a', 'Foo', '1']), true);
  assert.equal(same('Foo, Bar', ['Foo', '1', 'Bar', 'a'], ['Bar', 'b', 'Foo', '1']), false);
  assert.equal(same('Foo', ['Foo', 'a'], ['Foo', 'A']), false, 'case counts where nothing says otherwise');
});

test('RFC 9111 4.1: a field absent from one request is absent from the other', () => {
  assert.equal(same('Foo', [], []), true);
  assert.equal(same('Foo', ['Foo', '1'], []), false);
  assert.equal(same('Foo', [], ['Foo', '1']), false);
  assert.equal(same('Foo', [], ['Foo', '']), false, 'an empty field is there');
  assert.equal(same('Foo, Bar', ['Foo', '1'], ['Bar', '1']), false);
});

test('RFC 9111 4.1: a Vary with * in whatever place never matches', () => {
  for (const lines of [['*'], ['Foo, *'], ['*, Foo'], [', *'], ['', '*'], ['*', 'Foo'], ['*, *']]) {
    const head = stored(lines, ['Foo', '1']);
    assert.equal(matches(head, new Fields(['Foo', '1'])), false, JSON.stringify(lines));
    assert.equal(selectingFields(lines, new Fields([])), '*');
  }
});

test('a Vary that cannot be read or names more than 32 fields counts as *', () => {
  assert.equal(selectingFields(['Foo Bar'], new Fields([])), '*');
  assert.equal(selectingFields(['"Foo"'], new Fields([])), '*');
  const names = Array.from({ length: 32 }, (_, n) => `X-${n}`);
  assert.deepEqual(selectingFields([names.join()], new Fields([])), []);
  assert.equal(selectingFields([names.join(), 'One-More'], new Fields([])), '*');
});

test('selecting fields are sorted by name in lower case, each once', () => {
  const fields = new Fields(['Foo', '1', 'BAR', ' x ']);
  assert.deepEqual(selectingFields(['Foo', 'bar, FOO'], fields), ['bar', 'x', 'foo', '1']);
});

test('RFC 9111 4.1: lines of one name are combined, and white space about commas means nothing', () => {
  assert.equal(same('Foo', ['Foo', '1', 'Foo', '2'], ['Foo', '1, 2']), true);
  assert.equal(same('Foo', ['Foo', '1,2'], ['Foo', '1 \t,  2']), true);
  assert.equal(same('Foo', ['Foo', '1, 2'], ['Foo', '2, 1']), false, 'nothing says that order means nothing');
  assert.equal(same('Foo', ['Foo', '"1,2"'], ['Foo', '"1, 2"']), false, 'within quotes it counts');
  assert.equal(same('Cookie', ['Cookie', 'a=1,2'], ['Cookie', 'a=1, 2']), false, 'Cookie is no list');
});

test('RFC 9110 12.5: of preferences neither order nor case, spaces or a weight of 1 count', () => {
  const equal: [string, string, string][] = [
    ['Accept-Language', 'en, de', 'de, en'],
    ['Accept-Language', 'en, de', 'en,de'],
    ['Accept-Language', 'en, de', 'eN, De'],
    ['Accept-Language', 'en-GB;q=0.5, de', 'DE , en-gb ; Q=0.500'],
    ['Accept-Language', 'en;q=1.0', 'en'],
    ['Accept-Encoding', 'gzip, deflate, br', 'br;q=1,deflate,gzip'],
    ['Accept-Encoding', 'x-gzip', 'gzip'],
    ['Accept-Charset', 'UTF-8', 'utf-8'],
    ['Accept', 'text/html;level=1, */*;q=0.10', '*/*; q=0.1, TEXT/html; LEVEL=1'],
  ];
  for (const [name, one, other] of equal) {
    assert.equal(same(name, [name, one], [name, other]), true, `${one} | ${other}`);
  }
  const different: [string, string, string][] = [
    ['Accept-Language', 'en, de;q=0.5', 'en;q=0.5, de'],
    ['Accept-Language', 'en, de', 'en'],
    ['Accept-Language', 'en, de;q=0', 'en, de'],
    ['Accept-Encoding', 'gzip;q=0', 'gzip'],
    ['Accept-Encoding', 'gzip;q=2', 'gzip'],
    ['Accept', 'text/html;level=a', 'text/html;level=A'],
    ['Accept', 'text/html;v="1;q=1"', 'text/html;v="1"'],
    ['Accept-Encoding', '', 'gzip'],
  ];
  for (const [name, one, other] of different) {
    assert.equal(same(name, [name, one], [name, other]), false, `${one} | ${other}`);
  }
});

test('a value of more than 4 KiB equals only itself', () => {
  const long = Array.from({ length: 1000 }, (_, n) => `l-${n}`);
  const [one, other] = [long.join(), long.join(', ')];
  for (const name of ['Accept-Language', 'Foo']) {
    assert.equal(same(name, [name, one], [name, one]), true);
    assert.equal(same(name, [name, one], [name, other]), false);
  }
});

test('RFC 9111 4.1: of responses that match the latest by Date is chosen, then the first', () => {
  const dated = (date: string) => ({ head: stored([], [], ['Date', date]), date });
  const early = dated('Mon, 01 Jun 2026 00:00:00 GMT');
  const late = dated('Tue, 02 Jun 2026 00:00:00 GMT');
  assert.equal(choose([early, late]), late);
  assert.equal(choose([late, early]), late);
  const twin = dated(late.date);
  assert.equal(choose([twin, late]), twin);
  assert.equal(choose([]), undefined);
  assert.equal(choose([early]), early);
  const undated = { head: stored([], []), date: 'received in January' };
  assert.equal(choose([undated, early]), early);
});

test('property: a request matches what it stored itself, and with any field it depends on changed it does not', () => {
  const name = fc.stringMatching(/^x-[a-z]{1,4}$/);
  const value = fc.stringMatching(/^[!-~]([ -~]{0,8}[!-~])?$/);
  const request = fc.uniqueArray(fc.tuple(name, value), { minLength: 1, maxLength: 6, selector: ([n]) => n });
  fc.assert(
    fc.property(request, fc.nat(), (pairs, pick) => {
      const vary = pairs.map(([n]) => n.toUpperCase());
      const head = stored([vary.join(', ')], pairs.flat());
      assert.equal(matches(head, new Fields([...pairs].reverse().flat())), true);
      const at = pick % pairs.length;
      const changed = pairs.map(([n, v], index) => (index === at ? [n, `${v}x`] : [n, v]));
      assert.equal(matches(head, new Fields(changed.flat())), false);
      const lacking = pairs.filter((_, index) => index !== at);
      assert.equal(matches(head, new Fields(lacking.flat())), false);
    }),
  );
});

test('property: preferences match in any order and spacing, and only with the same weights', () => {
  const tags: readonly string[] = ['en', 'de', 'fr', 'en-gb', '*'];
  const language = fc.tuple(fc.constantFrom(...tags), fc.integer({ min: 0, max: 9 }));
  const languages = fc.uniqueArray(language, { minLength: 1, selector: ([tag]) => tag });
  fc.assert(
    fc.property(languages, fc.infiniteStream(fc.nat()), (all, chance) => {
      const written = (list: typeof all, gap: string) =>
        list.map(([tag, tenth]) => `${tag}${gap};${gap}q=0.${tenth}`).join(`${gap},${gap}`);
      const keyed = all.map((each) => [chance.next().value, each] as const);
      const shuffled = keyed.sort(([one], [other]) => one - other).map(([, each]) => each);
      const head = stored(['Accept-Language'], ['Accept-Language', written(all, '')]);
      assert.equal(matches(head, new Fields(['Accept-Language', written(shuffled, ' ')])), true);
      const [first, ...rest] = all;
      assert.ok(first !== undefined);
      const heavier = [[first[0], (first[1] + 1) % 10] as [string, number], ...rest];
      assert.equal(matches(head, new Fields(['Accept-Language', written(heavier, '')])), false);
    }),
  );
});
