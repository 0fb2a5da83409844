import assert from 'node:assert/strict';
import { test } from 'node:test';
import { attributeText } from '../../soif/index.ts';
import { readRules } from '../customise/index.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { baseUrl, day, Site } from '../testing/folder-site.ts';

const stamps = ['Gatherer-Name', 'Time-to-Live', 'Refresh-Rate'] as const;

async function shown(site: Site, page: string): Promise<readonly (string | undefined)[]> {
  const object = await site.gatherer.show(`${baseUrl}${page}`);
  return stamps.map((name) => attributeText(object, name));
}

async function reopened(site: Site, change: Partial<Pick<Site, 'name' | 'ttlDays' | 'plan'>>): Promise<void> {
  Object.assign(site, change);
  await site.reopen();
}

test('after a change of its name or Time-to-Live a Gatherer reads no document again, and every summary has both', async () => {
  await using site = await Site.make();
  const rules = readRules([{ if: 'URL ~ /news/', set: { 'Time-to-Live': '3600' } }]);
  site.plan = { ...defaultPlan, customise: { ...defaultPlan.customise, rules } };
  await site.reopen();
  await site.page('a.html', 'A');
  await site.page('news.html', 'News');
  await site.gatherer.run();
  await site.gatherer.annotate(`${baseUrl}a.html`, { set: [['Keywords', 'seen']], remove: [] });
  const before = site.data.store.lsn;
  await reopened(site, { name: 'renamed', ttlDays: 10 });
  const report = await site.gatherer.run();
  assert.equal(report.bytesRead, 0);
  assert.deepEqual(await shown(site, 'a.html'), ['renamed', String(10 * day), String(7 * day)]);
  // The rule's own value stays.
  assert.deepEqual(await shown(site, 'news.html'), ['renamed', '3600', String(7 * day)]);
  assert.match(JSON.stringify(await site.gatherer.annotations.get(`${baseUrl}a.html`)), /seen/);
  const after = site.data.store.lsn;
  assert.notEqual(after, before);
  // Then everything is quiet: the rows agree with the store.
  await site.gatherer.run();
  await site.reopen();
  assert.equal((await site.gatherer.run()).bytesRead, 0);
  assert.equal(site.data.store.lsn, after);
});

test('a name that changes again after a run was cut reaches every summary', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  await reopened(site, { name: 'second' });
  await site.gatherer.run(AbortSignal.abort());
  await reopened(site, { name: 'third' });
  assert.equal((await site.gatherer.run()).bytesRead, 0);
  assert.equal((await shown(site, 'a.html'))[0], 'third');
});

test('a change of settings that make summaries reads the documents', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  const summarise = { ...defaultPlan.summarise, maxTextBytes: 10 };
  await reopened(site, { plan: { ...defaultPlan, summarise } });
  assert.equal((await site.gatherer.run()).bytesRead > 0, true);
});
