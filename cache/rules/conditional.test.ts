import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  asksOrigin,
  ifRangeHolds,
  notModified,
  notModifiedFields,
  strongLastModified,
} from './conditional.ts';
import { Fields, type RawFields } from './fields/fields.ts';
import type { StoredHead } from './stored-head.ts';

const receivedAtMs = Date.UTC(2026, 5, 10, 12);
const changed = 'Wed, 10 Jun 2026 10:00:00 GMT';
const later = 'Wed, 10 Jun 2026 11:00:00 GMT';
const earlier = 'Wed, 10 Jun 2026 09:00:00 GMT';

function head(fields: RawFields, status = 200): StoredHead {
  return {
    url: 'http://a.example/',
    status,
    reason: '',
    fields,
    requestedAtMs: receivedAtMs,
    receivedAtMs,
    selecting: [],
    authorized: false,
  };
}

const answered304 = (request: RawFields, stored: RawFields, status = 200) =>
  notModified(new Fields(request), head(stored, status));

test('RFC 9110 13.1.2: If-None-Match names the stored tag, weak or strong, anywhere in its list', () => {
  const tag = ['ETag', '"abc"'];
  assert.equal(answered304(['If-None-Match', '"abc"'], tag), true);
  assert.equal(answered304(['If-None-Match', 'W/"abc"'], tag), true);
  assert.equal(answered304(['If-None-Match', '"abc"'], ['ETag', 'W/"abc"']), true);
  assert.equal(answered304(['If-None-Match', '"abc", "x"'], tag), true);
  assert.equal(answered304(['If-None-Match', '"x","abc" , "y"'], tag), true);
  assert.equal(answered304(['If-None-Match', '"x"', 'If-None-Match', '"abc"'], tag), true);
  assert.equal(answered304(['If-None-Match', '"x"'], tag), false);
  assert.equal(answered304(['If-None-Match', '"ABC"'], tag), false);
  assert.equal(answered304(['If-None-Match', '"abc"'], []), false);
});

test('RFC 9110 8.8.3: a tag may hold commas and bytes above ASCII', () => {
  assert.equal(answered304(['If-None-Match', '"a,b\xe4"'], ['ETag', '"a,b\xe4"']), true);
  assert.equal(answered304(['If-None-Match', '"a,b"'], ['ETag', '"a"']), false);
});

test('a tag against the grammar equals only itself', () => {
  for (const odd of ['w/"abc"', 'W\\"abc"', 'W"abc"', 'a b']) {
    assert.equal(answered304(['If-None-Match', odd], ['ETag', odd]), true, odd);
    assert.equal(answered304(['If-None-Match', '"abc"'], ['ETag', odd]), false, odd);
  }
  assert.equal(answered304(['If-None-Match', 'abc'], ['ETag', 'abc']), true);
  assert.equal(answered304(['If-None-Match', '"abc"'], ['ETag', 'abc']), false);
});

test('RFC 9110 13.1.2: If-None-Match: * is met by whatever is stored', () => {
  assert.equal(answered304(['If-None-Match', '*'], []), true);
  assert.equal(answered304(['If-None-Match', '"*"'], ['ETag', '"abc"']), false);
});

test('RFC 9110 13.1.3: If-None-Match makes If-Modified-Since void', () => {
  const both = ['If-None-Match', '"x"', 'If-Modified-Since', later];
  assert.equal(answered304(both, ['ETag', '"abc"', 'Last-Modified', changed]), false);
});

test('RFC 9111 4.3.2: If-Modified-Since is held against Last-Modified', () => {
  const since = (date: string) => answered304(['If-Modified-Since', date], ['Last-Modified', changed]);
  assert.equal(since(changed), true);
  assert.equal(since(later), true);
  assert.equal(since(earlier), false);
  assert.equal(since('Wednesday, 10-Jun-26 10:00:00 GMT'), true);
  assert.equal(since('Wed Jun 10 10:00:00 2026'), true);
  assert.equal(since('yesterday'), false);
});

