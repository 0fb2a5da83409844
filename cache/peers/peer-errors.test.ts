import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { assertCpuMs } from '../../kernel/testing/cpu-time.ts';
import { cacheStatus } from '../rules/cache-status.ts';
import { couldNotFetch } from './peer-errors.ts';

const of = (status: number, ...fields: string[]) => couldNotFetch({ status, fields });

test('RFC 9110 15.6: a parent that says 502 or 504 could not fetch, whatever else it says', () => {
  for (const status of [502, 504]) {
    assert.equal(of(status), true);
    assert.equal(
      of(status, 'Via', '1.1 parent', 'Cache-Status', `parent; fwd=miss; fwd-status=${status}`),
      true,
    );
  }
  for (const status of [200, 204, 304, 404, 500, 501, 505, 508, 511])
    assert.equal(of(status), false, `${status}`);
});

test('a 503 that a parent passed on is the answer of the origin', () => {
  assert.equal(of(503, 'Via', '1.1 parent'), false);
  assert.equal(of(503, 'Cache-Status', 'parent; fwd=uri-miss; fwd-status=503'), false);
  assert.equal(of(503, 'Cache-Status', 'top; fwd=uri-miss; fwd-status=503, parent; hit; ttl=3'), false);
  const reported = cacheStatus('parent', { fwd: 'uri-miss', fwdStatus: 503 });
  assert.equal(of(503, 'Via', '1.1 parent', 'Cache-Status', reported), false);
  const origins = 'edge; error=http_response_timeout; received-status=503';
  assert.equal(of(503, 'Via', '1.1 parent', 'Proxy-Status', origins), false);
});

test('a 503 of the parent itself shows by its error, or by no sign of anybody behind it', () => {
  assert.equal(of(503), true);
  assert.equal(of(503, 'Via', '1.1 parent', 'Proxy-Status', 'parent; error=destination_unavailable'), true);
  assert.equal(of(503, 'Via', '1.1 squid', 'X-Squid-Error', 'ERR_CONNECT_FAIL 111'), true);
  assert.equal(of(503, 'Via', '1.1 squid', 'Cache-Status', 'squid;detail=mismatch'), true);
});

test('quoted text is not evaluated, and no text makes that slow', async () => {
  assert.equal(of(503, 'Cache-Status', 'parent; detail="; hit; fwd-status=503"'), true);
  assert.equal(of(503, 'Via', '1.1 p', 'Proxy-Status', 'p; details="; error=x"'), false);
  fc.assert(
    fc.property(
      fc.array(fc.constantFrom('"', '\\', ';', ' error=', 'hit', ','), { maxLength: 200 }),
      (parts) => {
        of(503, 'Cache-Status', parts.join(''), 'Proxy-Status', parts.join(''));
      },
    ),
  );
  for (const bad of ['"', '\\"', '"\\', ';', '; '])
    await assertCpuMs(
      1000,
      () => of(503, 'Cache-Status', `"${bad.repeat(30_000)}`, 'Proxy-Status', bad.repeat(30_000)),
      bad,
    );
});
