import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { withoutConnectionFields } from './fields/connection-fields.ts';
import { Fields } from './fields/fields.ts';
import { listMembers } from './fields/list-members.ts';
import { invalidatedUrls, isSafeMethod } from './invalidation.ts';
import { surrogateKeys } from './surrogate-keys.ts';

test('RFC 9110 7.6.1: fields of the connection and those that Connection nominates go no further', () => {
  const standard = [
    'Connection',
    'Keep-Alive',
    'Proxy-Connection',
    'TE',
    'Transfer-Encoding',
    'Upgrade',
    'Trailer',
  ];
  const proxy = ['Proxy-Authenticate', 'Proxy-Authorization', 'Proxy-Authentication-Info', 'HTTP2-Settings'];
  const hop = [...standard, ...proxy].flatMap((name) => [name, 'x']);
  assert.deepEqual(withoutConnectionFields([...hop, 'Foo', '1']), ['Foo', '1']);
  const nominated = [
    'A',
    '1',
    'connection',
    'a, "b", B',
    'b',
    '2',
    'CONNECTION',
    'close,,C',
    'C',
    '3',
    'D',
    '4',
  ];
  assert.deepEqual(withoutConnectionFields(nominated), ['D', '4']);
  const untouched = ['Foo', '1', 'Bar', '2'];
  assert.equal(withoutConnectionFields(untouched), untouched);
});

test('RFC 9110 7.6.1: Connection cannot take away what is meant for every recipient', () => {
  for (const name of [
    'Cache-Control',
    'Host',
    'Content-Length',
    'Authorization',
    'Cookie',
    'Vary',
    'Range',
  ]) {
    assert.deepEqual(withoutConnectionFields(['Connection', name, name, 'x']), [name, 'x'], name);
  }
});

test('RFC 9111 4.4: after a change its own URL and those it names at the same origin no longer hold', () => {
  const url = 'http://a.example/dir/form?x=1';
  const after = (status: number, ...fields: string[]) => invalidatedUrls(url, status, new Fields(fields));
  assert.deepEqual(after(200), [url]);
  assert.deepEqual(after(303, 'Location', '/new'), [url, 'http://a.example/new']);
  assert.deepEqual(after(200, 'Content-Location', 'new'), [url, 'http://a.example/dir/new']);
  assert.deepEqual(after(201, 'Location', 'HTTP://A.example:80/new#top'), [url, 'http://a.example/new']);
  assert.deepEqual(after(200, 'Location', '/a/../b'), [url, 'http://a.example/a/../b', 'http://a.example/b']);
  assert.deepEqual(after(200, 'Location', url), [url]);
});

test('RFC 9111 4.4: URLs of another origin still hold', () => {
  const url = 'http://a.example/';
  const elsewhere = [
    'http://b.example/',
    'https://a.example/',
    '//b.example/',
    'http://a.example:81/',
    'http://a.example.b/',
  ];
  for (const location of [
    ...elsewhere,
    'http://x@a.example/y',
    'http:',
    ':',
    '\\\\b.example/',
    'mailto:x@y',
  ]) {
    const urls = invalidatedUrls(url, 200, new Fields(['Location', location, 'Content-Location', location]));
    for (const each of urls) assert.ok(each.startsWith(url), each);
  }
});

test('RFC 9111 4.4: an error invalidates nothing', () => {
  for (const status of [100, 400, 404, 500, 503]) {
    assert.deepEqual(invalidatedUrls('http://a.example/', status, new Fields(['Location', '/x'])), []);
  }
});

test('RFC 9111 4.4: an unknown method is unsafe', () => {
  for (const method of ['GET', 'HEAD', 'OPTIONS', 'TRACE']) assert.equal(isSafeMethod(method), true);
  for (const method of ['POST', 'PUT', 'DELETE', 'PATCH', 'FOO', 'M-SEARCH', 'get']) {
    assert.equal(isSafeMethod(method), false, method);
  }
});

test('surrogate keys are read from their three fields, each once', () => {
  const fields = ['Surrogate-Key', ' a  b,c ', 'surrogate-key', 'd', 'Cache-Tag', 'e,f , a', 'xkey', 'g h,i'];
  assert.deepEqual(surrogateKeys(new Fields(fields)), ['a', 'b,c', 'd', 'e', 'f', 'g', 'h', 'i']);
  assert.deepEqual(surrogateKeys(new Fields(['Surrogate-Key', '', 'xkey', ' , '])), []);
});

test('surrogate keys are at most 64 of 256 bytes of visible ASCII', () => {
  const many = Array.from({ length: 70 }, (_, n) => `k${n}`);
  assert.deepEqual(surrogateKeys(new Fields(['Surrogate-Key', many.join(' ')])), many.slice(0, 64));
  const long = 'x'.repeat(256);
  assert.deepEqual(surrogateKeys(new Fields(['Surrogate-Key', `${long} ${long}x \xe4 y\x01 z`])), [
    long,
    'z',
  ]);
});

test('property: a list is read as its members, whatever commas they quote', () => {
  const member = fc.oneof(
    fc.stringMatching(/^[!#-+--~]{1,6}$/),
    fc.stringMatching(/^"([ !#-[\]-~]|\\[ -~]){0,6}"$/),
  );
  const gap = fc.stringMatching(/^[ \t]{0,2}(,[ \t]{0,2}){0,2}$/);
  fc.assert(
    fc.property(fc.array(fc.tuple(member, gap), { maxLength: 6 }), (parts) => {
      const written = parts.map(([text, blank]) => `${blank}${text}${blank.replaceAll(',', ' ')}`).join(',');
      assert.deepEqual(
        listMembers(written),
        parts.map(([text]) => text),
      );
    }),
  );
});
