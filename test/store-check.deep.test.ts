import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { type Change, type Epoch, handleOf, type Path, type SentPath } from '../awareness/index.ts';
import { ManualClock, seededRandom } from '../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../soif/index.ts';
import { ObjectStore, openDatabase } from '../store/index.ts';
import { auditStore } from './kill/store-audit.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const epoch = Buffer.alloc(12, 1).toString('base64url') as Epoch;
const sources = [1, 2].map((n) => Buffer.alloc(16, n).toString('base64url'));
const urlOf = (n: number) => `http://example.org/${n}`;
const oidOfPage = (n: number): Oid => oidOf(publisher, urlOf(n));

function published(n: number, text: string, updatedAt = n) {
  const object = summaryObject(urlOf(n), [
    ['Title', `${text} ${n}`],
    ['Time-to-Live', 1000 + n],
    ['Update-Time', updatedAt],
  ]);
  const [oid, digest, body] = [oidOfPage(n), digestOf(object), encodeObject(object)];
  return { oid, digest, body, updatedAt, publisher, signature: new Uint8Array(64) };
}

const open = async (path: string) =>
  ObjectStore.open(await openDatabase(path), { clock: new ManualClock(), random: seededRandom(1) });

/** Two copies that overlap, changed objects, and some that were deleted, one of them with its signature. */
async function fill(store: ObjectStore, from = 0): Promise<void> {
  for (const [i, name] of sources.entries()) {
    const replica = await store.replica(name);
    const numbers = Array.from({ length: 12 }, (_, n) => n + i * 6);
    for (const text of ['old', 'new'])
      await replica.apply(
        numbers.map((n) => ({ kind: 'put' as const, lsn: 1, object: published(n, text, from + n) })),
        { epoch, lsn: 1 },
      );
    const withdrawal = { publisher, updatedAt: from + 20, signature: new Uint8Array(64) };
    const deletion = { kind: 'delete' as const, lsn: 2, oid: oidOfPage(i * 15) };
    await replica.apply([i === 0 ? deletion : { ...deletion, withdrawal }], { epoch, lsn: 2 });
  }
}

async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'garner-check-'));
  return { path: join(path, 'db'), [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

test('an undamaged store has no faults', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  await fill(store);
  const { faults, objects, rows, sample } = await store.check({});
  assert.deepEqual([faults, sample], [0, []]);
  assert.equal(objects, store.count);
  assert.ok(rows > 4 * objects);
});

/** Kinds of rows that are damaged; the state row is left out, because it identifies the store. */
const damaged = 'obelxdtpi'.split('').map((letter) => letter.charCodeAt(0));

test('any damage to rows is found, and repaired so that the store is consistent', async () => {
  const harm = fc.record({
    at: fc.nat(1000),
    how: fc.constantFrom('delete' as const, 'flip' as const, 'copy' as const),
    byte: fc.nat(1000),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 4 }), async (harms) => {
      await using folder = await scratch();
      {
        await using store = await open(folder.path);
        await fill(store);
      }
      let touched = false;
      {
        await using database = await openDatabase(folder.path);
        for (const { at, how, byte } of harms) {
          const rows: [Uint8Array, Uint8Array][] = [];
          for await (const [key, value] of database.entries())
            if (damaged.includes(key[0] as number)) rows.push([key, value]);
          const [key, value] = rows[at % rows.length] as [Uint8Array, Uint8Array];
          if (how === 'delete') await database.batch([{ type: 'del', key }]);
          else {
            const [wrongKey, wrongValue] = [Buffer.from(key), Buffer.from(value)];
            const target = how === 'copy' ? wrongKey : wrongValue;
            if (target.length < 2) continue;
            const place = 1 + (byte % (target.length - 1));
            target[place] = (target[place] as number) ^ 0x55;
            await database.batch([{ type: 'put', key: wrongKey, value: wrongValue }]);
          }
          touched = true;
        }
      }
      if (!touched) return;
      {
        await using store = await open(folder.path);
        const dry = await store.check({});
        const mended = await store.check({ repair: true });
        assert.deepEqual(mended.kinds, dry.kinds, 'a check without repair changes nothing');
        const after = await store.check({});
        assert.deepEqual([mended.left, after.sample], [0, []], `after ${dry.sample.join('; ')}`);
        // Forgotten objects are learned again, and the withdrawn one is published again.
        await fill(store, 100);
        assert.equal((await store.check({})).faults, 0);
      }
      await auditStore(folder.path).catch((error) => assert.fail(String(error)));
    }),
    { numRuns: Number(process.env.GARNER_CHECK_RUNS || 20), includeErrorInReport: true },
  );
});

const server = (n: number) => Buffer.alloc(16, n).toString('base64url') as ServerId;
const passer = server(3);
/** Paths reported for some pages; the first two are refused. */
const ways: readonly (readonly [n: number, path: Path, verdict: SentPath['verdict']])[] = [
  [1, [server(9), publisher], 'own'],
  [2, Array.from({ length: 16 }, (_, i) => server(100 + i)), 'far'],
  [3, [server(4), publisher], 'taken'],
  [4, [server(4), server(5), publisher], 'taken'],
];

