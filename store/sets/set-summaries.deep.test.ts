import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  bytesOfHandle,
  type Change,
  type Entry,
  type Epoch,
  elementId,
  type Handle,
  handleOf,
  type Noted,
  oidOfBareHandle,
  type Replica,
  type SetSummary,
  type ShortId,
  shortIdOf,
  signatureOf,
  summarise,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import type { StoreOperation } from '../changes/store-step.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { keys } from '../rows/object-keys.ts';
import { decodeState } from '../rows/store-state.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const epochNamed = (n: number) => Buffer.alloc(12, n + 1).toString('base64url') as Epoch;

async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'garner-sets-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

function put(n: number, content: string, updatedAt: number): StoreOperation & { kind: 'put' } {
  const url = `http://example.org/${n}`;
  const ttlSeconds = 1000;
  const object = summaryObject(url, [
    ['Title', content],
    ['Time-to-Live', ttlSeconds],
  ]);
  const oid = oidOf(publisher, url);
  const [digest, body, signature] = [digestOf(object), encodeObject(object), new Uint8Array(64)];
  return { kind: 'put', object: { oid, digest, body, updatedAt, publisher, signature }, url, ttlSeconds };
}

const oidAt = (n: number) => put(n, '', 0).object.oid;

async function collected<Item>(items: AsyncIterable<Item>): Promise<Item[]> {
  const all: Item[] = [];
  for await (const item of items) all.push(item);
  return all;
}

const plain = ({ sketch, sums }: SetSummary) => ({
  cells: Buffer.from(sketch.encode()).toString('hex'),
  sums: Buffer.from(sums.dump()).toString('hex'),
});

/** A set's sketch, sums and fingerprint are those of its rows, and each element is found by its names. */
async function checkSet(
  what: string,
  epoch: Epoch,
  scan: AsyncIterable<Entry>,
  stored: SetSummary | undefined,
  state: { readonly count: number; readonly fingerprint: Uint8Array },
  find: (names: readonly (Handle | ShortId)[]) => Promise<readonly (Entry | undefined)[]>,
): Promise<void> {
  assert.ok(stored, `${what} has a sketch`);
  const entries = await collected(scan);
  const elements = entries.map(({ oid, digest }) => ({
    handle: bytesOfHandle(handleOf(oid)),
    element: elementId(epoch, oid, digest),
  }));
  const scanned = await summarise(
    (async function* () {
      yield elements;
    })(),
    stored.sketch.length,
  );
  assert.equal(state.count, entries.length, `${what}: count`);
  assert.deepEqual(plain(stored), plain(scanned.summary), `${what}: sketch and sums`);
  assert.deepEqual(
    Buffer.from(state.fingerprint),
    Buffer.from(scanned.fingerprint.digest()),
    `${what}: fingerprint`,
  );
  const names = entries.flatMap(({ oid }, i) => {
    const { handle, element } = elements[i] as (typeof elements)[number];
    return [handleOf(oid), shortIdOf(handle, element)];
  });
  const absent = [handleOf(oidAt(99_999)), 0 as ShortId, (2 ** 48 - 1) as ShortId];
  // A name whose handle exists with other content.
  const renamed = elements.map(({ handle }) => shortIdOf(handle, new Uint8Array(32).fill(0x5a)));
  const found = await find([...absent, ...names.toReversed(), ...renamed]);
  assert.deepEqual(
    found.map((each) => each?.oid),
    [
      ...absent.map(() => undefined),
      ...entries.flatMap(({ oid }) => [oid, oid]).toReversed(),
      ...renamed.map(() => undefined),
    ],
    `${what}: find`,
  );
}

async function checkStore(store: ObjectStore): Promise<void> {
  await using snapshot = await store.snapshot({ sketch: true });
  const { epoch } = snapshot.state;
  await checkSet('the own set', epoch, snapshot.scan(), await snapshot.summary(), snapshot.state, (names) =>
    snapshot.find(names),
  );
  for (const name of store.partitions.keys()) await checkPartition(name, await store.replica(name));

  const puts = (await collected(snapshot.changesSince(0))).map(({ lsn }) => lsn);
  const logged: number[] = [];
  for await (const rows of snapshot.log(0))
    for (const { lsn, row } of rows) if (row.kind === 'put') logged.push(lsn);
  for (const count of [0, 1, 3, puts.length + 1])
    assert.deepEqual(
      (await collected(snapshot.newest(count))).map(({ lsn }) => lsn),
      logged.toReversed().slice(0, count),
      `the ${count} newest`,
    );
}

