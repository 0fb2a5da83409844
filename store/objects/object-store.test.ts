import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Change,
  elementId,
  type Marker,
  type PublishedObject,
  SetFingerprint,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import type { StoreOperation } from '../changes/store-step.ts';
import { openDatabase } from '../database/database.ts';
import { ObjectStore } from './object-store.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

interface Scratch extends AsyncDisposable {
  readonly path: string;
}

async function scratch(): Promise<Scratch> {
  const path = await mkdtemp(join(tmpdir(), 'garner-store-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function published(
  n: number,
  content: string,
  updatedAt: number,
  ttlSeconds = 1000,
): PublishedObject & { url: string; ttlSeconds: number } {
  const url = `http://example.org/${n}`;
  const object = summaryObject(url, [
    ['Title', content],
    ['Time-to-Live', ttlSeconds],
    ['Update-Time', updatedAt],
  ]);
  return {
    oid: oidOf(publisher, url),
    digest: digestOf(object),
    body: encodeObject(object),
    updatedAt,
    publisher,
    signature: new Uint8Array(64),
    url,
    ttlSeconds,
  };
}

function putting(n: number, content: string, updatedAt: number, ttlSeconds?: number): StoreOperation {
  const { url, ttlSeconds: ttl, ...object } = published(n, content, updatedAt, ttlSeconds);
  return { kind: 'put', object, url, ttlSeconds: ttl };
}

const open = async (path: string, clock = new ManualClock()) =>
  ObjectStore.open(await openDatabase(join(path, 'db')), { clock, random: seededRandom(1) });

async function contents(store: ObjectStore): Promise<Map<Oid, string>> {
  await using snapshot = await store.snapshot();
  const found = new Map<Oid, string>();
  for await (const { oid, digest } of snapshot.scan()) found.set(oid, Buffer.from(digest).toString('hex'));
  return found;
}

test('an object is found again with its provenance after reopening', async () => {
  await using folder = await scratch();
  const { url, ttlSeconds, ...object } = published(1, 'one', 5000);
  {
    await using store = await open(folder.path);
    assert.deepEqual(await store.apply([{ kind: 'put', object, url, ttlSeconds }]), {
      changed: 1,
      refreshed: 0,
      deleted: 0,
      lsn: 1,
    });
  }
  await using store = await open(folder.path);
  const found = await store.get(object.oid);
  assert.ok(found);
  assert.deepEqual(
    { ...found, body: Buffer.from(found.body) },
    { ...object, body: Buffer.from(object.body), digest: found.digest, signature: found.signature },
  );
  assert.deepEqual([store.count, store.lsn], [1, 1]);
  assert.equal((await store.describe(object.oid))?.url, url);
});

test('the log holds each object once, by its last change, and keeps deletions', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  await store.apply([putting(1, 'a', 10), putting(2, 'b', 10), putting(3, 'c', 10)]);
  await store.apply([putting(1, 'a2', 11)]);
  await store.apply([
    { kind: 'refresh', oid: published(2, '', 0).oid, updatedAt: 12, signature: new Uint8Array(64) },
  ]);
  await store.apply([{ kind: 'delete', oid: published(3, '', 0).oid }]);
  await using snapshot = await store.snapshot();
  const since = async (lsn: number) => {
    const seen: string[] = [];
    for await (const change of snapshot.changesSince(lsn)) seen.push(`${change.lsn} ${change.kind}`);
    return seen;
  };
  assert.deepEqual(
    await since(0),
    ['4 put', '5 put', '6 delete'],
    'a client that missed the content gets it, not the refresh',
  );
  assert.deepEqual(await since(2), ['4 put', '5 refresh', '6 delete']);
  assert.deepEqual(await since(6), []);
});

test('an object comes back after its deletion without its tombstone', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const { oid } = published(1, '', 0);
  await store.apply([putting(1, 'a', 10), { kind: 'delete', oid }, putting(1, 'a', 12)]);
  await using snapshot = await store.snapshot();
  const kinds: string[] = [];
  for await (const change of snapshot.changesSince(0)) kinds.push(change.kind);
  assert.deepEqual(kinds, ['put']);
});

