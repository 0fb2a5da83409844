import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { serveHttp } from '../../http/index.ts';
import { isGarnerError, ManualClock, systemClock, systemRandom } from '../../kernel/index.ts';
import type { ServerId } from '../../soif/index.ts';
import { openDatabase, openDataFolder } from '../../store/index.ts';
import { connect } from '../../wire/index.ts';
import { ObjectTable } from '../collecting/object-table.ts';
import { sourceAddress, sourceFrom } from '../collecting/source-address.ts';
import { brokerRoutes } from '../routes/routes.ts';
import { now, OpenBroker, Source, scratch, serveOnWire } from '../testing/topic.ts';

test('two sources are collected, searched apart and together, and changes are found', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using two = await Source.open(join(folder.path, 'two'));
  await one.folder.store.apply([one.put('a', 'the quick brown fox'), one.put('b', 'a lazy dog')]);
  await two.folder.store.apply([two.put('c', 'a quick hedgehog')]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url, two.url]);
  topic.broker.start();
  await topic.fresh();
  assert.deepEqual(await topic.urls('quick'), ['a', 'c']);
  assert.deepEqual(await topic.urls('"quick brown"'), ['a']);
  assert.deepEqual(await topic.urls('quick NOT fox'), ['c']);
  const { queries } = topic.broker;
  const search = (q: string, extra = {}) =>
    queries.search({ q, limit: 10, offset: 0, sources: [], types: [], ...extra });
  const filtered = await search('quick', { sources: [two.folder.identity.serverId] });
  assert.deepEqual(
    filtered.hits.map(({ oid }) => oid),
    [two.oid('c')],
  );
  assert.equal(filtered.facets.source.length, 2);
  const relaxed = await search('quick unicorn');
  assert.deepEqual([relaxed.relaxed, relaxed.total], [true, 2]);
  for (const hit of relaxed.hits)
    assert.ok(
      hit.matches.length > 0 && hit.snippet.slice(...(hit.matches[0] as [number, number])) === 'quick',
    );

  await one.folder.store.apply([
    one.put('a', 'a slow snail', now() + 1),
    { kind: 'delete', oid: one.oid('b') },
  ]);
  await topic.fresh();
  assert.deepEqual(
    [await topic.urls('quick'), await topic.urls('snail'), await topic.urls('dog')],
    [['c'], ['a'], []],
  );
});

test('a hint alone brings a change', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
  topic.broker.start();
  await topic.fresh();
  const arrived = new Promise<void>((resolve) => topic.folder.store.onChange(() => resolve()));
  await one.folder.store.apply([one.put('a', 'hinted')]);
  await arrived;
  await topic.broker.indexer.reached(topic.folder.store.lsn);
  assert.deepEqual(await topic.urls('hinted'), ['a']);
});

test('a restart collects nothing again and answers before any source does', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'beta')]);
  {
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
    topic.broker.start();
    await topic.fresh();
  }
  await using again = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
  assert.deepEqual(await again.urls('alpha'), ['a'], 'not even connected');
  assert.equal(again.broker.sources()[0]?.state, 'stale');
  again.broker.start();
  const [round] = await again.broker.collector.collectNow();
  assert.deepEqual([round?.schemes, round?.learned], [[], 0]);
  assert.equal(again.broker.sources()[0]?.state, 'ok');
});

test('another server at an address replaces what the one before offered', async () => {
  await using folder = await scratch();
  let port = 0;
  {
    await using one = await Source.open(join(folder.path, 'one'));
    port = one.port;
    await one.folder.store.apply([one.put('a', 'same words'), one.put('old', 'same words')]);
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
    topic.broker.start();
    await topic.fresh();
    assert.equal((await topic.urls('same')).length, 2);
  }
  await using fresh = await Source.open(join(folder.path, 'fresh'), port);
  await fresh.folder.store.apply([fresh.put('a', 'same words')]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [fresh.url]);
  topic.broker.start();
  await topic.fresh();
  assert.deepEqual(await topic.urls('same'), ['a'], 'no duplicate and no leftover');
});

test('an unreachable source is reported with its error, and its objects stay', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'broker');
  let url = '';
  {
    await using one = await Source.open(join(folder.path, 'one'));
    url = one.url;
    await one.folder.store.apply([one.put('a', 'alpha')]);
    await using topic = await OpenBroker.open(path, [url]);
    topic.broker.start();
    await topic.fresh();
  }
  await using topic = await OpenBroker.open(path, [url]);
  topic.broker.start();
  await assert.rejects(topic.broker.collector.collectNow(), (error) =>
    isGarnerError(error, { code: 'WIRE_UNREACHABLE' }),
  );
  const [status] = topic.broker.collector.status;
  // So soon after the start it may be starting too.
  assert.deepEqual([status?.state, status?.name], ['connecting', 'site']);
  assert.match(status?.error ?? '', /ECONNREFUSED/);
  assert.deepEqual(await topic.urls('alpha'), ['a']);
});

