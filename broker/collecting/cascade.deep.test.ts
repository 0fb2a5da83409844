import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { collectServed, roundFinished } from '../../exchange/index.ts';
import type { Oid, ServerId } from '../../soif/index.ts';
import { brokerErrors } from '../errors.ts';
import { sourceState } from '../events.ts';
import { now, OpenBroker, type ServedOnWire, Source, scratch, serveOnWire } from '../testing/topic.ts';
import type { SourceAddress } from './source-address.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A Broker that others may collect from. */
class Link implements AsyncDisposable {
  readonly topic: OpenBroker;
  readonly #wire: ServedOnWire;

  private constructor(topic: OpenBroker, wire: ServedOnWire) {
    this.topic = topic;
    this.#wire = wire;
  }

  static async open(path: string, sources: readonly (string | SourceAddress)[], port: number): Promise<Link> {
    const topic = await OpenBroker.open(path, sources);
    const wire = await serveOnWire(topic.folder.identity, 'broker', topic.broker.verbs(), port);
    return new Link(topic, wire);
  }

  get id(): ServerId {
    return this.topic.folder.identity.serverId;
  }

  /** Wait until the store holds these; checked after each change. */
  async holds(urls: readonly string[]): Promise<void> {
    const { store } = this.topic.folder;
    const held = async () => {
      const found: string[] = [];
      await using snapshot = await store.snapshot();
      for await (const { oid } of snapshot.scan())
        found.push((await store.describe(oid))?.url.replace('http://example.org/', '') ?? '');
      return found.sort().join();
    };
    const wanted = [...urls].sort().join();
    let changed = () => {};
    const stop = store.onChange(() => changed());
    try {
      for (;;) {
        const change = new Promise<void>((resolve) => {
          changed = resolve;
        });
        if ((await held()) === wanted) return;
        await change;
      }
    } finally {
      stop();
    }
  }

  async path(oid: Oid): Promise<readonly ServerId[] | undefined> {
    return (await this.topic.folder.store.pathsOf([oid]))[0]?.path;
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#wire[Symbol.asyncDispose]();
    await this.topic[Symbol.asyncDispose]();
  }
}

const deadline = { timeout: 60_000 };

/** Wait until no round runs and no answer changes for this many collections by hand. */
async function settle(links: readonly Link[]): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const before = links.map(({ topic }) => topic.folder.store.lsn).join();
    for (const { topic } of links) await topic.fresh();
    quiet = links.map(({ topic }) => topic.folder.store.lsn).join() === before ? quiet + 1 : 0;
  }
}

test('two Brokers that collect from each other: no object keeps itself alive', deadline, async () => {
  await using folder = await scratch();
  await using site = await Source.open(join(folder.path, 'site'));
  const [a, b] = [await freePort(), await freePort()];
  const at = (port: number) => `ws://127.0.0.1:${port}`;
  await using first = await Link.open(join(folder.path, 'a'), [site.url, at(b)], a);
  await using second = await Link.open(join(folder.path, 'b'), [at(a)], b);
  const { store } = site.folder;
  await store.apply([site.put('x', 'red'), site.put('y', 'green')]);
  first.topic.broker.start();
  second.topic.broker.start();
  await second.holds(['x', 'y']);
  await settle([first, second]);
  const publisher = site.folder.identity.serverId;
  assert.deepEqual(await first.path(site.oid('x')), [publisher]);
  assert.deepEqual(await second.path(site.oid('x')), [first.id, publisher]);
  // An object that the second one passes back is known, and does not count.
  assert.deepEqual((await first.topic.folder.store.describe(site.oid('x')))?.partitions.length, 1);
  assert.equal((await (await first.topic.folder.store.paths(second.id)).state()).own, 2);

  await store.apply([{ kind: 'delete', oid: site.oid('x') }, site.put('y', 'blue', now() + 1)]);
  await Promise.all([first.holds(['y']), second.holds(['y'])]);
  await settle([first, second]);
  assert.deepEqual([first.topic.folder.store.count, second.topic.folder.store.count], [1, 1]);
  assert.deepEqual(await second.topic.urls('blue'), ['y']);
  assert.equal((await (await first.topic.folder.store.paths(second.id)).state()).own, 1);

  // Everything is removed, and nothing returns.
  await store.apply([{ kind: 'delete', oid: site.oid('y') }]);
  await Promise.all([first.holds([]), second.holds([])]);
  await settle([first, second]);
  assert.deepEqual([first.topic.folder.store.count, second.topic.folder.store.count], [0, 0]);
});

