import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { test } from 'node:test';
import { roundFinished } from '../../exchange/index.ts';
import { type Oid, withdrawalBytes } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { brokerStatus } from '../routes/routes.ts';
import { now, OpenBroker, type ServedOnWire, Source, scratch, serveOnWire } from '../testing/topic.ts';

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

/** A Broker of the mesh, which can sleep: its store is closed then. */
class Member implements AsyncDisposable {
  readonly #path: string;
  readonly #port: number;
  readonly #sources: readonly string[];
  #open: { readonly topic: OpenBroker; readonly wire: ServedOnWire } | undefined;

  constructor(path: string, port: number, sources: readonly string[]) {
    this.#path = path;
    this.#port = port;
    this.#sources = sources;
  }

  async wake(): Promise<void> {
    const topic = await OpenBroker.open(this.#path, this.#sources);
    const wire = await serveOnWire(topic.folder.identity, 'broker', topic.broker.verbs(), this.#port);
    this.#open = { topic, wire };
    topic.broker.start();
  }

  async sleep(): Promise<void> {
    await this.#open?.wire[Symbol.asyncDispose]();
    await this.#open?.topic[Symbol.asyncDispose]();
    this.#open = undefined;
  }

  get topic(): OpenBroker {
    assert.ok(this.#open !== undefined);
    return this.#open.topic;
  }

  get store(): ObjectStore {
    return this.topic.folder.store;
  }

  /** Wait until the store has, or no longer has, the object; checked after each change. */
  async until(oid: Oid, isHeld: boolean): Promise<void> {
    const { store } = this;
    let changed = () => {};
    const stop = store.onChange(() => changed());
    try {
      for (;;) {
        const change = new Promise<void>((resolve) => {
          changed = resolve;
        });
        if (((await store.describe(oid)) !== undefined) === isHeld) return;
        await change;
      }
    } finally {
      stop();
    }
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.sleep();
  }
}

/** Wait until no answer changes anything for two collections by hand. */
async function settle(members: readonly Member[]): Promise<void> {
  for (let quiet = 0; quiet < 2; ) {
    const before = members.map(({ store }) => store.lsn).join();
    for (const { topic } of members) await topic.fresh();
    quiet = members.map(({ store }) => store.lsn).join() === before ? quiet + 1 : 0;
  }
}

test('eight Brokers in a full mesh: a signed deletion is gone in some rounds, also where one sleeps meanwhile', {
  timeout: 60_000,
}, async () => {
  await using folder = await scratch();
  await using site = await Source.open(join(folder.path, 'site'));
  const ports = await Promise.all(Array.from({ length: 8 }, freePort));
  const members = ports.map((port, n) => {
    const others = ports.filter((other) => other !== port).map((other) => `ws://127.0.0.1:${other}/`);
    return new Member(join(folder.path, `${n}`), port, n === 0 ? [site.url, ...others] : others);
  });
  try {
    const { store, identity } = site.folder;
    await store.apply(Array.from({ length: 20 }, (_, n) => site.put(`${n}`, 'red')));
    const oid = site.oid('3');
    for (const member of members) await member.wake();
    await Promise.all(members.map((member) => member.until(oid, true)));
    await settle(members);

    const [sleeper, ...awake] = members.toReversed() as [Member, ...Member[]];
    await sleeper.sleep();
    let rounds = 0;
    const stop = roundFinished.subscribe(() => {
      rounds++;
    });
    const { serverId: publisher, sign } = identity;
    const updatedAt = now();
    const withdrawal = { publisher, updatedAt, signature: sign(withdrawalBytes(oid, updatedAt)) };
    await store.apply([{ kind: 'delete', oid, withdrawal }]);
    await Promise.all(awake.map((member) => member.until(oid, false)));
    stop();
    // One with the Gatherer, and at most one of each with each other one as each of them learns of it.
    assert.ok(rounds <= 1 + 7 * 6, `${rounds} rounds`);

    // The one that slept comes with its copy of it.
    const seen: string[] = [];
    for (const [n, { store: theirs }] of awake.entries())
      theirs.onChange(() => {
        void theirs.describe(oid).then((held) => held && seen.push(`Broker ${n}`));
      });
    await sleeper.wake();
    assert.notEqual(await sleeper.store.describe(oid), undefined);
    await sleeper.until(oid, false);
    await settle(members);
    assert.deepEqual(seen, []);
    for (const { store: theirs } of members)
      assert.deepEqual([theirs.count, theirs.withdrawals, await theirs.describe(oid)], [19, 1, undefined]);
    const { withdrawals } = await brokerStatus((members[3] as Member).topic.broker);
    assert.equal(withdrawals, 1);
    assert.deepEqual((await members[3]?.topic.broker.check({ repair: false }))?.store?.sample, []);

    // Published again, it is everywhere again.
    await store.apply([site.put('3', 'blue', updatedAt + 1)]);
    await Promise.all(members.map((member) => member.until(oid, true)));
  } finally {
    for (const member of members) await member[Symbol.asyncDispose]();
  }
});
