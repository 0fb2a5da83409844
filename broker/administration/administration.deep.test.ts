import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../kernel/index.ts';
import { AdministeredBroker } from '../testing/administration.ts';
import { Source, scratch } from '../testing/topic.ts';
import { administrationRoutes } from './administration-routes.ts';

const inPath = encodeURIComponent;

test('every route refuses a lesser token, and each refusal of one is in the audit', async () => {
  await using folder = await scratch();
  const clock = new ManualClock(Date.now());
  await using broker = await AdministeredBroker.open(join(folder.path, 'broker'), [], { clock });
  const made = await broker.ask('POST', '/control/tokens', { name: 'writer', scopes: ['write'] });
  const writer = made.json.token as string;
  const routes = administrationRoutes(broker.administration);
  assert.ok(routes.length > 15);
  for (const { method, path, scope } of routes) {
    const address = path.replace(/:\w+/g, 'x');
    const body = method === 'GET' ? undefined : {};
    assert.equal((await broker.ask(method, address, body, null)).status, 401, path);
    assert.equal((await broker.ask(method, address, body, 'nobody-knows-it')).status, 401, path);
    assert.equal((await broker.ask(method, address, body, 'read-token-1')).status, 403, path);
    if (scope === 'admin') assert.equal((await broker.ask(method, address, body, writer)).status, 403, path);
    else assert.notEqual((await broker.ask(method, address, body, writer)).status, 403, path);
  }
  await Promise.all(broker.refusals);
  const { json } = await broker.ask('GET', '/control/audit?limit=1000');
  const refused = json.entries.filter(({ outcome }: { outcome: string }) => outcome === 'refused');
  assert.equal(refused.length, 30, 'of a flood only so many a minute');
  assert.ok(refused.some(({ who }: { who: string }) => who === 'http.read-tokens 1'));
  assert.ok(refused.some(({ who }: { who: string }) => who === 'nobody'));
  const text = await readFile(join(folder.path, 'broker/audit-refused.jsonl'), 'utf8');
  assert.doesNotMatch(text + JSON.stringify(json), /read-token-1|nobody-knows-it|garner_/);
  const described = await (await fetch(new URL('openapi.json', broker.server.url))).json();
  for (const { method, path } of routes)
    assert.ok(
      (described as { paths: Record<string, Record<string, unknown>> }).paths[
        path.replace(/:(\w+)/g, '{$1}')
      ]?.[method.toLowerCase()],
      path,
    );
});

test('a source is added, paused, resumed and removed while the Broker serves, and orders outlive a restart', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  await using one = await Source.open(join(folder.path, 'one'));
  await using two = await Source.open(join(folder.path, 'two'));
  await one.folder.store.apply([one.put('a', 'alpha')]);
  await two.folder.store.apply([two.put('b', 'alpha')]);
  const base = { url: one.url, from: 'garner.yaml:3' };
  {
    await using broker = await AdministeredBroker.open(path, [base]);
    const { topic } = broker;
    const added = await broker.ask('POST', '/control/sources', { source: two.url, intervalSeconds: 3600 });
    assert.deepEqual([added.status, added.json.kind, added.json.intervalSeconds], [201, 'added', 3600]);
    await broker.ask('POST', '/control/collect');
    assert.deepEqual(await topic.urls('alpha'), ['a', 'b']);
    assert.equal((await broker.ask('POST', '/control/sources', { source: two.url })).status, 409);
    for (const body of [
      {},
      { source: 'push:' },
      { source: 'ws://x', intervalSeconds: 0 },
      { source: 'ws://x', filter: {} },
      { source: 'ws://x', filter: { query: '(a' } },
      { source: 'ws://x', colour: 1 },
    ])
      assert.equal((await broker.ask('POST', '/control/sources', body)).status, 400, JSON.stringify(body));
    const refused = await broker.ask('DELETE', `/control/sources/${inPath(one.url)}`);
    assert.deepEqual([refused.status, refused.json.error.code], [409, 'BROKER_SOURCE_SET']);
    assert.match(refused.json.error.message, /garner\.yaml:3/);
    const paused = await broker.ask('PUT', `/control/sources/${inPath(one.url)}`, { paused: true });
    assert.deepEqual([paused.json.state, paused.json.kind], ['paused', 'settings']);
    await one.folder.store.apply([one.put('c', 'alpha')]);
    assert.equal((await broker.ask('POST', '/control/collect')).json.rounds.length, 1);
    const named = await broker.ask('POST', `/control/collect?source=${inPath(one.url)}`);
    assert.deepEqual([named.status, named.json.error.code], [409, 'BROKER_PAUSED']);
    assert.deepEqual(
      await topic.urls('alpha'),
      ['a', 'b'],
      'its old objects stay, its new ones are not requested',
    );
  }
  await using broker = await AdministeredBroker.open(path, [base]);
  const { json } = await broker.ask('GET', '/control/sources');
  const listed = json.sources.map(({ url, kind, paused, intervalSeconds }: Record<string, unknown>) => ({
    ...{ url, kind, paused, intervalSeconds },
  }));
  assert.deepEqual(listed, [
    { url: one.url, kind: 'settings', paused: true, intervalSeconds: 600 },
    { url: two.url, kind: 'added', paused: false, intervalSeconds: 3600 },
  ]);
  await broker.ask('PUT', `/control/sources/${inPath(one.url)}`, { paused: false });
  await broker.ask('POST', '/control/collect');
  assert.deepEqual(await broker.topic.urls('alpha'), ['a', 'b', 'c']);
  await broker.ask('DELETE', `/control/sources/${inPath(two.url)}`);
  assert.deepEqual(await broker.topic.urls('alpha'), ['a', 'b', 'c'], 'its objects stay');
  assert.equal((await broker.ask('DELETE', `/control/sources/${inPath(two.url)}`)).status, 404);
  const forgotten = await broker.ask('DELETE', `/control/sources/${inPath(two.url)}?forget=1`);
  assert.equal(forgotten.json.forgotten, true);
  await broker.topic.broker.indexer.reached(broker.topic.folder.store.lsn);
  assert.deepEqual(await broker.topic.urls('alpha'), ['a', 'c']);
});

