import assert from 'node:assert/strict';
import { mkdir, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../../kernel/index.ts';
import { gathererErrors } from '../../errors.ts';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { FolderRoot } from './folder-root.ts';

const urlsRule = 'no more than 2 URLs (gatherer.max-urls)';
const depthRule = 'no more than 1 steps from the root (gatherer.max-depth)';

test('the limits hold for folders, and the report lists what each left out and which summaries it deleted', async () => {
  await using site = await Site.make();
  for (const name of ['a.html', 'b.html', 'c.html', 'sub/d.html']) await site.page(name, name);
  assert.equal((await site.gatherer.run()).objects, 4);
  await site.reopen({ maxUrls: 2 });
  const few = await site.gatherer.run();
  assert.deepEqual([few.objects, few.deleted], [2, 2]);
  assert.deepEqual([few.skipped, few.dropped], [{ [urlsRule]: 2 }, { [urlsRule]: 2 }]);
  const again = await site.gatherer.run();
  assert.deepEqual([again.skipped, again.dropped, again.deleted], [{ [urlsRule]: 2 }, {}, 0]);
  await site.reopen({ maxDepth: 1 });
  const flat = await site.gatherer.run();
  assert.deepEqual([flat.objects, flat.skipped], [3, { [depthRule]: 1 }]);
  assert.equal((await site.gatherer.why(`${baseUrl}sub/d.html`)).rule, depthRule);
  await site.reopen({ maxDepth: 1, maxUrls: 2 });
  assert.deepEqual((await site.gatherer.run()).skipped, { [depthRule]: 1, [urlsRule]: 1 });
});

test('why reports when a page was deleted', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.page('b.html', 'B');
  await site.gatherer.run();
  assert.equal((await site.gatherer.why(`${baseUrl}a.html`)).deletedAt, null);
  assert.equal((await site.gatherer.why(`${baseUrl}never.html`)).deletedAt, null);
  site.clock.advance(60_000);
  await rm(join(site.root, 'a.html'));
  await site.gatherer.run();
  const why = await site.gatherer.why(`${baseUrl}a.html`);
  assert.deepEqual([why.object, why.deletedAt], [null, 1_700_000_060]);
});

/** A site of so many pages, gathered, whose folder is then empty. */
async function emptied(pages: number): Promise<Site> {
  const site = await Site.make();
  for (let n = 0; n < pages; n++) await site.page(`sub/${n}.html`, `P${n}`);
  assert.equal((await site.gatherer.run()).objects, pages);
  await rm(site.root, { recursive: true });
  await mkdir(join(site.root, 'sub'), { recursive: true });
  return site;
}

test('a suddenly empty folder of many summaries does not count as empty, unless that is allowed', async () => {
  await using site = await emptied(100);
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.deleted, report.failed, report.complete], [100, 0, 1, false]);
  assert.match(report.failures[0]?.reason ?? '', /is empty while 100 summaries .* gatherer\.allow-empty/);
  await site.reopen({ allowEmpty: true });
  const meant = await site.gatherer.run();
  assert.deepEqual([meant.objects, meant.deleted, meant.complete], [0, 100, true]);
});

test('an empty folder of few summaries counts as empty, but not on another device', async () => {
  await using site = await emptied(99);
  const root = (remembered: string | undefined, allow = false) =>
    new FolderRoot(site.root, baseUrl, allow).doubt({
      recall: async () => (remembered === undefined ? undefined : { stamp: remembered }),
      known: (prefix) => site.gatherer.memory.known?.(prefix) ?? (async function* () {})(),
    });
  const row = await site.gatherer.memory.recall(`${baseUrl}#folder`);
  assert.equal(await root(row?.stamp), undefined);
  assert.equal(await root(undefined), undefined);
  assert.ok(isGarnerError(await root('another'), gathererErrors.GATHERER_FOLDER_EMPTY));
  assert.equal(await root('another', true), undefined);
  assert.deepEqual([(await site.gatherer.run()).deleted, site.data.store.count], [99, 0]);
});
