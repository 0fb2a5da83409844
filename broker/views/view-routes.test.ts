import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Route, RouteRequest, RouteResponse } from '../../http/index.ts';
import { isGarnerError } from '../../kernel/index.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { atomFeed } from './feed.ts';
import { viewRoutes } from './view-routes.ts';

interface Call {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly json?: unknown;
}

/** Call a route by its own path, without a socket. */
function asking(routes: readonly Route[]) {
  return async (method: string, path: string, { params = {}, query = {}, json }: Call = {}) => {
    const route = routes.find((one) => one.method === method && one.path === path);
    assert.ok(route !== undefined, path);
    const request = { method, params, query, body: Buffer.from(JSON.stringify(json ?? null)) };
    return (await route.handle(request as unknown as RouteRequest)) as RouteResponse & { json: never };
  };
}

const refused = (code: string) => (error: unknown) => isGarnerError(error) && error.code === code;
const foxes = { params: { name: 'foxes' } };

test('a view is defined, read, followed and removed over HTTP', async () => {
  await using folder = await scratch();
  await using site = await Source.open(join(folder.path, 'site'));
  const { store } = site.folder;
  await store.apply([site.put('a', 'red fox'), site.put('b', 'red owl')]);
  await using topic = await OpenBroker.open(join(folder.path, 'topic'), [site.url]);
  topic.broker.start();
  await topic.fresh();
  const { views, webhooks } = topic.broker;
  const routes = viewRoutes(views, webhooks);
  const ask = asking(routes);
  for (const { method, scope } of routes) if (method !== 'GET') assert.equal(scope, 'admin');
  await ask('PUT', '/views/:name', { ...foxes, json: { query: 'fox', description: 'of all colours' } });
  await views.upToDate();
  const { json: listed } = await ask('GET', '/views');
  assert.deepEqual([(listed as { total: number }).total, (listed as { next: unknown }).next], [1, null]);
  const { json: first } = await ask('GET', '/views/:name/changes', foxes);
  const kinds = (answer: { changes: readonly { kind: string; title?: string }[] }) =>
    answer.changes.map(({ kind, title }) => `${kind} ${title}`);
  assert.deepEqual(kinds(first), ['insert Page a']);
  const { since } = first as { since: string };
  await store.apply([site.put('a', 'a hen', now() + 1), site.put('b', 'a fox', now() + 1)]);
  await topic.fresh();
  const { json: second } = await ask('GET', '/views/:name/changes', { ...foxes, query: { since } });
  assert.deepEqual(kinds(second).toSorted(), ['delete undefined', 'insert Page b']);
  assert.equal((second as { complete: boolean }).complete, true);
  const part = await ask('GET', '/views/:name/changes', { ...foxes, query: { since, limit: '1' } });
  assert.equal((part.json as { more: boolean }).more, true);
  const all: string[] = [];
  for (let query: Record<string, string> = { limit: '1' }; ; ) {
    const { json } = await ask('GET', '/views/:name/changes', { ...foxes, query });
    const batch = json as {
      changes: readonly { kind: string }[];
      complete: boolean;
      more: boolean;
      since: string;
    };
    assert.equal(batch.complete, false, 'everything, in parts');
    all.push(...batch.changes.map(({ kind }) => kind));
    if (!batch.more) break;
    query = { limit: '1', since: batch.since };
  }
  assert.deepEqual(all.toSorted(), ['delete', 'insert']);
  const { json: objects } = await ask('GET', '/views/:name/objects', foxes);
  assert.deepEqual(
    (objects as { objects: readonly { title: string }[] }).objects.map(({ title }) => title),
    ['Page b'],
  );
  const feed = await ask('GET', '/views/:name', { params: { name: 'foxes.atom' } });
  assert.match(String(feed.body), /<title>Page b<\/title>/);
  assert.match(String(feed.body), /<at:deleted-entry ref="urn:garner:object:[^"]+" when="\d{4}-/);
  const hook = await ask('POST', '/views/:name/webhooks', {
    ...foxes,
    json: { url: 'https://example.org/' },
  });
  assert.match((hook.json as { secret: string }).secret, /^whsec_/);
  const { json: hooks } = await ask('GET', '/views/:name/webhooks', foxes);
  assert.ok(!JSON.stringify(hooks).includes('whsec_'), 'the secret is shown once');
  await ask('DELETE', '/views/:name', foxes);
  assert.equal(webhooks.of('foxes').length, 0);
  await assert.rejects(ask('GET', '/views/:name', foxes), refused('VIEW_UNKNOWN'));
});

test('an invalid request is refused', async () => {
  await using folder = await scratch();
  await using topic = await OpenBroker.open(join(folder.path, 'topic'), []);
  const ask = asking(viewRoutes(topic.broker.views, topic.broker.webhooks));
  for (const json of [null, [], 'x', {}, { query: 1 }, { query: 'fox', more: 'x' }])
    await assert.rejects(ask('PUT', '/views/:name', { ...foxes, json }), refused('BROKER_BODY'));
  await topic.broker.views.add([{ name: 'foxes', query: 'fox' }]);
  const changes = (since: string) => ask('GET', '/views/:name/changes', { ...foxes, query: { since } });
  for (const since of ['x', '1', 'A.1', `${'A'.repeat(16)}.x`])
    await assert.rejects(changes(since), refused('VIEW_SINCE'));
  const other = (await changes(`${'A'.repeat(16)}.5`)).json as { complete: boolean };
  assert.equal(other.complete, false, 'another epoch of the view');
});

test('values of objects are text in a feed, and no link can run code', () => {
  const view = { name: 'v', query: '<q>', over: null, description: null, understood: '', objects: 1 };
  const status = { ...view, epoch: 'e', lsn: 1, filled: true, createdAt: 0 };
  const oid = 'A'.repeat(43) as never;
  const hostile = { kind: 'insert', oid, lsn: 1, time: 0, url: 'javascript:alert(1)' } as const;
  const feed = atomFeed(status, [{ ...hostile, title: '</title><script>\u0000\ud800&' }]);
  assert.ok(!feed.includes('<script>') && !feed.includes('\u0000') && !feed.includes('href="javascript'));
  assert.match(feed, /&#60;\/title&#62;&#60;script&#62;\ufffd\ufffd&#38;/);
  assert.match(feed, /<subtitle>&#60;q&#62;<\/subtitle>/);
});
