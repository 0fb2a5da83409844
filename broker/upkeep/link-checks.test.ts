import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { HttpClient } from '../../fetch/index.ts';
import { isGarnerError, ManualClock } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../../store/index.ts';
import { brokerErrors } from '../errors.ts';
import { now, OpenBroker, Source, scratch } from '../testing/topic.ts';
import { LinkChecks } from './link-checks.ts';

const publisher = 'AAAAAAAAAAAAAAAAAAAAAA' as ServerId;
const oid = oidOf(publisher, 'x');

/** A site with one page, whose status can be set, and a record of its requests. */
async function site() {
  const world = { status: 200, head: undefined as number | undefined, requests: [] as string[] };
  const server = createServer((request, response) => {
    world.requests.push(request.method ?? '');
    response.statusCode = request.method === 'HEAD' ? (world.head ?? world.status) : world.status;
    response.end(request.method === 'HEAD' ? undefined : 'x'.repeat(1_000_000));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}/page`;
  return Object.assign(world, {
    url,
    [Symbol.asyncDispose]: () =>
      new Promise<void>((done) => {
        server.closeAllConnections();
        server.close(() => done());
      }),
  });
}

/** Checks over a store of one object at `url`. */
async function opened(path: string, url: string, allowHosts: readonly string[] = [url]) {
  const clock = new ManualClock(1_700_000_000_000);
  const http = new HttpClient({ userAgent: 'Garner/test', allowHosts, retries: 0 });
  const database = await openDatabase(join(path, 'links'));
  const withdrawn: Oid[] = [];
  const stored = (text: string) => {
    const object = summaryObject(url, [['Full-Text', text]]);
    const [body, digest] = [encodeObject(object), digestOf(object)];
    return { oid, body, digest, updatedAt: 1, publisher, signature: new Uint8Array(64) };
  };
  const world = { held: stored('old') as ReturnType<typeof stored> | undefined };
  const store = { get: async (wanted: Oid) => (wanted === oid ? world.held : undefined) };
  const open = () =>
    LinkChecks.open({
      ...{ database, store, clock, fetch: http.fetch },
      withdraw: async (one) => {
        withdrawn.push(one);
      },
    });
  return {
    ...{ clock, withdrawn, open, stored, world, checks: await open() },
    [Symbol.asyncDispose]: async () => {
      await http[Symbol.asyncDispose]();
      await database[Symbol.asyncDispose]();
    },
  };
}

const minute = 60_000;

test('a page missing twice, ten minutes apart, is gone until its summary changes', async () => {
  await using folder = await scratch();
  await using page = await site();
  await using run = await opened(folder.path, page.url);
  const { checks, clock, withdrawn, world, stored } = run;
  assert.deepEqual(await checks.check(oid), { state: 'alive', status: 200 });
  assert.deepEqual(page.requests, ['HEAD']);
  page.status = 404;
  assert.equal((await checks.check(oid)).state, 'alive', 'checked a moment ago');
  clock.advance(11 * minute);
  assert.deepEqual(await checks.check(oid), { state: 'suspect', status: 404 });
  await checks.tick();
  clock.advance(9 * minute);
  await checks.tick();
  assert.deepEqual(withdrawn, [], 'too soon');
  clock.advance(2 * minute);
  // Another process continues where this one ended.
  const again = await run.open();
  await again.tick();
  assert.deepEqual(withdrawn, [oid]);
  const { digest } = stored('old');
  assert.ok(again.isGone(oid, digest));
  assert.ok((await run.open()).isGone(oid, digest));
  assert.ok(!again.isGone(oid, stored('new').digest));
  world.held = stored('new');
  clock.advance(11 * minute);
  assert.equal((await again.check(oid)).state, 'suspect', 'a new summary starts over');
  page.status = 200;
  clock.advance(11 * minute);
  assert.equal((await again.check(oid)).state, 'alive');
  assert.ok(!again.isGone(oid, digest));
});

test('a server without HEAD is sent GET; faults of servers and networks decide nothing', async () => {
  await using folder = await scratch();
  await using page = await site();
  await using run = await opened(folder.path, page.url);
  const { checks, clock } = run;
  page.head = 404;
  assert.deepEqual(await checks.check(oid), { state: 'alive', status: 200 });
  assert.deepEqual(page.requests, ['HEAD', 'GET']);
  for (const status of [500, 503]) {
    clock.advance(11 * minute);
    Object.assign(page, { status, head: undefined });
    assert.deepEqual(await checks.check(oid), { state: 'unknown', status });
  }
  clock.advance(11 * minute);
  await page[Symbol.asyncDispose]();
  assert.deepEqual(await checks.check(oid), { state: 'unknown', status: null });
  assert.deepEqual(run.withdrawn, []);
});

test('only stored objects are checked, private hosts only when allowed, and few at a time', async () => {
  await using folder = await scratch();
  await using page = await site();
  await using run = await opened(folder.path, page.url, []);
  assert.deepEqual(await run.checks.check(oid), { state: 'unknown', status: null });
  assert.deepEqual(page.requests, []);
  const code = (entry: (typeof brokerErrors)[keyof typeof brokerErrors]) => (error: unknown) =>
    isGarnerError(error, entry);
  for (let other = 0; other < 4; other++)
    await assert.rejects(run.checks.check(oidOf(publisher, `${other}`)), code(brokerErrors.BROKER_NO_OBJECT));
  await assert.rejects(run.checks.check(oidOf(publisher, '4')), code(brokerErrors.BROKER_BUSY));
  run.clock.advance(2_000);
  await assert.rejects(run.checks.check(oidOf(publisher, '5')), code(brokerErrors.BROKER_NO_OBJECT));
});

test('a dead link is hidden from results, stays in the store, and returns with a new summary', async () => {
  await using folder = await scratch();
  await using source = await Source.open(join(folder.path, 'source'));
  await source.folder.store.apply([source.put('a', 'quick fox'), source.put('b', 'quick dog')]);
  const clock = new ManualClock(Date.now());
  let status = 404;
  const fetch = async ({ url }: { readonly url: string }) => ({
    ...{ url, status, redirects: [], headers: {}, notModified: false, etag: undefined, wireBytes: 0 },
    ...{ lastModified: undefined, contentType: undefined, location: undefined },
    body: (async function* () {})(),
    [Symbol.asyncDispose]: async () => {},
  });
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [source.url], {
    ...{ fetch, checksLinks: true, clock },
  });
  topic.broker.start();
  await topic.fresh();
  assert.deepEqual(await topic.urls('quick'), ['a', 'b']);
  await topic.broker.checkLink(source.oid('a'));
  clock.advance(11 * minute);
  assert.equal((await topic.broker.checkLink(source.oid('a'))).state, 'gone');
  assert.deepEqual(await topic.urls('quick'), ['b']);
  assert.ok(await topic.broker.object(source.oid('a')));
  const checked = await topic.broker.check({ repair: false });
  assert.deepEqual([checked.ok, checked.index?.missing, checked.index?.ghosts], [true, 0, 0]);
  await topic.engine.clear();
  status = 200;
  await source.folder.store.apply([source.put('a', 'quick fox again', now() + 5)]);
  await topic.fresh();
  assert.deepEqual(await topic.urls('again'), ['a']);
});