async function checkPartition(name: string, replica: Replica): Promise<void> {
  const state = await replica.state();
  if (state.marker === undefined) {
    assert.equal(await replica.summary(), undefined);
    return;
  }
  await checkSet(name, state.marker.epoch, replica.scan(), await replica.summary(), state, (names) =>
    replica.find(names),
  );
}

const small = fc.nat(9);
const change = fc.record({
  n: small,
  what: fc.constantFrom('a', 'b', 'c', 'refresh', 'delete', 'note', 'note again', 'unnote'),
});
const step = fc.oneof(
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('apply' as const),
      changes: fc.array(fc.record({ n: small, what: fc.constantFrom('a', 'b', 'c', 'refresh', 'delete') }), {
        maxLength: 6,
      }),
    }),
  },
  {
    weight: 5,
    arbitrary: fc.record({
      kind: fc.constant('learn' as const),
      source: fc.constantFrom('one', 'two'),
      epoch: fc.constantFrom(0, 0, 0, 0, 1, 2),
      changes: fc.array(change, { maxLength: 6 }),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constantFrom('expire', 'forget', 'reopen', 'die') }) },
  {
    weight: 1,
    arbitrary: fc.record({ kind: fc.constant('drop' as const), source: fc.constantFrom('one', 'two') }),
  },
);
type Step = typeof step extends fc.Arbitrary<infer Each> ? Each : never;

/** Objects of which only a handle is held are apart: a partition has its objects or their names. */
const bareHandle = (n: number) => handleOf(oidAt(1000 + n));

function lesson(n: number, what: string, at: number): Change | Noted {
  const signature = signatureOf(put(n, what, 0).object.digest);
  if (what.startsWith('note')) return { kind: 'note', lsn: 1, handle: bareHandle(n), signature };
  if (what === 'unnote') return { kind: 'delete', lsn: 1, oid: oidOfBareHandle(bareHandle(n)) };
  if (what === 'delete') return { kind: 'delete', lsn: 1, oid: oidAt(n) };
  if (what === 'refresh')
    return {
      kind: 'refresh',
      lsn: 1,
      refresh: { oid: oidAt(n), publisher, updatedAt: at, signature: new Uint8Array(64) },
    };
  return { kind: 'put', lsn: 1, object: put(n, what, at).object };
}

test('any history: the sketch, sums and fingerprint of every set are those of its rows, and names find them', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(step, { minLength: 1, maxLength: 25 }),
      fc.constantFrom(1, 3, 10, 100),
      async (steps: readonly Step[], journalElements) => {
        await using folder = await scratch();
        const clock = new ManualClock(1_000_000);
        let database: Database | undefined;
        const open = async () => {
          database = await openDatabase(join(folder.path, 'db'));
          return ObjectStore.open(database, { clock, random: seededRandom(1), journalElements });
        };
        let store = await open();
        try {
          for (const [k, each] of steps.entries()) {
            clock.advance(1000);
            const at = Math.floor(clock.now() / 1000);
            if (each.kind === 'apply')
              await store.apply(
                each.changes.map(({ n, what }): StoreOperation => {
                  if (what === 'delete') return { kind: 'delete', oid: oidAt(n) };
                  if (what === 'refresh')
                    return { kind: 'refresh', oid: oidAt(n), updatedAt: at, signature: new Uint8Array(64) };
                  return put(n, what, at);
                }),
              );
            else if (each.kind === 'learn')
              await (await store.replica(each.source)).apply(
                each.changes.map(({ n, what }) => lesson(n, what, at)),
                { epoch: epochNamed(each.epoch), lsn: k },
              );
            else if (each.kind === 'drop') await store.dropPartition(each.source);
            else if (each.kind === 'forget') await store.forgetTombstones(0);
            else if (each.kind === 'expire') {
              clock.advance(900_000);
              await store.expire();
            } else {
              if (each.kind === 'reopen') await store[Symbol.asyncDispose]();
              else await database?.[Symbol.asyncDispose]();
              store = await open();
            }
            // A set without readers is followed all the same.
            if (k % 3 === 2 || k === steps.length - 1) await checkStore(store);
          }
        } finally {
          await store[Symbol.asyncDispose]().catch(() => undefined);
        }
      },
    ),
    { numRuns: Number(process.env.GARNER_FUZZ_RUNS ?? 25) },
  );
});

