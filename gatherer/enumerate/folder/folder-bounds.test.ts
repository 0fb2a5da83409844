import assert from 'node:assert/strict';
import { test } from 'node:test';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { parseRootNode } from '../root-node.ts';
import { ScopeRule } from '../scope-rule.ts';
import { folderBounds } from './folder-bounds.ts';

function bounds(options: object, limits: Parameters<typeof folderBounds>[1] = {}) {
  const node = parseRootNode({ url: 'file:///srv/site', 'base-url': baseUrl, ...options }, 'r');
  return folderBounds(new ScopeRule(node, { base: baseUrl }), limits);
}

async function siteOf(options: object, limits: Parameters<typeof folderBounds>[1] = {}): Promise<Site> {
  const site = await Site.make({ ...limits, ...bounds(options, limits) });
  for (const name of ['a.html', 'b.htm', 'sub/c.html', 'sub/d.htm']) await site.page(name, name);
  return site;
}

test('a URL filter holds for a folder, in a run, for the reports of a watch and in why', async () => {
  await using site = await siteOf({ 'url-filter': [{ allow: '^/sub/d' }, { deny: '\\.htm$' }] });
  const rule = 'url-filter 2: deny \\.htm$';
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.skipped], [3, { [rule]: 1 }]);
  assert.deepEqual(await site.titles(), ['a.html', 'sub/c.html', 'sub/d.htm']);
  const [left, kept, none] = await Promise.all(
    ['b.htm', 'sub/d.htm', 'none.htm'].map((name) => site.gatherer.why(baseUrl + name)),
  );
  assert.deepEqual([left?.included, left?.rule, kept?.included, none?.rule], [false, rule, true, rule]);

  await site.page('e.htm', 'e');
  const changes = { paths: [`${site.root}/e.htm`, `${site.root}/sub`], folders: [] };
  await site.gatherer.update(() => ({
    items: site.enumerator.changed(changes, site.gatherer.memory),
    below: [],
  }));
  assert.equal(site.data.store.count, 3);
});

test('a document that a new filter leaves out loses its summary, and the report says so', async () => {
  await using site = await siteOf({});
  assert.equal((await site.gatherer.run()).objects, 4);
  await site.reopen(bounds({ 'url-filter': [{ deny: '^/sub/' }] }));
  const { objects, dropped } = await site.gatherer.run();
  assert.deepEqual([objects, dropped], [2, { 'url-filter 1: deny ^/sub/': 2 }]);
});

test('documents that a filter leaves out do not count for url-max', async () => {
  await using site = await siteOf({ 'url-filter': [{ deny: '^/a' }], 'url-max': 2 });
  const report = await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['b.htm', 'sub/c.html']);
  assert.deepEqual(report.skipped, { 'url-filter 1: deny ^/a': 1, 'no more than 2 URLs (url-max)': 1 });
});

test('of the limits of a root and of all roots the tighter one holds, and is named', async () => {
  const limits = { maxUrls: 3, maxDepth: 2 };
  const cases: [object, Record<string, number>][] = [
    [{ 'url-max': 9 }, { 'no more than 3 URLs (gatherer.max-urls)': 1 }],
    [{ 'url-max': 2 }, { 'no more than 2 URLs (url-max)': 2 }],
    [{ depth: 1 }, { 'no more than 1 steps from the root (depth)': 2 }],
  ];
  for (const [options, skipped] of cases) {
    await using site = await siteOf(options, limits);
    assert.deepEqual((await site.gatherer.run()).skipped, skipped);
  }
  await using site = await siteOf({ depth: 5 }, { maxDepth: 1 });
  const rule = 'no more than 1 steps from the root (gatherer.max-depth)';
  assert.deepEqual((await site.gatherer.run()).skipped, { [rule]: 2 });
  assert.equal((await site.gatherer.why(`${baseUrl}sub/c.html`)).rule, rule);
});