test('a lost index is rebuilt from the store', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'beta')]);
  {
    await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
    topic.broker.start();
    await topic.fresh();
  }
  await rm(join(folder.path, 'broker/index'), { recursive: true });
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), []);
  await topic.broker.indexer.reached(topic.folder.store.lsn);
  assert.deepEqual(await topic.urls('beta'), ['b']);
});

test('the HTTP API answers as described, and refuses invalid requests', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha beta'), one.put('b', 'alpha')]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
  topic.broker.start();
  await topic.fresh();
  await using server = await serveHttp({
    routes: brokerRoutes(topic.broker),
    port: 0,
    clock: systemClock,
    title: 'test',
    version: '0',
  });
  const get = async (path: string, headers = {}) => {
    const answer = await fetch(`${server.url}${path}`, { headers });
    return { status: answer.status, text: await answer.text() };
  };
  const found = JSON.parse((await get('search?q=alpha&limit=1&offset=1')).text);
  assert.deepEqual([found.total, found.hits.length], [2, 1]);
  for (const field of ['oid', 'url', 'title', 'snippet', 'score', 'source', 'updatedAt'])
    assert.ok(field in found.hits[0], field);
  const lined = JSON.parse((await get('search?q=alpa&errors=1&lines=2&max=1&limit=5')).text);
  assert.deepEqual([lined.total, lined.hits.length, lined.understood], [2, 1, '#lines 2 #max 1 alpa~1']);
  assert.equal(lined.entries, 1, 'there is no second page');
  const [{ line, text, matches }] = lined.hits[0].lines;
  assert.deepEqual([line, text.slice(...matches[0])], [1, 'alpha']);
  assert.equal(JSON.parse((await get('search?q=Alpha&case=yes&part=no')).text).total, 0);
  const { oid } = found.hits[0];
  assert.match((await get(`objects/${oid}`)).text, /^@FILE \{ http:\/\/example\.org\//);
  assert.equal(JSON.parse((await get(`objects/${oid}`, { accept: 'application/json' })).text).oid, oid);
  assert.deepEqual(JSON.parse((await get('complete?q=alp')).text).words, ['alpha']);
  const status = JSON.parse((await get('status')).text);
  assert.deepEqual([status.objects, status.sources[0].objects, status.engine.lsn], [2, 2, status.lsn]);
  for (const path of [
    'search',
    'search?q=a&limit=-1',
    'search?q=a&limit=1000',
    'search?q=a&offset=x',
    'search?q=a&errors=9',
    'search?q=a&case=2',
  ]) {
    const answer = await get(path);
    assert.equal(answer.status, 400, path);
    assert.ok(JSON.parse(answer.text).error.hint, path);
  }
  assert.equal((await get('objects/none')).status, 404);
  assert.equal((await get('control/awareness')).status, 401, 'a read token does not administer');
});

test('bulk transfer gives whole objects with their provenance', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'beta'), one.put('c', 'alpha beta')]);
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [one.url]);
  topic.broker.start();
  await topic.fresh();
  const { identity } = topic.folder;
  await using served = await serveOnWire(identity, 'broker', topic.broker.verbs());
  await using session = await connect({
    url: served.url,
    identity: one.folder.identity,
    name: 'asker',
    role: 'broker',
    clock: systemClock,
    random: systemRandom,
  });
  await using channel = await session.open({ type: 'query', q: 'alpha' }, { end: true });
  const oids: string[] = [];
  let total: unknown;
  for await (const message of channel) {
    if (message.type === 'done') total = message.total;
    else
      for (const [oid] of message.items as [Uint8Array][]) oids.push(Buffer.from(oid).toString('base64url'));
  }
  assert.deepEqual([oids.sort(), total], [[one.oid('a'), one.oid('c')].sort(), 2]);
});

test('an invalid address is refused with a hint', () => {
  assert.equal(sourceAddress('127.0.0.1:8500'), 'ws://127.0.0.1:8500/');
  for (const text of ['http://x/', 'ws://', 'not an address'])
    assert.throws(
      () => sourceAddress(text),
      (error) => isGarnerError(error, { code: 'BROKER_SOURCE' }),
      text,
    );
});

