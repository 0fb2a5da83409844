import assert from 'node:assert/strict';
import { test } from 'node:test';
import { connectFault } from './errors.ts';

test('a failed look-up and a refused connection have errors of their own in every protocol', () => {
  const kind = (code: string) =>
    connectFault(Object.assign(new Error(code), { code }), 'a.test', 'a.test:70')?.code;
  assert.equal(kind('ENOTFOUND'), 'FETCH_HOST_UNKNOWN');
  assert.equal(kind('EAI_AGAIN'), 'FETCH_RESOLVER');
  assert.equal(kind('ECONNREFUSED'), 'FETCH_REFUSED');
  assert.equal(kind('ECONNRESET'), undefined);
});
