import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { matchesEtag } from './answer.ts';
import { isCompressible, preferredCoding, weights } from './encoding.ts';
import { hostName, isLoopback } from './host-names.ts';

test('the coding follows the weights', () => {
  for (const [header, expected] of [
    [undefined, undefined],
    ['', undefined],
    ['identity', undefined],
    ['gzip', 'gzip'],
    ['x-gzip', 'gzip'],
    ['gzip, deflate, br, zstd', 'br'],
    ['gzip;q=1.0, br;q=0.1', 'gzip'],
    ['br;q=0, *', 'gzip'],
    ['*', 'br'],
    ['*;q=0', undefined],
    ['gzip;q=0.2, identity;q=0.9', undefined],
    ['GZIP', 'gzip'],
    ['gzip;q=nonsense', undefined],
    ['gzip;q=2', undefined],
  ] as const)
    assert.equal(preferredCoding(header), expected, String(header));
});

test('no header breaks the reading of weights', () => {
  fc.assert(
    fc.property(fc.string({ maxLength: 300 }), (header) => {
      for (const weight of weights(header).values()) assert.ok(weight >= 0 && weight <= 1);
      assert.ok(weights(header).size <= 64);
    }),
  );
});

test('text shrinks, pictures and event streams are left alone', () => {
  for (const type of [
    'text/html; charset=utf-8',
    'application/json',
    'image/svg+xml',
    'application/atom+xml',
  ])
    assert.equal(isCompressible(type), true, type);
  for (const type of ['image/png', 'application/zip', 'text/event-stream', '', 'application/octet-stream'])
    assert.equal(isCompressible(type), false, type);
});

test('entity tags compare weakly', () => {
  assert.equal(matchesEtag('"a"', 'W/"a"'), true);
  assert.equal(matchesEtag('W/"b" , "a"', '"a"'), true);
  assert.equal(matchesEtag('"ab"', '"a"'), false);
  assert.equal(matchesEtag('a', '"a"'), false);
  assert.equal(matchesEtag(undefined, '"a"'), false);
});

test('host names come without port, and malformed ones not at all', () => {
  assert.equal(hostName('Example.ORG.:80'), 'example.org');
  assert.equal(hostName('[::1]:80'), '[::1]');
  for (const bad of ['', 'a b', 'user@host', 'a/b', 'a:b', '::1', 'a:123456'])
    assert.equal(hostName(bad), undefined, bad);
  for (const loopback of ['127.0.0.1', '127.9.9.9', '::1', '[::1]', 'localhost', 'x.localhost'])
    assert.equal(isLoopback(loopback), true, loopback);
  for (const other of ['128.0.0.1', '0.0.0.0', '::', 'localhost.evil', '127.0.0.1.evil', '[::2]'])
    assert.equal(isLoopback(other), false, other);
});