test('a dry run deletes nothing; a deletion is passed on, and the object returns when it changes or is unblocked', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  await using one = await Source.open(join(folder.path, 'one'));
  const { store } = one.folder;
  await store.apply(['a', 'b', 'c'].map((name) => one.put(name, `alpha ${name}word`)));
  await using broker = await AdministeredBroker.open(path, [one.url]);
  const { topic } = broker;
  const round = async () => {
    assert.equal((await broker.ask('POST', '/control/collect')).status, 200);
    return topic.urls('alpha');
  };
  const remove = (body: unknown) => broker.ask('POST', '/control/deletions', body);
  assert.deepEqual(await round(), ['a', 'b', 'c']);
  const look = await remove({ query: 'aword OR bword' });
  assert.deepEqual([look.json.dryRun, look.json.found, look.json.deleted], [true, 2, 0]);
  assert.equal(look.json.sample[0].title.slice(0, 5), 'Page ');
  assert.deepEqual(await round(), ['a', 'b', 'c']);
  const { count } = topic.broker.orders.blocks;
  assert.equal(count, 0);
  for (const body of [
    { query: ' ', dryRun: false },
    { query: '(a', dryRun: false },
    { oids: ['x'], dryRun: false },
    { query: 'a', oids: [], dryRun: false },
    {},
    { query: 'alpha', dryRun: 'no' },
  ])
    assert.equal((await remove(body)).status, 400, JSON.stringify(body));
  assert.equal((await remove({ query: 'alpha', dryRun: false, atMost: 2 })).status, 409);
  assert.deepEqual(await round(), ['a', 'b', 'c']);

  const before = topic.folder.store.lsn;
  const done = await remove({ query: 'aword OR bword', dryRun: false, atMost: 2, reason: 'spam' });
  assert.equal(done.json.deleted, 2);
  await remove({ oids: [one.oid('c')], dryRun: false, forGood: true, reason: 'asked by its author' });
  const kinds: string[] = [];
  {
    await using snapshot = await topic.folder.store.snapshot();
    for await (const change of snapshot.changesSince(before)) kinds.push(change.kind);
  }
  assert.deepEqual(kinds, ['delete', 'delete', 'delete'], 'Brokers that collect from here receive it');
  assert.deepEqual(await round(), []);
  const report = await broker.ask('POST', '/control/collect');
  assert.deepEqual(report.json.rounds[0].schemes, [], 'both sides agree: nothing is requested again');

  await store.apply([one.put('a', 'alpha again'), one.put('c', 'alpha again')]);
  assert.deepEqual(await round(), ['a'], 'a changed object returns unless it was deleted for good');
  const blocked = (await broker.ask('GET', '/control/blocked')).json;
  assert.deepEqual(
    blocked.blocked
      .map(({ url, isForGood, reason, by }: Record<string, unknown>) => ({ url, isForGood, reason, by }))
      .sort((a: { url: string }, b: { url: string }) => (a.url < b.url ? -1 : 1)),
    [
      { url: 'http://example.org/b', isForGood: false, reason: 'spam', by: 'http.admin-tokens 1' },
      {
        url: 'http://example.org/c',
        isForGood: true,
        reason: 'asked by its author',
        by: 'http.admin-tokens 1',
      },
    ],
  );
  assert.deepEqual([blocked.total, blocked.next], [2, null]);
  for (const name of ['b', 'c'])
    assert.equal((await broker.ask('DELETE', `/control/blocked/${one.oid(name)}`)).status, 200);
  assert.equal((await broker.ask('DELETE', `/control/blocked/${one.oid('b')}`)).status, 404);
  assert.deepEqual(await round(), ['a', 'b', 'c']);
  const actions = (await broker.ask('GET', '/control/audit')).json.entries.map(
    ({ action, outcome }: Record<string, unknown>) => `${action}: ${outcome}`,
  );
  assert.ok(actions.includes('delete, dry run: done') && actions.includes('delete: done'));
  assert.ok(actions.includes('delete: failed') && actions.includes('unblock: done'));
});

