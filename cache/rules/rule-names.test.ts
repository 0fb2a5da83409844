import assert from 'node:assert/strict';
import { test } from 'node:test';
import { defaultPolicy, Fields, ruleSentence, storability } from './index.ts';

test('a rule that decided is told with its section and in plain words', () => {
  const { rule } = storability(
    { method: 'GET', url: 'http://a.example/', fields: new Fields([]) },
    { status: 200, fields: new Fields(['Cache-Control', 'no-store']), receivedAtMs: 0 },
    defaultPolicy,
  );
  assert.deepEqual(ruleSentence(rule), {
    section: 'RFC 9111 5.2.2.5',
    sentence: 'the response said no-store',
  });
});
