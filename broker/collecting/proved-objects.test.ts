import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { setImmediate } from 'node:timers/promises';
import type { Change, Epoch, Marker, PublishedObject } from '../../awareness/index.ts';
import type { Fetch, FetchResponse } from '../../fetch/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { ProofBook } from '../../publication/index.ts';
import {
  digestOf,
  encodeObject,
  identityFrom,
  newIdentitySecret,
  oidOf,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import { type Database, ObjectStore, openDatabase } from '../../store/index.ts';
import { ProvedObjects } from './proved-objects.ts';

const [one, two, broker] = ['one', 'two', 'broker'] as unknown as [ServerId, ServerId, ServerId];
const marker: Marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Epoch, lsn: 1 };
const signature = new Uint8Array(64);
const signal = new AbortController().signal;
const keyText = (key: Uint8Array) => Buffer.from(key).toString('base64url');
const sites = (count: number, name = 'site') =>
  Array.from({ length: count }, (_, at) => `https://${name}${at}.example/`);

/** Proved objects over a real store, with a clock and sites that only the test moves. */
class World implements AsyncDisposable {
  readonly clock: ManualClock;
  /** The Gatherer of all objects; its key may change. */
  readonly gatherer = identityFrom(newIdentitySecret());
  key = this.gatherer.publicKey;
  /** What sites answer: their servers' keys. The others are silent. */
  readonly named = new Map<string, readonly string[]>();
  /** The sites that were asked, in order. */
  readonly asked: string[] = [];
  keysRead = 0;
  /** Before a site answers. */
  delay: (site: string) => Promise<void> = async () => {};
  proved!: ProvedObjects;
  readonly store: ObjectStore;
  readonly #rows: Database;
  readonly #path: string;

  private constructor(path: string, clock: ManualClock, store: ObjectStore, rows: Database) {
    this.#path = path;
    this.clock = clock;
    this.store = store;
    this.#rows = rows;
  }

  static async open(maxSites = 1000): Promise<World> {
    const path = await mkdtemp(join(tmpdir(), 'garner-proved-'));
    const clock = new ManualClock();
    const store = await ObjectStore.open(await openDatabase(join(path, 'store')), {
      ...{ clock, random: seededRandom(1) },
    });
    const world = new World(path, clock, store, await openDatabase(join(path, 'rows')));
    await world.restart(maxSites);
    return world;
  }