test('RFC 9111 4.3.2: without Last-Modified it is held against Date, without that against the time of receipt', () => {
  assert.equal(answered304(['If-Modified-Since', later], ['Date', changed]), true);
  assert.equal(answered304(['If-Modified-Since', earlier], ['Date', changed]), false);
  assert.equal(answered304(['If-Modified-Since', later], []), false);
  assert.equal(answered304(['If-Modified-Since', 'Wed, 10 Jun 2026 12:00:00 GMT'], []), true);
});

test('RFC 9110 13.2.1: what is no success is given as it is', () => {
  assert.equal(answered304(['If-None-Match', '"a"'], ['ETag', '"a"'], 404), false);
  assert.equal(answered304(['If-Modified-Since', later], ['Last-Modified', changed], 301), false);
});

test('RFC 9111 4.3.2: If-Match and If-Unmodified-Since are for the origin', () => {
  assert.equal(asksOrigin(new Fields(['If-Match', '"a"'])), true);
  assert.equal(asksOrigin(new Fields(['If-Unmodified-Since', later])), true);
  assert.equal(asksOrigin(new Fields(['If-None-Match', '"a"'])), false);
});

test('RFC 9110 13.1.5: If-Range holds by strong comparison of tags alone', () => {
  const holds = (condition: string, stored: RawFields) =>
    ifRangeHolds(new Fields(['If-Range', condition]), head(stored));
  assert.equal(holds('"a"', ['ETag', '"a"']), true);
  assert.equal(holds('W/"a"', ['ETag', 'W/"a"']), false);
  assert.equal(holds('"a"', ['ETag', 'W/"a"']), false);
  assert.equal(holds('"a"', ['ETag', '"b"']), false);
  assert.equal(holds('"a"', []), false);
  assert.equal(ifRangeHolds(new Fields([]), head([])), true);
});

test('RFC 9110 13.1.5: a date in If-Range is Last-Modified to the letter, and that is a second older than Date', () => {
  const holds = (condition: string, stored: RawFields) =>
    ifRangeHolds(new Fields(['If-Range', condition]), head(stored));
  assert.equal(holds(changed, ['Last-Modified', changed, 'Date', later]), true);
  assert.equal(holds(later, ['Last-Modified', changed, 'Date', later]), false);
  assert.equal(holds('Wednesday, 10-Jun-26 10:00:00 GMT', ['Last-Modified', changed, 'Date', later]), false);
  assert.equal(holds(changed, ['Last-Modified', changed, 'Date', changed]), false);
  assert.equal(holds(changed, ['Last-Modified', changed]), false);
  assert.equal(holds('nonsense', ['Last-Modified', 'nonsense', 'Date', later]), false);
});

test('RFC 9110 8.8.2.2: Last-Modified is strong from a second before Date on', () => {
  const at = (date: string) => strongLastModified(head(['Last-Modified', changed, 'Date', date]));
  assert.equal(at('Wed, 10 Jun 2026 10:00:01 GMT'), changed);
  assert.equal(at('Wed, 10 Jun 2026 10:00:00 GMT'), undefined);
  assert.equal(at(earlier), undefined);
});

test('RFC 9110 15.4.5: a 304 carries what updates a cache and nothing of the representation', () => {
  const full = [
    'Date',
    later,
    'ETag',
    '"a"',
    'Last-Modified',
    changed,
    'content-type',
    'text/html',
    'VARY',
    'Foo',
  ];
  const rest = [
    'Cache-Control',
    'max-age=1',
    'Expires',
    later,
    'Content-Location',
    '/x',
    'Content-Length',
    '3',
  ];
  assert.deepEqual(notModifiedFields([...full, ...rest]), [
    ...['Date', later, 'ETag', '"a"', 'VARY', 'Foo'],
    ...['Cache-Control', 'max-age=1', 'Expires', later, 'Content-Location', '/x'],
  ]);
  const untagged = ['Last-Modified', changed, 'Date', later];
  assert.deepEqual(notModifiedFields(untagged), untagged);
});
