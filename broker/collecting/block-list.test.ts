import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import type { Change, Epoch, Replica } from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { ObjectStore, openDatabase, within } from '../../store/index.ts';
import { scratch } from '../testing/topic.ts';
import { type Block, BlockList } from './block-list.ts';

const server = Buffer.alloc(16, 1).toString('base64url') as ServerId;
const oidAt = (at: number) => oidOf(server, `http://example.org/${at}`);
const block = (at: number): Block & { readonly digest: Uint8Array } => ({
  ...{
    oid: oidAt(at),
    url: `http://example.org/${at}`,
    isForGood: at % 2 === 0,
    reason: '',
    by: 'jo',
    at: 1,
  },
  digest: new Uint8Array(32).fill(at),
});

/** Objects that are neither stored nor offered. */
const nothing = { describe: async () => undefined, isOffered: async () => false };

test('a deletion cut short by a crash is completed at the next start', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  const list = await BlockList.open(database, nothing, async () => {});
  await assert.rejects(list.delete([block(1), block(2)], () => Promise.reject(new Error('killed'))));
  const removed: Oid[] = [];
  const again = await BlockList.open(database, nothing, async (oids) => {
    removed.push(...oids);
  });
  assert.deepEqual(removed, [oidAt(1), oidAt(2)]);
  assert.equal(again.count, 2);
  const once = await BlockList.open(database, nothing, () => assert.fail('nothing is left to do'));
  assert.deepEqual((await once.list(10)).map(({ oid }) => oid).sort(), [oidAt(1), oidAt(2)].sort());
});

test('after any blocking and lifting, the list, its pages and its count agree with a set', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  let run = 0;
  const step = fc.record({ kind: fc.constantFrom('block', 'lift'), at: fc.nat(20) });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 30 }), async (steps) => {
      const own = within(database, `run${run++}`);
      let list = await BlockList.open(own, nothing, async () => {});
      const model = new Set<Oid>();
      for (const { kind, at } of steps) {
        if (kind === 'block') {
          await list.delete([block(at)], async () => {});
          model.add(oidAt(at));
        } else assert.equal(await list.lift(oidAt(at), async () => {}), model.delete(oidAt(at)));
      }
      list = await BlockList.open(own, nothing, async () => {});
      assert.equal(list.count, model.size);
      const paged: Oid[] = [];
      for (;;) {
        const page = await list.list(3, paged.at(-1));
        paged.push(...page.map(({ oid }) => oid));
        if (page.length < 3) break;
      }
      assert.deepEqual(paged.toSorted(), [...model].sort());
    }),
    { numRuns: 30 },
  );
});

test('a block of one version holds until no source lists the object, or another version of it arrives', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  const clock = new ManualClock(5_000_000);
  const random = seededRandom(1);
  await using store = await ObjectStore.open(await openDatabase(join(folder.path, 'store')), {
    clock,
    random,
  });
  const list = await BlockList.open(database, store, async () => {});
  const marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Epoch, lsn: 1 };
  const put = (title: string, updatedAt: number): Change => {
    const object = summaryObject('http://example.org/1', [['Title', title]]);
    const [digest, body] = [digestOf(object), encodeObject(object)];
    const signature = new Uint8Array(64);
    return { kind: 'put', lsn: 1, object: { oid, digest, body, updatedAt, publisher: server, signature } };
  };
  const oid = oidAt(1);
  const deletion: Change = { kind: 'delete', lsn: 1, oid };
  const copies = await Promise.all(
    [2, 3].map((n) => store.replica(Buffer.alloc(16, n).toString('base64url'))),
  );
  const [one, other] = copies.map((replica) => list.guard(replica, store)) as [Replica, Replica];
  const remove = async () => {
    const { digest } = (await store.describe(oid)) as { digest: Uint8Array };
    await list.delete([{ ...block(1), digest }], async (oids) => {
      await store.apply(oids.map((each) => ({ kind: 'delete', oid: each })));
    });
  };
  for (const replica of [one, other]) await replica.apply([put('a', 1)], marker);
  await remove();
  await one.apply([deletion], marker);
  assert.equal(list.count, 1, 'the other lists it');
  await other.apply([put('a', 1)], marker);
  await one.apply([put('a', 1)], marker);
  assert.deepEqual([store.count, list.count], [0, 1]);
  await store.forgetTombstones(-1);
  const keptOut = (oids: readonly Oid[]) => list.blocked(oids);
  assert.equal((await store.check({ keptOut })).faults, 0);
  assert.equal((await store.check({})).faults, 2, 'without the list it is missing from both copies');
  for (const replica of [one, other]) await replica.apply([deletion], marker);
  assert.equal(list.count, 0, 'no source lists it');
  await other.apply([put('a', 1)], marker);
  await remove();
  await one.apply([put('b', 2)], marker);
  assert.deepEqual([store.count, list.count], [1, 0], 'another version');
  await remove();
  const dying = (inner: Replica, before: boolean) =>
    list.guard(
      Object.create(inner, {
        apply: {
          value: async (...call: Parameters<Replica['apply']>) => {
            if (!before) await inner.apply(...call);
            throw new Error('killed');
          },
        },
      }) as Replica,
      store,
    );
  const [bare] = copies as [Replica];
  const again = () => BlockList.open(database, store, () => assert.fail('nothing is left to delete'));
  await assert.rejects(dying(bare, true).apply([put('c', 3)], marker), /killed/);
  assert.equal((await again()).count, 1, 'nothing was stored');
  await assert.rejects(dying(bare, false).apply([put('c', 3)], marker), /killed/);
  assert.deepEqual([store.count, (await again()).count], [1, 0], 'it was stored before the crash');
  assert.equal((await again()).count, 0);
});

test('an object that was withdrawn, published again and blocked is not compared again at each refresh', async () => {
  await using folder = await scratch();
  await using database = await openDatabase(join(folder.path, 'table'));
  await using store = await ObjectStore.open(await openDatabase(join(folder.path, 'store')), {
    clock: new ManualClock(5_000_000),
    random: seededRandom(1),
  });
  const list = await BlockList.open(database, store, async () => {});
  const marker = { epoch: Buffer.alloc(12, 1).toString('base64url') as Epoch, lsn: 1 };
  const copy = list.guard(await store.replica(server), store);
  const signature = new Uint8Array(64);
  for (const n of [1, 2]) {
    const [object, oid] = [summaryObject(`http://example.org/${n}`, [['Title', 'a']]), oidAt(n)];
    const [digest, body] = [digestOf(object), encodeObject(object)];
    const put = (updatedAt: number): Change => ({
      ...{ kind: 'put', lsn: 1 },
      object: { oid, digest, body, updatedAt, publisher: server, signature },
    });
    await copy.apply([put(1)], marker);
    const withdrawal = { publisher: server, updatedAt: 2, signature };
    await copy.apply([{ kind: 'delete', lsn: 1, oid, withdrawal }], marker);
    await list.delete([{ ...block(n), digest }], async () => {});
    await copy.apply([put(3)], marker);
    const before = await copy.state();
    // The source's own set is the same as before, so the copy must be too.
    await copy.apply(
      [{ kind: 'refresh', lsn: 1, refresh: { oid, publisher: server, updatedAt: 4, signature } }],
      {
        ...marker,
        lsn: 2,
      },
    );
    assert.deepEqual((await copy.state()).fingerprint, before.fingerprint, `object ${n}`);
    assert.deepEqual([store.count, list.count], [0, n]);
  }
});
