import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecentInvalidations } from '../fetching/recent-invalidations.ts';
import { RecentDecisions } from '../reporting/recent-decisions.ts';
import { urlKey } from './url-key.ts';

const long = (at: number) => `http://a.example/${'x'.repeat(30_000)}/${at}`;

test('long URLs are replaced by their hashes, each by its own', () => {
  assert.equal(urlKey('http://a.example/'), 'http://a.example/');
  assert.equal(urlKey(long(1)).length, 45);
  assert.notEqual(urlKey(long(1)), urlKey(long(2)));
  const changes = new RecentInvalidations();
  changes.note(long(1));
  changes.noteMade(long(1));
  assert.deepEqual([changes.since(0, long(1)), changes.since(0, long(2))], [true, false]);
  assert.deepEqual([changes.isUnseen(long(1)), changes.isUnseen(long(2))], [true, false]);
  changes.seen(long(1));
  assert.equal(changes.isUnseen(long(1)), false);
  const decisions = new RecentDecisions();
  const decision = { outcome: 'miss', rule: 'not-stored' } as const;
  decisions.note({ atMs: 1, method: 'GET', url: long(1), status: 200, decision });
  assert.equal(decisions.about(long(1), 8)[0]?.url, long(1));
  assert.equal(decisions.about(long(2), 8).length, 0);
});
