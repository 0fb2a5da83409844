import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Fields } from '../rules/fields/fields.ts';
import { defaultPolicy } from '../rules/policy.ts';
import { reuse } from '../rules/reuse.ts';
import { withDirective } from './outgoing-fields.ts';

test('a directive that is put into a request outweighs what the client says with the same name', () => {
  const sent = withDirective(
    ['Accept', 'a', 'cache-control', 'max-age=3600', 'Cache-Control', 'max-age=0'],
    'max-age=0',
  );
  const receivedAtMs = Date.UTC(2026, 10, 1);
  const { kind, rule } = reuse({
    requestFields: new Fields(sent),
    head: {
      url: 'http://a/',
      status: 200,
      reason: 'OK',
      fields: ['Cache-Control', 'max-age=60', 'Date', new Date(receivedAtMs).toUTCString()],
      requestedAtMs: receivedAtMs,
      receivedAtMs,
      selecting: [],
      authorized: false,
    },
    invalidated: false,
    nowMs: receivedAtMs + 3000,
    policy: defaultPolicy,
    fromCache: true,
  });
  assert.deepEqual([kind, rule], ['validate', 'request-max-age']);
  assert.deepEqual(withDirective(['Cache-Control', 'no-cache, max-age=0'], 'max-age=0'), [
    'Cache-Control',
    'no-cache, max-age=0',
  ]);
});
