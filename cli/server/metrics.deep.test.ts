import assert from 'node:assert/strict';
import { test } from 'node:test';
import { metricsProvider } from './metrics.ts';

test('a process is measured by the roles that it has, and each but once', async () => {
  const names = async (role: Parameters<typeof metricsProvider>[0]) =>
    new Set((await metricsProvider(role).text()).match(/^# TYPE garner_\S+/gm)?.map((line) => line.slice(7)));
  assert.deepEqual([...(await names('cache'))], ['garner_http_request_seconds']);
  const gatherer = await names('gatherer');
  assert.ok(gatherer.has('garner_documents_total') && gatherer.has('garner_store_batch_seconds'));
  assert.ok(!gatherer.has('garner_query_seconds'));
  const both = await names('broker');
  assert.ok(both.has('garner_query_seconds') && both.has('garner_documents_total'));
  assert.deepEqual(await names('gatherer'), both);
});
