import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cacheSettings } from '../settings.ts';
import { Fields } from './fields/fields.ts';
import { defaultPolicy } from './policy.ts';
import { ruleAdvice } from './rule-advice.ts';
import { ruleNames, ruleSentence } from './rule-names.ts';
import { storability } from './storable.ts';

test('a rule is explained with its section and in plain English', () => {
  const { rule } = storability(
    { method: 'GET', url: 'http://a.example/', fields: new Fields([]) },
    { status: 200, fields: new Fields(['Cache-Control', 'no-store']), receivedAtMs: 0 },
    defaultPolicy,
  );
  assert.deepEqual(ruleSentence(rule), {
    section: 'RFC 9111 5.2.2.5',
    sentence: 'the response has no-store',
  });
});

test('advice names settings that there are', () => {
  const known = new Set(cacheSettings.map(({ key }) => key));
  const advised = ruleNames.flatMap((name) => ruleAdvice(name) ?? []);
  assert.ok(advised.length > 20);
  const named = advised.flatMap((advice) => advice.match(/cache\.[a-z-]+/g) ?? []);
  assert.ok(named.length > 10);
  for (const key of named) assert.ok(known.has(key), key);
});
