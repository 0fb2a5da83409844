import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Site } from '../testing/folder-site.ts';

test('a data folder is filled after a run has ended, and stays so; an aborted run does not fill it', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  assert.equal(site.gatherer.filled, false);
  const broken = new AbortController();
  broken.abort();
  await site.gatherer.run(broken.signal).catch(() => undefined);
  assert.equal(site.gatherer.filled, false);
  await site.gatherer.run();
  assert.equal(site.gatherer.filled, true);
  await site.reopen();
  assert.equal(site.gatherer.filled, true);
});
