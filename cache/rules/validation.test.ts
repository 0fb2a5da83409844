import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { listedTags, usableTag } from './fields/entity-tag.ts';
import { Fields, type RawFields } from './fields/fields.ts';
import type { StoredHead } from './stored-head.ts';
import { freshenedBy, headAfter304, headAfterHead, validationFields } from './validation.ts';
import { selectingFields } from './vary.ts';

const changed = 'Wed, 10 Jun 2026 10:00:00 GMT';
const later = 'Wed, 10 Jun 2026 11:00:00 GMT';

function head(fields: RawFields, receivedAtMs = 1000, request: RawFields = []): StoredHead {
  const selecting = selectingFields(new Fields(fields).lines('vary'), new Fields(request));
  return {
    url: 'http://a.example/',
    status: 200,
    reason: 'OK',
    fields,
    requestedAtMs: receivedAtMs - 1,
    receivedAtMs,
    selecting: selecting === '*' ? [] : selecting,
    authorized: false,
  };
}

const asked = (heads: readonly StoredHead[], request: RawFields = []) =>
  validationFields(heads, new Fields(request));

test('RFC 9111 4.3.1: both validators of the stored response are sent, to the letter', () => {
  assert.deepEqual(asked([head(['ETag', '"a"', 'Last-Modified', changed])]), [
    ...['If-None-Match', '"a"', 'If-Modified-Since', changed],
  ]);
  assert.deepEqual(asked([head(['ETag', 'W/"a,b"'])]), ['If-None-Match', 'W/"a,b"']);
  assert.deepEqual(asked([head(['Last-Modified', 'Wednesday, 10-Jun-26 10:00:00 GMT'])]), [
    ...['If-Modified-Since', 'Wednesday, 10-Jun-26 10:00:00 GMT'],
  ]);
  assert.deepEqual(asked([head(['ETag', 'abc'])]), ['If-None-Match', 'abc'], 'as the origin spells it');
  assert.deepEqual(asked([head([])]), []);
  assert.deepEqual(asked([]), []);
});

test('RFC 9111 4.3.1: the tags of all variants are sent, but the date of the selected one', () => {
  const one = head(['Vary', 'Foo', 'ETag', '"1"', 'Last-Modified', changed], 1000, ['Foo', '1']);
  const two = head(['Vary', 'Foo', 'ETag', '"2"', 'Last-Modified', later], 1000, ['Foo', '2']);
  assert.deepEqual(asked([one, two], ['Foo', '2']), [
    ...['If-None-Match', '"1", "2"', 'If-Modified-Since', later],
  ]);
  assert.deepEqual(asked([one, two], ['Foo', '3']), ['If-None-Match', '"1", "2"']);
});

test('what cannot stand in a list of tags, or is no date, is not sent', () => {
  for (const tag of ['', '*', '"a', 'a b', 'a"b"', `"${'x'.repeat(2000)}"`]) {
    assert.deepEqual(asked([head(['ETag', tag])]), [], tag);
  }
  assert.deepEqual(asked([head(['Last-Modified', 'today'])]), []);
  assert.deepEqual(asked([head(['Last-Modified', changed, 'Last-Modified', later])]), []);
});

test('at most 16 tags are sent', () => {
  const heads = Array.from({ length: 20 }, (_, n) => head(['ETag', `"${n}"`]));
  assert.equal(asked(heads)[1]?.split(', ').length, 16);
});

const freshened = (heads: readonly StoredHead[], ...fields: string[]) =>
  freshenedBy(heads, new Fields(fields)).map((found) => heads.indexOf(found));

test('RFC 9111 4.3.4: a strong tag freshens all that bear it and no others', () => {
  const heads = [head(['ETag', '"a"']), head(['ETag', '"b"']), head(['ETag', '"a"'])];
  assert.deepEqual(freshened(heads, 'ETag', '"a"'), [0, 2]);
  assert.deepEqual(freshened(heads, 'ETag', '"c"'), []);
  assert.deepEqual(freshened([head(['ETag', '"b"'])], 'ETag', '"a"'), [], 'though it alone was asked about');
});

test('RFC 9111 4.3.4: a weak tag freshens the latest that bears it', () => {
  const heads = [head(['ETag', 'W/"a"'], 1), head(['ETag', 'W/"a"'], 3), head(['ETag', 'W/"b"'], 4)];
  assert.deepEqual(freshened(heads, 'ETag', 'W/"a"'), [1]);
  assert.deepEqual(freshened([head(['ETag', '"a"'])], 'ETag', 'W/"a"'), [0], 'compressed on the way');
});

test('RFC 9111 4.3.4: without a tag Last-Modified freshens the latest that bears it', () => {
  const heads = [head(['Last-Modified', changed], 3), head(['Last-Modified', changed], 1), head([], 9)];
  assert.deepEqual(freshened(heads, 'Last-Modified', changed), [0]);
});

test('RFC 9111 4.3.4: a 304 without validators freshens the only one that was asked about', () => {
  assert.deepEqual(freshened([head([])]), [0]);
  assert.deepEqual(freshened([head(['ETag', '"a"'])]), [0]);
  assert.deepEqual(freshened([head(['Last-Modified', changed])], 'Last-Modified', later), [0]);
  assert.deepEqual(freshened([head([]), head(['ETag', '"a"'])]), [1]);
  assert.deepEqual(freshened([head(['ETag', '"a"']), head(['ETag', '"b"'])]), []);
  assert.deepEqual(freshened([head([]), head([])]), []);
  assert.deepEqual(freshened([], 'ETag', '"a"'), []);
});

const times = { requestedAtMs: 5000, receivedAtMs: Date.UTC(2026, 5, 10, 11) };

