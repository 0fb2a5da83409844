import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase, type StoreOperation, type Write } from '../../store/index.ts';
import { scratch } from '../testing/topic.ts';
import { DuplicateWatch, type DuplicateWatchOptions } from './duplicate-watch.ts';

const idOf = (n: number) => Buffer.alloc(16, n + 1).toString('base64url') as ServerId;
const hosts = ['a.example', 'b.example:8080', 'c.example'];
const urlOf = (n: number) => `http://${hosts[n % hosts.length]}/${n}`;

function put(publisher: ServerId, url: string, clock: ManualClock): StoreOperation {
  const object = summaryObject(url, [['Title', String(clock.now())]]);
  const [oid, digest, body] = [oidOf(publisher, url), digestOf(object), encodeObject(object)];
  const updatedAt = Math.floor(clock.now() / 1000);
  const published = { oid, digest, body, updatedAt, publisher, signature: new Uint8Array(64) };
  return { kind: 'put', object: published, url, ttlSeconds: 1000 };
}

/** Read everything: the URLs that several publishers have. */
async function truth(store: ObjectStore): Promise<readonly string[]> {
  const known = new Map<string, number>();
  await using snapshot = await store.snapshot();
  for await (const rows of snapshot.log(0))
    for (const { meta } of rows) if (meta) known.set(meta.url, (known.get(meta.url) ?? 0) + 1);
  return [...known].flatMap(([url, count]) => (count > 1 ? [url] : [])).sort();
}

async function listed(watch: DuplicateWatch): Promise<readonly string[]> {
  const found: string[] = [];
  for await (const url of watch.urls()) found.push(url);
  return found;
}

for (const seed of [1, 2, 3])
  test(`the known duplicates equal those of a full scan, after any history (seed ${seed})`, async () => {
    await using folder = await scratch();
    const random = seededRandom(seed);
    const clock = new ManualClock();
    const below = (limit: number) => Math.floor(random.next() * limit);
    await using store = await ObjectStore.open(await openDatabase(join(folder.path, 'store')), {
      clock,
      random,
    });
    await using database = await openDatabase(join(folder.path, 'table'));
    const faults: unknown[] = [];
    const open = () => DuplicateWatch.open({ store, database, onFault: (error) => faults.push(error) });
    let watch = await open();
    let max = 0;
    for (let step = 0; step < 60; step++) {
      clock.advance(10_000);
      const operations = Array.from({ length: 1 + below(30) }, (): StoreOperation => {
        const [publisher, url] = [idOf(below(4)), urlOf(below(40))];
        return random.next() < 0.4
          ? { kind: 'delete', oid: oidOf(publisher, url) }
          : put(publisher, url, clock);
      });
      await store.apply(operations);
      if (random.next() < 0.1) await store.expire(-900);
      if (random.next() < 0.1) await store.forgetTombstones(0);
      if (random.next() < 0.2) {
        await watch[Symbol.asyncDispose]();
        // Tombstones dropped while the watch was closed make it start again.
        if (random.next() < 0.5) {
          await store.apply([{ kind: 'delete', oid: oidOf(idOf(0), urlOf(below(40))) }]);
          await store.forgetTombstones(-1);
        }
        watch = await open();
      }
      if (random.next() < 0.5) continue;
      await watch.upToDate();
      const known: string[] = [];
      for await (const url of watch.urls()) known.push(url);
      assert.deepEqual(known.sort(), await truth(store));
      assert.equal(watch.count, known.length);
      max = Math.max(max, known.length);
    }
    await watch[Symbol.asyncDispose]();
    assert.deepEqual(faults, []);
    assert.ok(max > 3, 'there were some');
  });

const storeIn = async (path: string, clock: ManualClock) =>
  ObjectStore.open(await openDatabase(join(path, 'store')), { clock, random: seededRandom(1) });

test('URLs skipped because there were too many are found when there is room', async () => {
  await using folder = await scratch();
  const clock = new ManualClock();
  await using store = await storeIn(folder.path, clock);
  await using database = await openDatabase(join(folder.path, 'table'));
  await using watch = await DuplicateWatch.open({ store, database, onFault: assert.ifError, maxUrls: 4 });
  const urls = Array.from({ length: 7 }, (_, n) => urlOf(n)).sort();
  await store.apply(urls.flatMap((url) => [put(idOf(0), url, clock), put(idOf(1), url, clock)]));
  const steps: (readonly [number, boolean])[] = [];
  for (let left = urls.length; left > 0; left -= 2) {
    await watch.upToDate();
    const found = await listed(watch);
    steps.push([found.length, watch.isCut]);
    await store.apply(found.slice(0, 2).map((url) => ({ kind: 'delete', oid: oidOf(idOf(0), url) })));
  }
  assert.deepEqual(steps, [
    [4, true],
    [4, true],
    [3, false],
    [1, false],
  ]);
});

test('a watch that missed tombstones starts again', async () => {
  await using folder = await scratch();
  const clock = new ManualClock();
  await using store = await storeIn(folder.path, clock);
  await using database = await openDatabase(join(folder.path, 'table'));
  let goOn: Promise<void> = Promise.resolve();
  const slow: DuplicateWatchOptions['store'] = {
    describe: (oid) => store.describe(oid),
    get lsn() {
      return store.lsn;
    },
    onChange: (watcher) => store.onChange(watcher),
    snapshot: () => goOn.then(() => store.snapshot()),
    state: () => store.state(),
  };
  await using watch = await DuplicateWatch.open({ store: slow, database, onFault: assert.ifError });
  const [first, second] = [urlOf(1), urlOf(2)];
  await store.apply([first, second].flatMap((url) => [0, 1].map((n) => put(idOf(n), url, clock))));
  await watch.upToDate();
  assert.deepEqual(new Set(await listed(watch)), new Set([first, second]));
  let release = () => {};
  goOn = new Promise((resolve) => {
    release = resolve;
  });
  await store.apply([{ kind: 'delete', oid: oidOf(idOf(0), first) }]);
  await store.forgetTombstones(-1);
  release();
  await watch.upToDate();
  assert.deepEqual([await listed(watch), watch.count], [[second], 1]);
});

test('a failure of the database is reported to waiting callers, and the next change tries again', async () => {
  await using folder = await scratch();
  const clock = new ManualClock();
  await using store = await storeIn(folder.path, clock);
  await using real = await openDatabase(join(folder.path, 'table'));
  const full = new Error('no space left on device');
  let isFull = false;
  const database: typeof real = Object.create(real, {
    batch: { value: (writes: Write[]) => (isFull ? Promise.reject(full) : real.batch(writes)) },
  });
  const faults: unknown[] = [];
  await using watch = await DuplicateWatch.open({ store, database, onFault: (error) => faults.push(error) });
  await watch.upToDate();
  isFull = true;
  await store.apply([put(idOf(0), urlOf(1), clock), put(idOf(1), urlOf(1), clock)]);
  await assert.rejects(watch.upToDate(), full);
  assert.deepEqual([new Set(faults), watch.count], [new Set([full]), 0]);
  isFull = false;
  await watch.upToDate();
  assert.equal(watch.count, 1);
});
