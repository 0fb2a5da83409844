import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../store/index.ts';
import { scratch } from '../testing/topic.ts';
import { type Webhook, WebhookTable } from './webhook-table.ts';

const webhook: Webhook = {
  ...{ id: 'a', view: 'news', url: 'http://example.org/', secret: 'whsec_', createdAt: 1, sent: null },
  ...{ state: 'active', failures: 0, nextTryAt: 0, error: null, lastSentAt: null },
};

test('a webhook that cannot be written is not in the table', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'webhooks'));
  let isFull = true;
  const table = await WebhookTable.open({
    ...database,
    batch: (writes, options) =>
      isFull ? Promise.reject(new Error('the disk is full')) : database.batch(writes, options),
  });
  await assert.rejects(table.add(webhook), /the disk is full/);
  assert.deepEqual([table.size, table.find('a')], [0, undefined]);
  isFull = false;
  await table.add(webhook);
  assert.deepEqual(table.all(), [webhook]);
});
