import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  type Change,
  type Entry,
  type Epoch,
  type GroupScheme,
  type Handle,
  handleOf,
  OrderedArray,
  type OrderedView,
  type PositionRange,
  schemeNamed,
  signatureOf,
  signatureSum,
} from '../../awareness/index.ts';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  digestOf,
  encodeObject,
  oidFromBytes,
  oidOf,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import { openDatabase } from '../database/database.ts';
import { ObjectStore } from '../objects/object-store.ts';
import { BlockOrderedSet } from './block-ordered-set.ts';

const epoch = Buffer.alloc(12, 3).toString('base64url') as Epoch;
const hashed = (text: string) => createHash('sha256').update(text).digest();

function entries(count: number, seed: number): readonly Entry[] {
  return Array.from({ length: count }, (_, n): Entry => {
    const oid = oidFromBytes(hashed(`${seed} ${n}`));
    return { oid, lsn: n, contentLsn: n, digest: hashed(`content ${seed} ${n}`) };
  }).sort((a, b) => (handleOf(a.oid) < handleOf(b.oid) ? -1 : 1));
}

const placed = ({ oid, digest }: Entry) => {
  const handle = handleOf(oid);
  return { position: handle, handle, signature: signatureOf(digest) };
};

const outcome = async <Value>(value: Promise<Value>) =>
  value.catch((error: unknown) => (error as Error).constructor.name);

async function inOrder(view: OrderedView, range: PositionRange): Promise<readonly unknown[]> {
  const found: unknown[] = [];
  for await (const { handle, signature } of view.entries(range)) found.push([handle, [...signature]]);
  return found;
}

async function assertSame(
  view: OrderedView,
  measure: OrderedView,
  range: PositionRange,
  indices: readonly number[],
): Promise<void> {
  const count = await measure.count(range);
  assert.equal(await view.count(range), count, 'count');
  const [own, true_] = [await view.summary(range), await measure.summary(range)];
  assert.deepEqual(Buffer.from(own.data()), Buffer.from(true_.data()), 'summary');
  assert.deepEqual(await inOrder(view, range), await inOrder(measure, range), 'entries');
  for (const index of [0, count - 1, count, ...indices].filter((i) => i >= 0)) {
    const [mine, theirs] = [await outcome(view.at(range, index)), await outcome(measure.at(range, index))];
    if (typeof mine === 'string' || typeof theirs === 'string') assert.equal(mine, theirs, `at ${index}`);
    else assert.equal(mine.handle, theirs.handle, `at ${index}`);
  }
}

test('a set in blocks equals one in an array, for any range', async () => {
  // Sizes on both sides of a block's end.
  const sizes = fc.constantFrom(0, 1, 2, 63, 64, 65, 127, 128, 129, 200, 640, 641);
  const bound = fc.record({ index: fc.nat(700), how: fc.constantFrom('at', 'before', 'after', 'none') });
  await fc.assert(
    fc.asyncProperty(
      sizes,
      fc.nat(5),
      fc.array(
        fc.record({
          low: bound,
          high: bound,
          lowName: fc.constantFrom('from' as const, 'above' as const),
          highName: fc.constantFrom('to' as const, 'below' as const),
          index: fc.nat(700),
        }),
        { minLength: 1, maxLength: 12 },
      ),
      async (size, seed, ranges) => {
        const all = entries(size, seed);
        const reader = {
          all: async function* () {
            yield* all;
          },
          from: async (position: string, count: number) => {
            const first = all.findIndex(({ oid }) => handleOf(oid) >= position);
            return first < 0 ? [] : all.slice(first, first + count);
          },
        };
        const view = await BlockOrderedSet.make(reader, epoch);
        const measure = new OrderedArray(all.map(placed), () => signatureSum(epoch));
        const position = ({ index, how }: { index: number; how: string }): string | undefined => {
          if (how === 'none') return undefined;
          const entry = all[index % Math.max(1, size)];
          const handle = entry === undefined ? handleOf(oidFromBytes(hashed('no'))) : handleOf(entry.oid);
          if (how === 'at') return handle;
          const last = handle.charCodeAt(15);
          return (
            handle.slice(0, 15) +
            String.fromCharCode(how === 'before' ? Math.max(0, last - 1) : Math.min(255, last + 1))
          );
        };
        for (const { low, high, lowName, highName, index } of ranges)
          await assertSame(view, measure, { [lowName]: position(low), [highName]: position(high) }, [index]);
      },
    ),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 60) },
  );
});

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;

function put(n: number, content: string): Change & { kind: 'put' } {
  const object = summaryObject(`http://example.org/${n}`, [['Title', content]]);
  const oid = oidOf(publisher, `http://example.org/${n}`);
  const [digest, body, signature] = [digestOf(object), encodeObject(object), new Uint8Array(64)];
  return { kind: 'put', lsn: 1, object: { oid, digest, body, updatedAt: 1, publisher, signature } };
}

test('the ordered views of a store and of its copies show one moment, despite writes meanwhile', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-order-'));
  try {
    await using store = await ObjectStore.open(await openDatabase(join(folder, 'db')), {
      clock: new ManualClock(),
      random: seededRandom(1),
    });
    const replica = await store.replica('one');
    const marker = { epoch, lsn: 1 };
    await replica.apply(
      Array.from({ length: 1000 }, (_, n) => put(2 * n, 'a')),
      marker,
    );
    const scheme = schemeNamed('hierarchical-signatures') as GroupScheme;
    const measure = async () => {
      const all: Entry[] = [];
      for await (const entry of replica.scan()) all.push(entry);
      return new OrderedArray(all.map(placed), () => signatureSum(epoch));
    };
    const before = await measure();
    await using snapshot = await store.snapshot();
    const [copy, own] = [await replica.ordered(scheme, epoch), await snapshot.ordered(scheme)];
    assert.ok(copy && own);
    await replica.apply(
      [
        ...Array.from({ length: 300 }, (_, n) => put(2 * n + 1, 'new')),
        ...Array.from({ length: 300 }, (_, n) => put(6 * n, 'changed')),
        ...Array.from(
          { length: 100 },
          (_, n): Change => ({ kind: 'delete', lsn: 1, oid: put(20 * n + 2, '').object.oid }),
        ),
      ],
      marker,
    );
    const random = seededRandom(5);
    const somewhere = () => Buffer.from(random.bytes(16)).toString('latin1') as Handle;
    for (let i = 0; i < 50; i++) {
      const range = { above: somewhere(), to: somewhere() };
      await assertSame(copy, before, range, [3]);
      assert.equal(await own.count(range), await before.count(range));
    }
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
