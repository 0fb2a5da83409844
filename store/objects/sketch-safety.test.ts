import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Change, type Epoch, handleOf, SetFingerprint, type SetSummary } from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { keys } from '../rows/object-keys.ts';
import { shortIdsOf } from '../sets/set-rows.ts';
import { summarised } from '../testing/sample-summary.ts';
import { ObjectStore } from './object-store.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;

function lesson(n: number, content: string): Change & { kind: 'put' } {
  const url = `http://example.org/${n}`;
  const digest = Buffer.alloc(32, `${content}${n}`);
  const body = encodeObject(summaryObject(url, [['Title', content]]));
  const object = {
    oid: oidOf(publisher, url),
    digest,
    body,
    updatedAt: 1,
    publisher,
    signature: new Uint8Array(64),
  };
  return { kind: 'put', lsn: n + 1, object };
}

const lessons = (from: number, to: number, content = 'a') =>
  Array.from({ length: to - from }, (_, i) => lesson(from + i, content));

const cells = (summary: SetSummary | undefined) =>
  Buffer.from(summary?.sketch.encode() ?? []).toString('hex');

async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'garner-sketches-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const options = { clock: new ManualClock(1_000_000), random: seededRandom(1), journalElements: 8 };

test('a sketch with a reader does not change under it', async () => {
  await using folder = await scratch();
  await using store = await ObjectStore.open(await openDatabase(folder.path), options);
  const replica = await store.replica('one');
  await replica.apply(lessons(0, 5), { epoch, lsn: 5 });
  const lent = await replica.summary();
  await using snapshot = await store.snapshot({ sketch: true });
  const [before, own] = [cells(lent), cells(await snapshot.summary())];
  await replica.apply(lessons(5, 20), { epoch, lsn: 20 });
  assert.equal(cells(lent), before);
  assert.equal(cells(await snapshot.summary()), own);
  assert.notEqual(cells(await replica.summary()), before);
});

test('a sketch that cannot be written leaves the step done, every sketch right, and is written later', async () => {
  await using folder = await scratch();
  const real = await openDatabase(folder.path);
  let failing = false;
  const isSketch = (key: Uint8Array) => key[0] === keys.summary(0)[0];
  const database: Database = {
    ...real,
    batch: async (writes, how) => {
      if (failing && writes.some(({ type, key }) => type === 'put' && isSketch(key)))
        throw new Error('no space left on device');
      await real.batch(writes, how);
    },
  };
  const store = await ObjectStore.open(database, options);
  const replica = await store.replica('one');
  await replica.apply(lessons(0, 5), { epoch, lsn: 5 });
  await replica.summary();
  await (await store.snapshot({ sketch: true }))[Symbol.asyncDispose]();
  failing = true;
  // More elements than the journal takes: both sketches must be written.
  await replica.apply(lessons(5, 40), { epoch, lsn: 40 });
  assert.equal((await replica.state()).marker?.lsn, 40);
  failing = false;
  await replica.apply(lessons(40, 41), { epoch, lsn: 41 });
  for (const set of [0, 1]) {
    const ids = shortIdsOf(real, set, store.epoch as Epoch);
    const stored = set === 0 ? await ownSummary(store) : await replica.summary();
    assert.equal(cells(stored), cells(await summarised(ids, stored?.sketch.length ?? 0)), `set ${set}`);
  }
  const written = cells(await replica.summary());
  await store[Symbol.asyncDispose]();
  await using again = await ObjectStore.open(await openDatabase(folder.path), options);
  const reopened = await (await again.replica('one')).summary();
  assert.equal(cells(reopened), written);
});

async function ownSummary(store: ObjectStore): Promise<SetSummary | undefined> {
  await using snapshot = await store.snapshot({ sketch: true });
  return snapshot.summary();
}

test('a partition that is dropped and made again begins with nothing, under the same number and epoch', async () => {
  await using folder = await scratch();
  await using store = await ObjectStore.open(await openDatabase(folder.path), options);
  const first = await store.replica('one');
  await first.apply(lessons(0, 5), { epoch, lsn: 5 });
  const number = store.partitions.get('one');
  await store.dropPartition('one');
  const second = await store.replica('two');
  assert.equal(store.partitions.get('two'), number);
  assert.deepEqual(await second.state(), {
    marker: undefined,
    count: 0,
    fingerprint: new SetFingerprint().digest(),
  });
  await second.apply(lessons(7, 9, 'b'), { epoch, lsn: 2 });
  const state = await second.state();
  assert.equal(state.count, 2);
  const [found] = await second.find([handleOf(lesson(7, 'b').object.oid)]);
  assert.deepEqual(Buffer.from(found?.digest ?? []), Buffer.alloc(32, 'b7'));
});

test('a batch that fails leaves states as they were', async () => {
  await using folder = await scratch();
  const real = await openDatabase(folder.path);
  let failing = false;
  const database: Database = {
    ...real,
    batch: async (writes, how) => {
      if (failing) throw new Error('no space left on device');
      await real.batch(writes, how);
    },
  };
  await using store = await ObjectStore.open(database, options);
  const replica = await store.replica('one');
  await replica.apply(lessons(0, 5), { epoch, lsn: 5 });
  const [before, sketch] = [await replica.state(), cells(await replica.summary())];
  failing = true;
  await assert.rejects(replica.apply(lessons(5, 6), { epoch, lsn: 6 }), /no space/);
  failing = false;
  assert.deepEqual(await replica.state(), before);
  assert.equal(cells(await replica.summary()), sketch);
  await replica.apply(lessons(5, 6), { epoch, lsn: 6 });
  assert.equal((await replica.state()).count, 6);
});