test('a deleted object stays out when its source is forgotten and added again', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'alpha')]);
  await using broker = await AdministeredBroker.open(join(folder.path, 'broker'), []);
  const add = () => broker.ask('POST', '/control/sources', { source: one.url });
  await add();
  await broker.ask('POST', '/control/collect');
  await broker.ask('POST', '/control/deletions', { oids: [one.oid('a')], dryRun: false });
  await broker.ask('DELETE', `/control/sources/${inPath(one.url)}?forget=1`);
  await add();
  await broker.ask('POST', '/control/collect');
  assert.deepEqual(await broker.topic.urls('alpha'), ['b']);
  await one.folder.store.apply([{ kind: 'delete', oid: one.oid('a') }]);
  await broker.ask('POST', '/control/collect');
  assert.equal(broker.topic.broker.orders.blocks.count, 0, 'its block is removed with the object');
});

test('settings change at once, survive a restart, and are validated', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  const set = (broker: AdministeredBroker, key: string, value: unknown) =>
    broker.ask('PUT', `/control/settings/${key}`, { value });
  {
    await using broker = await AdministeredBroker.open(path, [], { settingFrom: () => 'garner.yaml:9' });
    const before = (await broker.ask('GET', '/control/settings')).json.settings;
    const interval = before.find(({ key }: { key: string }) => key === 'broker.interval');
    assert.deepEqual([interval.value, interval.from], [600, 'garner.yaml:9']);
    assert.equal((await set(broker, 'broker.time-to-live', 120)).json.from, 'set here');
    assert.equal(broker.topic.folder.store.defaultTtlSeconds, 120);
    assert.equal((await set(broker, 'broker.log-level', 'debug')).status, 200);
    for (const [key, value] of [
      ['broker.interval', 0],
      ['broker.interval', '5m'],
      ['broker.time-to-live', 1],
      ['broker.log-level', 'loud'],
      ['broker.log-events', [1]],
      ['broker.name', 'x'],
      ['constructor', 1],
    ] as const)
      assert.equal((await set(broker, key, value)).status, 400, `${key} ${value}`);
  }
  await using broker = await AdministeredBroker.open(path, []);
  assert.equal(broker.topic.folder.store.defaultTtlSeconds, 120);
  assert.equal((await set(broker, 'broker.time-to-live', null)).json.value, 30 * 86_400);
  assert.equal(broker.topic.folder.store.defaultTtlSeconds, 30 * 86_400);
});