test('a sketch that its set outgrows is made longer and still matches the rows', async () => {
  await using folder = await scratch();
  const options = { clock: new ManualClock(1_000_000), random: seededRandom(1), journalElements: 3000 };
  const open = async () => ObjectStore.open(await openDatabase(join(folder.path, 'db')), options);
  const length = async (store: ObjectStore) => {
    await using snapshot = await store.snapshot({ sketch: true });
    return (await snapshot.summary())?.sketch.length;
  };
  let store = await open();
  const range = (from: number, to: number) => Array.from({ length: to - from }, (_, i) => from + i);
  await store.apply(range(0, 8192).map((n) => put(n, 'a', 1000)));
  assert.equal(await length(store), 1024);
  await store.apply(range(8192, 8193).map((n) => put(n, 'a', 1000)));
  assert.equal(await length(store), 8192);
  await checkStore(store);
  await store.apply(range(0, 4000).map((n) => ({ kind: 'delete', oid: oidAt(n) })));
  await checkStore(store);
  await store[Symbol.asyncDispose]();
  store = await open();
  assert.equal(await length(store), 8192, 'a set that shrinks keeps its sketch');
  await checkStore(store);

  const replica = await store.replica('one');
  const marker = { epoch: epochNamed(1), lsn: 1 };
  const lessons = range(0, 8190).map(
    (n): Change => ({ kind: 'put', lsn: 1, object: put(n, 'b', 1000).object }),
  );
  await replica.apply(lessons, marker);
  assert.equal((await replica.summary())?.sketch.length, 1024);
  await replica.apply(
    range(8190, 8200).map((n): Change => ({ kind: 'put', lsn: 1, object: put(n, 'b', 1000).object })),
    marker,
  );
  assert.equal((await replica.summary())?.sketch.length, 8192);
  await checkPartition('one', replica);
  await replica.apply([], { epoch: epochNamed(2), lsn: 0 });
  await checkPartition('one', replica);
  await store[Symbol.asyncDispose]();
});

test('a store of the first format is updated, its partitions too, once', async () => {
  await using folder = await scratch();
  const path = join(folder.path, 'db');
  const options = { clock: new ManualClock(1_000_000), random: seededRandom(1) };
  {
    await using store = await ObjectStore.open(await openDatabase(path), options);
    await store.apply(Array.from({ length: 70 }, (_, n) => put(n, 'a', 1000)));
    await (await store.replica('one')).apply(
      Array.from({ length: 30 }, (_, n) => lesson(n, 'b', 1000)),
      { epoch: epochNamed(3), lsn: 7 },
    );
    await store.replica('two');
  }
  {
    // The first format had whole OIDs and digests in its sums, and no sketches.
    await using database = await openDatabase(path);
    const state = Buffer.from((await database.get(keys.state())) as Uint8Array);
    state[0] = 1;
    state.fill(0xee, 37, 37 + 32);
    await database.batch([{ type: 'put', key: keys.state(), value: state }]);
    for await (const [key, value] of database.entries(keys.partitions()))
      await database.batch([{ type: 'put', key, value: Buffer.from(value).fill(0xdd, 21, 21 + 32) }]);
    for (const range of [keys.summaries(), keys.journals()])
      for await (const key of database.keys(range)) await database.batch([{ type: 'del', key }]);
    assert.equal(decodeState(state, path).outdated, true);
  }
  for (const round of ['first', 'second']) {
    const database = await openDatabase(path);
    await using store = await ObjectStore.open(database, options);
    const row = (await database.get(keys.state())) as Uint8Array;
    assert.equal(decodeState(row, path).outdated, false, round);
    assert.deepEqual((await (await store.replica('one')).state()).marker, { epoch: epochNamed(3), lsn: 7 });
    await checkStore(store);
  }
});