test('a snapshot does not move', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  await store.apply([putting(1, 'a', 10)]);
  await using snapshot = await store.snapshot();
  await store.apply([putting(1, 'b', 11), putting(2, 'c', 11)]);
  const seen: number[] = [];
  for await (const change of snapshot.changesSince(0)) seen.push(change.lsn);
  assert.deepEqual([seen, snapshot.state.lsn, snapshot.state.count], [[1], 1, 1]);
});

test('objects that have outlived their time-to-live are deleted, in order and by the given clock', async () => {
  await using folder = await scratch();
  const clock = new ManualClock(0);
  await using store = await open(folder.path, clock);
  await store.apply([putting(1, 'a', 0, 10), putting(2, 'b', 0, 20), putting(3, 'c', 0, 10)]);
  await store.apply([
    { kind: 'refresh', oid: published(3, '', 0).oid, updatedAt: 15, signature: new Uint8Array(64) },
  ]);
  assert.equal(await store.expire(), 0);
  clock.advance(10_000);
  assert.equal(await store.expire(1), 0, 'a grace keeps it');
  assert.equal(await store.expire(), 1);
  clock.advance(10_000);
  assert.equal(await store.expire(), 1);
  assert.equal(store.count, 1);
  clock.advance(5_000);
  assert.equal(await store.expire(), 1);
});

test('forgotten tombstones move the horizon and nothing else', async () => {
  await using folder = await scratch();
  const clock = new ManualClock(0);
  await using store = await open(folder.path, clock);
  await store.apply([putting(1, 'a', 0), putting(2, 'b', 0)]);
  await store.apply([{ kind: 'delete', oid: published(1, '', 0).oid }]);
  await store.forgetTombstones(60);
  assert.equal((await store.state()).horizon, 0);
  clock.advance(61_000);
  await store.forgetTombstones(60);
  const state = await store.state();
  assert.deepEqual([state.horizon, state.count, state.lsn], [3, 1, 3]);
  await store.apply([putting(1, 'again', 0)]);
  assert.equal(store.count, 2);
});

type Step =
  | { readonly do: 'put'; readonly n: number; readonly content: string }
  | { readonly do: 'refresh' | 'delete'; readonly n: number };

const step: fc.Arbitrary<Step> = fc.oneof(
  fc.record({ do: fc.constant('put' as const), n: fc.nat(9), content: fc.constantFrom('x', 'y', 'z') }),
  fc.record({ do: fc.constantFrom('refresh' as const, 'delete' as const), n: fc.nat(9) }),
);

test('any history: contents, count, fingerprint and log agree with a plain map, across restarts', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(fc.array(step, { minLength: 1, maxLength: 6 }), { maxLength: 12 }),
      fc.nat(11),
      async (batches, restart) => {
        await using folder = await scratch();
        let store = await open(folder.path);
        const truth = new Map<Oid, string>();
        const client = new Map<Oid, string>();
        let learned = 0;
        let time = 100;
        for (const [i, batch] of batches.entries()) {
          time++;
          const operations = batch.map((one): StoreOperation => {
            const { oid } = published(one.n, '', 0);
            if (one.do === 'put') {
              truth.set(oid, Buffer.from(published(one.n, one.content, time).digest).toString('hex'));
              return putting(one.n, one.content, time);
            }
            if (one.do === 'delete') {
              truth.delete(oid);
              return { kind: 'delete', oid };
            }
            return { kind: 'refresh', oid, updatedAt: time, signature: new Uint8Array(64) };
          });
          await store.apply(operations);
          if (i === restart) {
            await store[Symbol.asyncDispose]();
            store = await open(folder.path);
          }
          // A client that follows the log from its marker ends up equal.
          if (i % 3 === 2 || i === batches.length - 1) {
            await using snapshot = await store.snapshot();
            for await (const change of snapshot.changesSince(learned)) {
              if (change.kind === 'put')
                client.set(change.object.oid, Buffer.from(change.object.digest).toString('hex'));
              else if (change.kind === 'delete') client.delete(change.oid);
            }
            learned = snapshot.state.lsn;
            assert.deepEqual([...client].sort(), [...truth].sort());
          }
        }
        assert.deepEqual([...(await contents(store))].sort(), [...truth].sort());
        const { epoch, fingerprint, count } = await store.state();
        const expected = new SetFingerprint();
        for (const [oid, digest] of truth) expected.add(elementId(epoch, oid, Buffer.from(digest, 'hex')));
        assert.equal(count, truth.size);
        assert.deepEqual(Buffer.from(fingerprint), Buffer.from(expected.digest()));
        await store[Symbol.asyncDispose]();
      },
    ),
    { numRuns: 60 },
  );
});

