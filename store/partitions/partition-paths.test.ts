import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Change,
  type Epoch,
  handleOf,
  type Path,
  pathVerdict,
  type SentPath,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import { digestOf, encodeObject, type Oid, oidOf, type ServerId, summaryObject } from '../../soif/index.ts';
import { openDatabase } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';

const server = (n: number) => Buffer.alloc(16, n).toString('base64url') as ServerId;
const [publisher, self] = [server(7), server(9)];
const sources = [server(1), server(2)] as const;
const epochs = [Buffer.alloc(12, 1), Buffer.alloc(12, 2)].map(
  (bytes) => bytes.toString('base64url') as Epoch,
);

async function scratch() {
  const path = await mkdtemp(join(tmpdir(), 'garner-paths-'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true, force: true }) };
}

const open = async (path: string) =>
  ObjectStore.open(await openDatabase(join(path, 'db')), {
    clock: new ManualClock(),
    random: seededRandom(1),
  });

const urlOf = (n: number) => `http://example.org/${n}`;
const oidOfPage = (n: number): Oid => oidOf(publisher, urlOf(n));

function putting(n: number): Change {
  const object = summaryObject(urlOf(n), [
    ['Title', `page ${n}`],
    ['Time-to-Live', 1000],
    ['Update-Time', 0],
  ]);
  const [oid, digest, body] = [oidOfPage(n), digestOf(object), encodeObject(object)];
  const signature = new Uint8Array(64);
  return { kind: 'put', lsn: 1, object: { oid, digest, body, updatedAt: 0, publisher, signature } };
}

const deleting = (n: number): Change => ({ kind: 'delete', lsn: 1, oid: oidOfPage(n) });

const sent = (n: number, path: Path | 'usual'): SentPath => ({
  handle: handleOf(oidOfPage(n)),
  path,
  verdict: path === 'usual' ? 'taken' : pathVerdict(path, self),
});

const far = Array.from({ length: 16 }, (_, i) => server(100 + i));
const ways: readonly (Path | 'usual')[] = [
  'usual',
  [server(3), publisher],
  [server(4), self, publisher],
  far,
];

test('an object is present while a source offers it by a valid path, whatever the others report', async () => {
  const step = fc.oneof(
    fc.record({ do: fc.constant('put' as const), source: fc.nat(1), n: fc.nat(3) }),
    fc.record({ do: fc.constant('delete' as const), source: fc.nat(1), n: fc.nat(3) }),
    fc.record({ do: fc.constant('path' as const), source: fc.nat(1), n: fc.nat(3), way: fc.nat(3) }),
    fc.record({ do: fc.constant('life' as const), source: fc.nat(1), cut: fc.boolean(), way: fc.nat(3) }),
    fc.record({ do: fc.constant('restart' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 25 }), async (steps) => {
      await using folder = await scratch();
      let store = await open(folder.path);
      const truth = sources.map(() => ({ life: 0, ways: new Map<number, number>() }));
      const marker = (source: number) => ({ epoch: epochs[truth[source]?.life ?? 0] as Epoch, lsn: 1 });
      const replicaOf = (source: number) => store.replica(sources[source] as ServerId);
      const book = (source: number) => store.paths(sources[source] as ServerId);
      /** The effect of another round: it learns the objects that the copy lacks. */
      const again = async (source: number) =>
        (await replicaOf(source)).apply([...(truth[source]?.ways.keys() ?? [])].map(putting), marker(source));
      try {
        for (const one of steps) {
          if (one.do === 'restart') {
            await store[Symbol.asyncDispose]();
            store = await open(folder.path);
            continue;
          }
          const { source } = one;
          const known = truth[source] as (typeof truth)[number];
          if (one.do === 'put') {
            known.ways.set(one.n, known.ways.get(one.n) ?? 0);
            await (await replicaOf(source)).apply([putting(one.n)], marker(source));
          } else if (one.do === 'delete') {
            known.ways.delete(one.n);
            await (await replicaOf(source)).apply([deleting(one.n)], marker(source));
          } else if (one.do === 'path') {
            if (!known.ways.has(one.n)) continue;
            known.ways.set(one.n, one.way);
            const lacking = await (await book(source)).learn([sent(one.n, ways[one.way] ?? 'usual')]);
            if (lacking > 0) await again(source);
          } else {
            // In its new life the source sends every unusual path, then the end.
            known.life = 1 - known.life;
            const paths = await book(source);
            const unusual = [...known.ways].filter(([, way]) => way > 0);
            await (await replicaOf(source)).apply([], marker(source));
            if (one.cut) {
              // Other paths in this life, cut before the end.
              await paths.begin();
              const others = [...known.ways.keys()].map((n) => sent(n, ways[one.way] ?? 'usual'));
              // The next pass comes after another round too.
              if ((await paths.learn(others)) > 0) await again(source);
            }
            await paths.begin();
            const all = unusual.map(([n, way]) => sent(n, ways[way] ?? 'usual'));
            const lacking = await paths.learn(all);
            if (lacking + (await paths.finish(marker(source))) > 0) await again(source);
          }
          for (const n of [0, 1, 2, 3]) {
            const counts = truth.some(({ ways: held }) => (held.get(n) ?? 2) < 2);
            assert.equal((await store.describe(oidOfPage(n))) !== undefined, counts, `page ${n}`);
          }
        }
        for (const [source, { ways: held }] of truth.entries()) {
          const { own, far: distant } = await (await book(source)).state();
          const count = (way: number) => [...held.values()].filter((one) => one === way).length;
          assert.deepEqual([own, distant], [count(2), count(3)]);
          assert.equal((await (await replicaOf(source)).state()).count, held.size, 'the copy is whole');
        }
      } finally {
        await store[Symbol.asyncDispose]();
      }
    }),
    {
      numRuns: 60,
      examples: [
        [
          [
            { do: 'put', source: 0, n: 0 },
            { do: 'path', source: 0, n: 0, way: 2 },
            { do: 'life', source: 0, cut: true, way: 0 },
          ],
        ],
      ],
    },
  );
});

