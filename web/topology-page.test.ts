import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../kernel/index.ts';
import { topologyPage } from './topology-page.ts';

test('the picture of a topology is made once for all its readers', () => {
  const clock = new ManualClock();
  const page = topologyPage({ title: 'The town', clock });
  const json = { version: 'a', nodes: [], edges: [], more: [] };
  const first = page({ json });
  assert.match(String(first.body), /data-version="a"/);
  clock.advance(5000);
  const headers = { vary: 'accept' };
  const second = page({ json, headers });
  // The time of the page would differ if it were made again.
  assert.equal(second.body, first.body);
  assert.equal(second.headers?.vary, 'accept');
  assert.match(String(page({ json: { ...json, version: 'b' } }).body), /data-version="b"/);
  assert.match(String(page({ json }).body), /data-version="a"/);
  assert.deepEqual(page({ json: { error: 'none' } }).json, { error: 'none' });
});