test(
  'a ring of three through filters, with a second way in: each path ends by itself',
  deadline,
  async () => {
    await using folder = await scratch();
    await using site = await Source.open(join(folder.path, 'site'));
    const [a, b, c] = [await freePort(), await freePort(), await freePort()];
    const at = (port: number) => `ws://127.0.0.1:${port}/`;
    const filter = { query: 'Type: HTML' };
    const place = (name: string) => join(folder.path, name);
    await using first = await Link.open(place('a'), [site.url, { url: at(c), filter }], a);
    await using second = await Link.open(place('b'), [{ url: at(a), filter }], b);
    // The third also collects from the site itself.
    await using third = await Link.open(place('c'), [{ url: at(b), filter }, site.url], c);
    const ring = [first, second, third];
    const { store } = site.folder;
    await store.apply([site.put('x', 'red'), site.put('y', 'green')]);
    for (const { topic } of ring) topic.broker.start();
    for (const link of ring) await link.holds(['x', 'y']);
    await settle(ring);
    const publisher = site.folder.identity.serverId;
    assert.deepEqual(await second.path(site.oid('x')), [first.id, publisher]);
    await store.apply([{ kind: 'delete', oid: site.oid('x') }]);
    for (const link of ring) await link.holds(['y']);
    await settle(ring);
    assert.deepEqual(
      ring.map(({ topic }) => topic.folder.store.count),
      [1, 1, 1],
    );
    // A change of content travels around once.
    let rounds = 0;
    const stop = roundFinished.subscribe(() => {
      rounds++;
    });
    await store.apply([site.put('y', 'violet', now() + 1)]);
    await settle(ring);
    stop();
    for (const { topic } of ring) assert.deepEqual(await topic.urls('violet'), ['y']);
    assert.ok(rounds < 60, `${rounds} rounds for one change`);
    await store.apply([{ kind: 'delete', oid: site.oid('y') }]);
    for (const link of ring) await link.holds([]);
    await settle(ring);
    assert.deepEqual(
      ring.map(({ topic }) => topic.folder.store.count),
      [0, 0, 0],
    );
  },
);

test(
  'a chain: the path grows by one at each Broker, and a Broker that is its own source reports it',
  deadline,
  async () => {
    await using folder = await scratch();
    await using site = await Source.open(join(folder.path, 'site'));
    await site.folder.store.apply([site.put('x', 'red')]);
    const links: Link[] = [];
    let source = site.url;
    try {
      for (const name of ['a', 'b', 'c']) {
        const port = await freePort();
        const link = await Link.open(join(folder.path, name), [source], port);
        links.push(link);
        source = `ws://127.0.0.1:${port}`;
        link.topic.broker.start();
        await link.holds(['x']);
        await link.topic.fresh();
      }
      const ids = links.map(({ id }) => id);
      assert.deepEqual(await links[2]?.path(site.oid('x')), [ids[1], ids[0], site.folder.identity.serverId]);
    } finally {
      for (const link of links.reverse()) await link[Symbol.asyncDispose]();
    }
    const port = await freePort();
    await using own = await Link.open(join(folder.path, 'own'), [`ws://127.0.0.1:${port}`], port);
    const fault = new Promise<string | undefined>((resolve) => {
      const stop = sourceState.subscribe(({ error }) => {
        if (error === undefined) return;
        stop();
        resolve(error);
      });
    });
    own.topic.broker.start();
    assert.match((await fault) ?? '', /is this Broker itself/);
    assert.equal(brokerErrors.BROKER_SELF.code, 'BROKER_SELF');
  },
);

void collectServed;