test('partitions: an object two sources offer is stored once and stays while one offers it', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const marker = (lsn: number): Marker => ({
    epoch: Buffer.alloc(12, lsn).toString('base64url') as Marker['epoch'],
    lsn,
  });
  const put = (n: number, content: string, at: number): Change => {
    const { url: _, ttlSeconds: __, ...object } = published(n, content, at);
    return { kind: 'put', lsn: 1, object };
  };
  const one = await store.replica('one');
  const two = await store.replica('two');
  await one.apply([put(1, 'a', 10), put(2, 'b', 10)], marker(1));
  await two.apply([put(1, 'a', 10)], marker(2));
  assert.equal(store.count, 2);
  const { oid } = published(1, '', 0);
  await one.apply([{ kind: 'delete', lsn: 2, oid }], marker(1));
  assert.equal(store.count, 2, 'the other source still offers it');
  await two.apply([{ kind: 'delete', lsn: 2, oid }], marker(2));
  assert.equal(store.count, 1);
  assert.deepEqual([(await one.state()).count, (await two.state()).count], [1, 0]);
  await store.dropPartition('one');
  assert.deepEqual([store.count, [...store.partitions.keys()]], [0, ['two']]);
});

test('partitions: the newest content wins, and content that lost its source is learned again', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const marker: Marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Marker['epoch'], lsn: 1 };
  const put = (content: string, at: number): Change => {
    const { url: _, ttlSeconds: __, ...object } = published(1, content, at);
    return { kind: 'put', lsn: 1, object };
  };
  const [one, two] = [await store.replica('one'), await store.replica('two')];
  await one.apply([put('new', 20)], marker);
  await two.apply([put('old', 10)], marker);
  const { oid } = published(1, '', 0);
  assert.equal((await store.get(oid))?.updatedAt, 20);
  await one.apply([{ kind: 'delete', lsn: 2, oid }], marker);
  assert.equal(store.count, 0, 'the body held was not the one the other source offers');
  assert.equal((await two.state()).count, 0, 'so its next round sees that it lacks it');
});

test('partitions: an object counts for the source that offered it first, and the log says when that changes', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const marker: Marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Marker['epoch'], lsn: 1 };
  const put = (content: string, at: number): Change => {
    const { url: _, ttlSeconds: __, ...object } = published(1, content, at);
    return { kind: 'put', lsn: 1, object };
  };
  const [one, two] = [await store.replica('one'), await store.replica('two')];
  await one.apply([put('same', 10)], marker);
  await two.apply([put('same', 10)], marker);
  await one.apply([put('same', 20)], marker);
  const { oid } = published(1, '', 0);
  assert.deepEqual(
    (await store.describe(oid))?.partitions,
    [1, 2],
    'the last speaker does not become the first',
  );
  const before = store.lsn;
  await one.apply([{ kind: 'delete', lsn: 2, oid }], marker);
  assert.deepEqual((await store.describe(oid))?.partitions, [2]);
  await using snapshot = await store.snapshot();
  const kinds: string[] = [];
  for await (const change of snapshot.changesSince(before)) kinds.push(change.kind);
  assert.deepEqual(kinds, ['put'], 'an index has to file it under the other source');
});

test('a partition under a new epoch is fingerprinted again', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const replica = await store.replica('one');
  const { url: _, ttlSeconds: __, ...object } = published(1, 'a', 10);
  const epoch = (n: number) =>
    createHash('sha256').update(String(n)).digest().subarray(0, 12).toString('base64url') as Marker['epoch'];
  await replica.apply([{ kind: 'put', lsn: 1, object }], { epoch: epoch(1), lsn: 1 });
  await replica.apply([], { epoch: epoch(2), lsn: 0 });
  const expected = new SetFingerprint();
  expected.add(elementId(epoch(2), object.oid, object.digest));
  assert.deepEqual(Buffer.from((await replica.state()).fingerprint), Buffer.from(expected.digest()));
});