test('a Broker that collects from a Broker checks the signatures of Gatherers that it never connected to', async () => {
  await using folder = await scratch();
  await using one = await Source.open(join(folder.path, 'one'));
  await one.folder.store.apply([one.put('a', 'alpha'), one.put('b', 'beta')]);
  await using near = await OpenBroker.open(join(folder.path, 'near'), [one.url]);
  near.broker.start();
  await near.fresh();
  await using served = await serveOnWire(near.folder.identity, 'broker', near.broker.verbs());
  await using far = await OpenBroker.open(join(folder.path, 'far'), [served.url]);
  far.broker.start();
  await far.fresh();
  assert.deepEqual(await far.urls('alpha OR beta'), ['a', 'b']);
  await one.folder.store.apply([one.put('a', 'gamma', now() + 1), { kind: 'delete', oid: one.oid('b') }]);
  await near.fresh();
  await far.fresh();
  assert.deepEqual([await far.urls('gamma'), await far.urls('beta')], [['a'], []]);
  const held = await far.folder.store.get(one.oid('a'));
  assert.equal(held?.publisher, one.folder.identity.serverId);
});

test('a key that a server has proved overrides keys reported by others', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  const table = await ObjectTable.open(database);
  const server = Buffer.alloc(16, 1).toString('base64url') as ServerId;
  const [said, proved, other] = [1, 2, 3].map((n) => new Uint8Array(32).fill(n)) as [
    Uint8Array,
    Uint8Array,
    Uint8Array,
  ];
  const known = async () => (await table.keyOf(server))?.[0];
  await table.introduce(server, said);
  assert.equal(await table.hasReplaced(server), false);
  await table.introduce(server, other);
  assert.equal(await known(), 1, 'the first reported key counts until the server connects');
  assert.equal(await table.learn(server, proved), true);
  assert.deepEqual([await known(), await table.hasReplaced(server)], [2, true]);
  await table.introduce(server, other);
  assert.equal(await known(), 2);
  assert.equal(await table.learn(server, other), false, 'a proved key never changes');
});

test('a source replaced at its place is removed with its objects; objects of a removed source stay', async () => {
  await using folder = await scratch();
  const sources = await Promise.all(
    ['old', 'removed', 'new'].map((name) => Source.open(join(folder.path, name))),
  );
  const [old, removed, next] = sources as [Source, Source, Source];
  const path = join(folder.path, 'broker');
  const place = (source: Source) => ({ ...sourceFrom(source.url), from: 'garner up' });
  try {
    for (const [name, source] of Object.entries({ old, removed, next }))
      await source.folder.store.apply([source.put(name, 'alpha')]);
    {
      await using topic = await OpenBroker.open(path, [place(old), removed.url]);
      topic.broker.start();
      await topic.fresh();
      assert.deepEqual(await topic.urls('alpha'), ['old', 'removed']);
    }
    // A crash has ended the first round of another before it was recorded.
    const lost = await openDataFolder(path, { role: 'broker', clock: systemClock, random: systemRandom });
    await lost.store.replica('lost');
    await lost[Symbol.asyncDispose]();
    await using topic = await OpenBroker.open(path, [place(next)]);
    topic.broker.start();
    await topic.fresh();
    await topic.broker.forgetBefore(next.folder.identity.serverId, 'garner up');
    await topic.broker.indexer.reached(topic.folder.store.lsn);
    assert.deepEqual(await topic.urls('alpha'), ['next', 'removed']);
    assert.deepEqual(
      [...topic.folder.store.partitions.keys()].sort(),
      [removed, next].map(({ folder: { identity } }) => identity.serverId).sort(),
    );
  } finally {
    for (const source of sources) await source[Symbol.asyncDispose]();
  }
});

test('a caller waiting for a round gets an error when the source is paused or removed', async () => {
  await using folder = await scratch();
  const nobody = sourceFrom('ws://127.0.0.1:9/');
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [nobody]);
  const { collector } = topic.broker;
  const refused = (code: string) => (error: unknown) => isGarnerError(error) && error.code === code;
  const paused = assert.rejects(collector.collectNow(), refused('BROKER_PAUSED'));
  await collector.put({ ...nobody, isPaused: true });
  await paused;
  await collector.put(nobody);
  const removed = assert.rejects(collector.collectNow(), refused('BROKER_NO_SOURCE'));
  await collector.drop(nobody.url);
  await removed;
});

test('a search is counted whether its answer is new or cached', async () => {
  await using folder = await scratch();
  const clock = new ManualClock(Date.UTC(2026, 2, 4));
  await using topic = await OpenBroker.open(join(folder.path, 'broker'), [], { countsSearches: true, clock });
  const parameters = { q: 'zeppelin', limit: 10, offset: 0, sources: [], types: [] };
  for (let times = 0; times < 3; times++) {
    await topic.broker.answers.search(parameters);
    clock.advance(5_000);
  }
  const { searches, withoutHits } = topic.broker.searches(true, 9);
  assert.deepEqual([searches, withoutHits], [3, 3]);
});