test('statistics count the stored objects; compaction and a new index lose nothing', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([
    one.put('a', 'alpha', undefined, [['Language', 'en']]),
    one.put('b', 'alpha', undefined, [['Language', 'de']]),
    one.put('c', 'beta', undefined, [['Language', 'en']]),
  ]);
  await using broker = await AdministeredBroker.open(join(folder.path, 'broker'), [one.url]);
  await broker.ask('POST', '/control/collect');
  await broker.topic.urls('nothing');
  const { json } = await broker.ask('GET', '/control/statistics');
  assert.deepEqual(json.byLanguage, [
    { value: 'en', count: 2 },
    { value: 'de', count: 1 },
  ]);
  assert.deepEqual([json.objects, json.sampled, json.bySource[0].count], [3, 3, 3]);
  assert.deepEqual(json.byType, [{ value: 'HTML', count: 3 }]);
  assert.deepEqual(json.byAge[0], { upTo: 3600, count: 3 });
  assert.equal(json.queries.withoutResult, 1);
  const { databases } = (await broker.ask('POST', '/control/compact')).json;
  const names = databases.map(({ name }: { name: string }) => name);
  assert.ok(
    ['index', 'store', 'table'].every((name) => names.includes(name)),
    names.join(),
  );
  assert.equal((await broker.ask('POST', '/control/reindex')).status, 202);
  assert.deepEqual(await broker.topic.urls('alpha'), ['a', 'b']);
  assert.equal((await broker.ask('POST', '/control/clean')).json.expired, 0);
});

test('a token is shown once, stored as a hash, and valid until it expires or is removed', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  await using broker = await AdministeredBroker.open(path, []);
  const soon = Math.floor(Date.now() / 1000) + 3600;
  const made = await broker.ask('POST', '/control/tokens', {
    name: 'jo',
    scopes: ['admin'],
    expiresAt: soon,
  });
  const { token } = made.json;
  assert.match(token, /^garner_/);
  const listed = await broker.ask('GET', '/control/tokens', undefined, token);
  assert.deepEqual(listed.json.tokens.length, 1);
  assert.doesNotMatch(JSON.stringify(listed.json), /garner_|sha256/);
  assert.doesNotMatch(await readFile(join(path, 'tokens.json'), 'utf8'), new RegExp(token));
  for (const body of [
    { name: 'jo', scopes: ['read'] },
    { name: '', scopes: ['read'] },
    { name: 'x', scopes: [] },
    { name: 'x', scopes: ['root'] },
    { name: 'x', scopes: ['read'], expiresAt: 5 },
    { name: 'x', scopes: ['read'], expiresAt: 9e15 },
  ])
    assert.ok([400, 409].includes((await broker.ask('POST', '/control/tokens', body)).status), body.name);
  await broker.ask('POST', '/control/clean', undefined, token);
  const { entries } = (await broker.ask('GET', '/control/audit')).json;
  assert.equal(entries.find(({ action }: { action: string }) => action === 'clean').who, 'jo');
  assert.doesNotMatch(await readFile(join(path, 'audit.jsonl'), 'utf8'), new RegExp(token));
  assert.equal((await broker.ask('DELETE', '/control/tokens/jo', undefined, token)).status, 200);
  assert.equal((await broker.ask('GET', '/control/tokens', undefined, token)).status, 401);
});

test('views, webhooks, checks and duplicates are audited like everything that changes a Broker', async () => {
  await using folder = await scratch();
  await using broker = await AdministeredBroker.open(join(folder.path, 'broker'), []);
  await broker.ask('PUT', '/views/foxes', { query: 'fox' });
  const hook = await broker.ask('POST', '/views/foxes/webhooks', { url: 'https://example.org/hook-s3cret' });
  const { id } = hook.json;
  await broker.ask('POST', `/views/foxes/webhooks/${id}/resume`);
  await broker.ask('DELETE', `/views/foxes/webhooks/${id}`);
  await broker.ask('DELETE', '/views/foxes');
  await broker.ask('DELETE', '/views/none');
  await broker.ask('POST', '/control/check?repair=1');
  await broker.ask('POST', '/control/duplicates?delete=1');
  const { json } = await broker.ask('GET', '/control/audit');
  const entries = json.entries as readonly Record<'who' | 'action' | 'detail' | 'outcome', string>[];
  const lines = entries.map(({ action, detail, outcome }) => `${action} ${detail}: ${outcome}`);
  assert.deepEqual(lines.reverse(), [
    'view add foxes: done',
    'webhook add foxes: done',
    `webhook resume foxes ${id}: done`,
    `webhook remove foxes ${id}: done`,
    'view remove foxes: done',
    'view remove none: failed',
    'check, repair : done',
    'duplicates, delete : done',
  ]);
  assert.ok(entries.every(({ who }) => who === 'http.admin-tokens 1'));
  assert.ok(!JSON.stringify(entries).includes('s3cret'));
});