test('RFC 9111 3.2: a 304 replaces the fields it brings and leaves the others', () => {
  const stored = head([
    'Test',
    'A',
    'Other',
    'x',
    'test',
    'B',
    'Cache-Control',
    'max-age=1',
    'Date',
    changed,
  ]);
  const brought = ['TEST', 'C', 'Cache-Control', 'max-age=9', 'New', 'n', 'Date', later];
  const after = headAfter304(stored, new Fields(brought), times);
  assert.deepEqual(after, { ...stored, ...times, fields: ['Other', 'x', ...brought] });
});

test('RFC 9111 3.2: what the stored content depends on is not replaced', () => {
  const kept = [
    'Content-Length',
    '10',
    'Content-Encoding',
    'gzip',
    'Content-Range',
    'bytes 0-9/10',
    'Vary',
    'Foo',
  ];
  const brought = ['Content-Length', '0', 'Content-Encoding', 'br', 'Content-Range', 'x', 'Vary', 'Bar'];
  const after = headAfter304(head([...kept, 'Date', later]), new Fields([...brought, 'Date', later]), times);
  assert.deepEqual(after.fields, [...kept, 'Date', later]);
});

test('RFC 9110 8.8.1: what a compressor made weak does not become strong by a 304 that it has no part in', () => {
  const stored = head(['ETag', 'W/"a"', 'Date', changed]);
  const after = (tag: string) =>
    new Fields(headAfter304(stored, new Fields(['ETag', tag, 'Date', later]), times).fields).get('etag');
  assert.deepEqual(['"a"', 'W/"a"', '"b"'].map(after), ['W/"a"', 'W/"a"', '"b"']);
});

test('RFC 9111 3.2: fields of the connection and those that private names are not taken over', () => {
  const brought = [
    'Connection',
    'Foo',
    'Foo',
    '1',
    'Keep-Alive',
    '5',
    'Proxy-Authenticate',
    'x',
    'Date',
    later,
  ];
  assert.deepEqual(headAfter304(head([]), new Fields(brought), times).fields, ['Date', later]);
  const secret = ['Cache-Control', 'private="Secret"', 'Secret', '1', 'Date', later];
  assert.deepEqual(headAfter304(head(['Secret', '0']), new Fields(secret), times).fields, [
    ...['Cache-Control', 'private="Secret"', 'Date', later],
  ]);
});

test('RFC 9111 4.2.3: Age and Date of the first answer do not outlive a 304 without them', () => {
  const stored = head(['Age', '3600', 'Date', changed]);
  assert.deepEqual(headAfter304(stored, new Fields([]), times).fields, ['Date', later]);
});

const afterHead = (stored: RawFields, answer: RawFields, status = 200, length = 10) =>
  headAfterHead(head(stored), { ...head(answer, times.receivedAtMs), status }, length);

test('RFC 9111 4.3.5: a HEAD with the same validators and length freshens what is stored', () => {
  const stored = ['ETag', '"a"', 'Last-Modified', changed, 'Test', '1', 'Content-Length', '10'];
  const answer = [...stored.slice(0, 4), 'Test', '2', 'Content-Length', '10', 'Date', later];
  const after = afterHead(stored, answer);
  assert.deepEqual(after?.fields, [
    ...['Content-Length', '10', 'ETag', '"a"', 'Last-Modified', changed, 'Test', '2', 'Date', later],
  ]);
  assert.equal(after?.receivedAtMs, times.receivedAtMs);
  for (const evidence of [stored.slice(0, 2), stored.slice(2, 4), ['Content-Length', '10']])
    assert.notEqual(afterHead(stored, evidence), undefined, evidence.join());
});

test('RFC 9111 4.3.5: a HEAD with another validator, length or status makes what is stored stale', () => {
  const stored = ['ETag', '"a"', 'Last-Modified', changed];
  assert.equal(afterHead(stored, ['ETag', '"b"']), undefined);
  assert.equal(afterHead(stored, ['Last-Modified', later]), undefined);
  assert.equal(afterHead([], ['ETag', '"b"']), undefined);
  assert.equal(afterHead(stored, ['Content-Length', '11']), undefined);
  assert.equal(afterHead(stored, stored, 410), undefined);
  assert.equal(afterHead(stored, ['Date', later]), undefined, 'nothing that shows it is the same');
});

test('property: a usable tag is itself in a list of tags', () => {
  const tag = fc.oneof(fc.string(), fc.stringMatching(/^(W\/)?"?[ -~]{0,6}"?$/));
  fc.assert(
    fc.property(tag, (text) => {
      const usable = usableTag(text);
      if (usable === undefined) return;
      assert.equal(usable, text);
      assert.deepEqual(listedTags(`"x", ${usable},W/"y"`), ['"x"', usable, 'W/"y"']);
    }),
  );
});

test('property: after a 304 every field it brings is there with its values, and no other has changed', () => {
  const name = fc.constantFrom('A', 'b', 'Cache-Control', 'ETag', 'Content-Type', 'X-Y');
  const fields = fc.array(fc.tuple(name, fc.stringMatching(/^[a-z]{1,4}$/)), { maxLength: 8 });
  fc.assert(
    fc.property(fields, fields, (before, brought) => {
      const after = new Fields(headAfter304(head(before.flat()), new Fields(brought.flat()), times).fields);
      const [old, news] = [new Fields(before.flat()), new Fields(brought.flat())];
      for (const each of ['a', 'b', 'cache-control', 'etag', 'content-type', 'x-y']) {
        assert.deepEqual(after.lines(each), news.has(each) ? news.lines(each) : old.lines(each));
      }
    }),
  );
});