/** A round with a Broker: missing objects are learned, and unknown paths are reported. */
async function passOn(store: ObjectStore): Promise<void> {
  const [replica, paths] = [await store.replica(passer), await store.paths(passer)];
  const all = Array.from({ length: 6 }, (_, n) => published(n, 'passed on'));
  const collect = async () => {
    const known = await replica.digests(all.map(({ oid }) => oid));
    const lacking = all.filter((_, n) => known[n] === undefined);
    const changes = lacking.map((object): Change => ({ kind: 'put', lsn: 1, object }));
    await replica.apply(changes, { epoch, lsn: 1 });
  };
  await collect();
  if ((await paths.state()).marker !== undefined) return;
  await paths.begin();
  const reported = ways.map(([n, path, verdict]) => ({ handle: handleOf(oidOfPage(n)), path, verdict }));
  const lacking = await paths.learn(reported);
  if (lacking + (await paths.finish({ epoch, lsn: 1 })) > 0) await collect();
}

/** The objects that count here, and the numbers of objects excluded by their path. */
async function counted(store: ObjectStore) {
  const objects: string[] = [];
  await using snapshot = await store.snapshot();
  for await (const { oid } of snapshot.scan()) objects.push(oid);
  const { own, far } = await (await store.paths(passer)).state();
  return { objects, own, far, members: (await (await store.replica(passer)).state()).count };
}

test('a damaged path is reported again: objects that came from this server itself do not come back', async () => {
  const harm = fc.record({
    at: fc.nat(100),
    how: fc.constantFrom('delete' as const, 'kind' as const, 'cut' as const),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(harm, { minLength: 1, maxLength: 3 }), async (harms) => {
      await using folder = await scratch();
      const whole = await (async () => {
        await using store = await open(folder.path);
        await passOn(store);
        assert.deepEqual((await store.check({})).sample, []);
        return await counted(store);
      })();
      assert.deepEqual([whole.objects.length, whole.own, whole.far, whole.members], [4, 1, 1, 6]);
      {
        await using database = await openDatabase(folder.path);
        for (const { at, how } of harms) {
          const rows: (readonly [Uint8Array, Uint8Array])[] = [];
          for await (const row of database.entries({ gte: Buffer.from('r'), lt: Buffer.from('s') }))
            rows.push(row);
          const [key, value] = rows[at % rows.length] ?? [];
          if (key === undefined || value === undefined) break;
          const other = Buffer.from(value);
          other[0] = 1 + (((other[0] as number) + at) % 3);
          const wrong = how === 'kind' ? other : value.subarray(0, value.length - 1);
          await database.batch([
            how === 'delete' ? { type: 'del', key } : { type: 'put', key, value: wrong },
          ]);
        }
      }
      await using store = await open(folder.path);
      const dry = await store.check({});
      const mended = await store.check({ repair: true });
      assert.equal(mended.left, 0, dry.sample.join('; '));
      await passOn(store);
      assert.deepEqual([await counted(store), (await store.check({})).sample], [whole, []]);
    }),
    { numRuns: 20, includeErrorInReport: true },
  );
});

test('followers of a store get the deletion of an object that a check could not keep', async () => {
  await using folder = await scratch();
  {
    await using store = await open(folder.path);
    await fill(store);
  }
  const oid = oidOfPage(8);
  {
    await using database = await openDatabase(folder.path);
    const key = Buffer.concat([Buffer.from('o'), Buffer.from(oid, 'base64url')]);
    await database.batch([{ type: 'put', key, value: Uint8Array.of(9) }]);
  }
  await using store = await open(folder.path);
  const { lsn } = store;
  assert.equal((await store.check({ repair: true })).left, 0);
  await using snapshot = await store.snapshot();
  const heard: unknown[] = [];
  for await (const rows of snapshot.log(lsn)) for (const { row } of rows) heard.push(row);
  const [{ atMs: _, ...deletion }] = heard as [{ atMs: number }];
  assert.deepEqual([heard.length, deletion], [1, { kind: 'delete', oid, url: urlOf(8) }]);
});

test('a wrong number of withdrawals is found, and counted again', async () => {
  await using folder = await scratch();
  {
    await using store = await open(folder.path);
    await fill(store);
    assert.equal(store.withdrawals, 1);
  }
  {
    await using database = await openDatabase(folder.path);
    await database.batch([{ type: 'del', key: Buffer.from('i') }]);
  }
  await using store = await open(folder.path);
  assert.deepEqual((await store.check({ repair: true })).sample, [
    'the store counts 0 withdrawals and has 1',
  ]);
  assert.deepEqual([store.withdrawals, (await store.check({})).faults], [1, 0]);
});
