import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { AddressGuard } from '../../fetch/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { cacheErrors } from '../errors.ts';
import { Origins } from './upstream-target.ts';

const guard = new AddressGuard(['http://127.0.0.1:8080/', 'http://[::1]:8080/']);
const authority = fc.constantFrom(
  ...['www.example.org', 'www.example.org:80', 'www.example.org:443', 'other.example:8080'],
  ...['127.0.0.1:8080', '[::1]:8080', '127.0.0.1:8081', '10.0.0.1', '[::1]'],
);
const path = fc.constantFrom('', '/', '/a', '/a?b=c', '?q=/a', '//a:b/', '/http://x/');
const url = fc
  .tuple(fc.constantFrom('http', 'https', 'ftp'), authority, path)
  .map(([scheme, where, rest]) => `${scheme}://${where}${rest}`);

function outcome(origins: Origins, asked: string, asHost: string | undefined) {
  try {
    return origins.of(asked, asHost);
  } catch (error) {
    assert.ok(isGarnerError(error));
    return error.code;
  }
}

test('a cached place equals a newly found one', () => {
  const known = new Origins(guard);
  fc.assert(
    fc.property(url, fc.option(fc.constant('named.example'), { nil: undefined }), (asked, asHost) => {
      const fresh = outcome(new Origins(guard), asked, asHost);
      for (let turn = 0; turn < 2; turn += 1) assert.deepEqual(outcome(known, asked, asHost), fresh);
    }),
    { numRuns: 500 },
  );
});

test('a private address is refused however often it is asked for', () => {
  const origins = new Origins(guard);
  for (let turn = 0; turn < 3; turn += 1)
    assert.throws(
      () => origins.of('http://10.0.0.1/a'),
      (error) => isGarnerError(error, cacheErrors.CACHE_ADDRESS_REFUSED),
    );
  assert.equal(origins.of('http://127.0.0.1:8080/a').path, '/a');
});