  /** The sites' answers are forgotten. */
  async restart(maxSites = 1000): Promise<void> {
    const { clock, store } = this;
    const fetch: Fetch = async ({ url }) => {
      const site = new URL('/', url).href;
      this.asked.push(site);
      await this.delay(site);
      const keys = this.named.get(site);
      const servers = keys?.map((key) => ({ id: this.gatherer.serverId, key }));
      return {
        status: servers === undefined ? 503 : 200,
        body: (async function* () {
          yield Buffer.from(JSON.stringify({ servers }));
        })(),
        [Symbol.asyncDispose]: async () => {},
      } as unknown as FetchResponse;
    };
    this.proved = await ProvedObjects.open({
      ...{ database: this.#rows, store, clock },
      keyring: {
        keyOf: async () => {
          this.keysRead++;
          return this.key;
        },
      },
      book: new ProofBook({ fetch, clock, maxSites }),
    });
  }

  oid = (url: string) => oidOf(this.gatherer.serverId, url);

  object(url: string, title: string): PublishedObject {
    const summary = summaryObject(url, [
      ['Title', title],
      ['Time-to-Live', 1_000_000],
    ]);
    const [digest, body] = [digestOf(summary), encodeObject(summary)];
    const [oid, publisher] = [this.oid(url), this.gatherer.serverId];
    return { oid, digest, body, updatedAt: this.#now, publisher, signature };
  }

  put = (url: string, title = 'Tides'): Change => ({
    ...{ kind: 'put', lsn: 1, object: this.object(url, title) },
  });

  renewal = (url: string): Change => ({
    kind: 'refresh',
    lsn: 1,
    refresh: { oid: this.oid(url), publisher: this.gatherer.serverId, updatedAt: this.#now, signature },
  });

  async send(source: ServerId, ...changes: readonly Change[]): Promise<void> {
    await this.proved.guard(await this.store.replica(source), source).apply(changes, marker);
  }

  /** Whether an object is listed in the copy of a source. */
  async lists(source: ServerId, url: string): Promise<boolean> {
    return (await (await this.store.replica(source)).digests([this.oid(url)]))[0] !== undefined;
  }

  async held(url: string): Promise<boolean> {
    return (await this.store.describe(this.oid(url))) !== undefined;
  }

  name(...urls: readonly string[]): void {
    for (const url of urls) this.named.set(url, [keyText(this.key)]);
  }

  hours(count: number): void {
    this.clock.advance(count * 3_600_000);
  }

  get #now(): number {
    return Math.floor(this.clock.now() / 1000);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.store[Symbol.asyncDispose]();
    await this.#rows[Symbol.asyncDispose]();
    await rm(this.#path, { recursive: true, force: true });
  }
}

test('an object that was proved stays while its site is silent or not asked, and goes when its site does not name it', async () => {
  await using world = await World.open();
  const all = sites(20);
  const [first = '', second = ''] = all;
  world.name(...all);
  for (const url of all) await world.send(one, world.put(url));
  assert.equal(world.store.count, 20);
  const renew = async () => {
    world.hours(1);
    await world.send(one, ...all.map(world.renewal));
    const renewed = await world.store.describe(world.oid(all.at(-1) ?? ''));
    assert.equal(renewed?.updatedAt, Math.floor(world.clock.now() / 1000), 'it is renewed');
    assert.equal(world.store.count, 20);
  };
  world.named.clear();
  await renew();
  await world.restart();
  await renew();
  await world.send(one, world.put(first, 'Changed'));
  const { digest } = world.object(first, 'Changed');
  assert.deepEqual((await world.store.describe(world.oid(first)))?.digest, Buffer.from(digest));
  // More sites than are asked for one batch, and than the answers of which are kept.
  world.name(...all);
  await world.restart(1);
  await renew();
  await renew();
  await world.send(one, world.put('https://new.example/'));
  assert.equal(world.store.count, 20, 'a new object needs its site');

  await world.restart();
  await world.send(one, world.put(`${first}b`));
  world.named.set(first, []);
  world.hours(1);
  await world.send(one, world.renewal(first), world.renewal(second));
  assert.deepEqual([await world.held(first), await world.held(second)], [false, true]);
  assert.match(world.proved.trouble(one)?.message ?? '', /keeps out 2 of its objects/);
  world.name(first);
  world.clock.advance(60_000);
  await world.send(one, world.renewal(`${first}b`));
  assert.ok(await world.held(`${first}b`), 'a site that has corrected its answer is asked again');
});

test('an answer of before a Gatherer changed its key removes none of its objects', async () => {
  await using world = await World.open();
  const all = sites(20);
  world.name(...all);
  for (const url of all) await world.send(one, world.put(url));
  world.key = identityFrom(newIdentitySecret()).publicKey;
  const renew = () => world.send(one, ...all.map(world.renewal));
  world.named.clear();
  for (let times = 0; times < 3; times++) {
    world.clock.advance(30_000);
    await renew();
  }
  assert.equal(world.store.count, 20, 'the sites are silent');
  world.name(...all);
  world.clock.advance(60_000);
  await renew();
  assert.equal(world.store.count, 20);
  for (const url of all) world.named.set(url, []);
  world.hours(1);
  await renew();
  assert.ok(world.store.count < 20);
});

test('a look at many silent sites holds up no source, and asks each of them once an hour', async () => {
  await using world = await World.open(64);
  // A host is asked once a minute, so most of its ports are left out of a look.
  const ports = Array.from({ length: 130 }, (_, at) => `https://ports.example:${at + 1}/`);
  const bogus = [...sites(130, 'bogus'), ...ports];
  const [honest = '', last = ''] = sites(2, 'honest');
  await world.send(one, ...[...bogus, honest].map((url) => world.put(url)));
  world.name(honest, last);
  let open: (() => void)[] = [];
  world.delay = (site) => (site === last ? Promise.resolve() : new Promise((resolve) => open.push(resolve)));
  const answer = () => {
    for (const resolve of open) resolve();
    open = [];
  };
  world.clock.advance(60_000);
  const ticking = world.proved.tick(signal);
  const { keysRead } = world;
  const sent = world.send(two, world.put(last));
  // The source waits for its turn now.
  while (world.keysRead === keysRead) await setImmediate();
  await setImmediate();
  answer();
  await sent;
  assert.ok(await world.held(last));
  assert.ok(world.asked.length < 40, 'the look goes on after that');
  world.delay = async () => {};
  answer();
  await ticking;
  for (let minute = 0; minute < 30; minute++) {
    world.clock.advance(60_000);
    await world.proved.tick(signal);
  }
  const times = bogus.map((url) => world.asked.filter((site) => site === url).length);
  assert.ok(Math.max(...times) <= 2, `${Math.max(...times)} requests: with its batch, and in a look`);
  assert.equal(await world.lists(one, honest), false, 'the last of them is asked too, and offered again');
});

test('an object that two sources list returns when one has left it out before its site names it', async () => {
  await using world = await World.open();
  const [first = '', second = ''] = sites(2);
  world.named.set(first, []);
  for (const source of [one, two]) await world.send(source, world.put(first), world.put(second));
  await world.send(one, { kind: 'delete', lsn: 1, oid: world.oid(first) });
  world.name(first);
  world.hours(1);
  await world.proved.tick(signal);
  assert.equal(await world.lists(two, first), false, 'it is offered again');
  await world.send(two, world.put(first));
  assert.ok(await world.held(first));
  // Taken from one source: the copy of the other one has no content of it.
  world.name(second);
  world.hours(1);
  await world.send(one, world.put(second, 'Changed'));
  assert.deepEqual([await world.lists(one, second), await world.lists(two, second)], [true, false]);
  assert.ok(await world.held(second));
  await world.send(two, world.put(second, 'Changed'));
  await world.send(one, { kind: 'delete', lsn: 1, oid: world.oid(second) });
  assert.ok(await world.held(second));
  assert.deepEqual([world.proved.trouble(one), world.proved.trouble(two)], [undefined, undefined]);
});

test('what was published at the Broker needs no proof, also when a source sends it', async () => {
  await using world = await World.open();
  const [url = ''] = sites(1);
  world.named.set(url, []);
  await world.store.apply([{ kind: 'put', url, ttlSeconds: 1000, object: world.object(url, 'Tides') }]);
  await world.send(broker, world.put(url));
  world.hours(1);
  await world.send(broker, world.renewal(url));
  assert.ok(await world.held(url));
  assert.equal(world.proved.trouble(broker), undefined);
});

test('an object without a site is kept out, and its look disturbs no other one', async () => {
  await using world = await World.open();
  const [url = ''] = sites(1);
  await world.send(one, world.put('ftp://files.example/a'), world.put(url));
  world.name(url);
  world.hours(1);
  await world.proved.tick(signal);
  assert.equal(await world.lists(one, url), false);
  assert.match(world.proved.trouble(one)?.message ?? '', /keeps out 1 of its objects/);
});

test('an object waits for the answer of its site that another source has asked for', async () => {
  await using world = await World.open();
  const [url = ''] = sites(1);
  world.name(url);
  let answer = () => {};
  world.delay = () =>
    new Promise((resolve) => {
      answer = resolve;
    });
  const first = world.send(one, world.put(url));
  while (world.asked.length === 0) await setImmediate();
  const second = world.send(two, world.put(`${url}b`));
  for (let turn = 0; turn < 100; turn++) await setImmediate();
  answer();
  await Promise.all([first, second]);
  assert.deepEqual([await world.held(url), await world.held(`${url}b`)], [true, true]);
});