test('a path is sent in its present form, and a change of it is in the log', async () => {
  await using folder = await scratch();
  await using store = await open(folder.path);
  const marker = { epoch: epochs[0] as Epoch, lsn: 1 };
  await (await store.replica(sources[0])).apply([putting(1), putting(2)], marker);
  await (await store.replica(publisher)).apply([putting(3)], marker);
  const oids = [1, 2, 3, 4].map(oidOfPage);
  const paths = async () => (await store.pathsOf(oids)).map((found) => found?.path);
  assert.deepEqual(await paths(), [[sources[0], publisher], [sources[0], publisher], [publisher], undefined]);
  const before = store.lsn;
  const book = await store.paths(sources[0]);
  const way = [server(3), server(4), publisher];
  await book.learn([sent(1, way), sent(4, way)]);
  assert.equal(store.lsn, before + 1);
  await book.learn([sent(1, way)]);
  assert.equal(store.lsn, before + 1, 'the same path again is no change');
  assert.deepEqual((await paths())[0], [sources[0], ...way]);
  await using snapshot = await store.snapshot();
  const kinds: string[] = [];
  for await (const { kind } of snapshot.changesSince(before)) kinds.push(kind);
  assert.deepEqual(kinds, ['refresh']);
  await store.dropPartition(sources[0]);
  assert.equal(store.count, 1);
  const fresh = { marker: undefined, own: 0, far: 0, pass: 0 };
  assert.deepEqual(await (await store.paths(sources[0])).state(), fresh);
});

test('an expired object leaves no path behind', async () => {
  await using folder = await scratch();
  const clock = new ManualClock(0);
  await using database = await openDatabase(join(folder.path, 'db'));
  const store = await ObjectStore.open(database, { clock, random: seededRandom(1) });
  await (await store.replica(sources[0])).apply([putting(1)], { epoch: epochs[0] as Epoch, lsn: 1 });
  await (await store.paths(sources[0])).learn([sent(1, [server(3), publisher])]);
  const paths = async () => {
    let count = 0;
    for await (const _ of database.keys({ gte: Buffer.from('r'), lt: Buffer.from('s') })) count++;
    return count;
  };
  assert.equal(await paths(), 1);
  clock.advance(2_000_000);
  assert.deepEqual([await store.expire(), await paths()], [1, 0]);
});
