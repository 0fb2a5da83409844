import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { ManualClock, seededRandom } from '../../kernel/index.ts';
import {
  attributeText,
  digestOf,
  encodeObject,
  oidOf,
  type ServerId,
  summaryObject,
} from '../../soif/index.ts';
import { ObjectStore, openDatabase } from '../../store/index.ts';
import { HitObjectCache } from './hit-object-cache.ts';

const publisher = Buffer.alloc(16, 7).toString('base64url') as ServerId;
const urlOf = (n: number) => `http://example.org/${n}`;
const oid = (n: number) => oidOf(publisher, urlOf(n));

async function openStore() {
  const path = await mkdtemp(join(tmpdir(), 'garner-read-'));
  const clock = new ManualClock();
  const store = await ObjectStore.open(await openDatabase(path), { clock, random: seededRandom(1) });
  let [gets, describes] = [0, 0];
  return {
    store,
    get gets() {
      return gets;
    },
    get describes() {
      return describes;
    },
    counted: {
      get: (one: ReturnType<typeof oid>) => {
        gets++;
        return store.get(one);
      },
      describe: (one: ReturnType<typeof oid>) => {
        describes++;
        return store.describe(one);
      },
      get lsn() {
        return store.lsn;
      },
    },
    put: async (n: number, title: string, updatedAt = 1) => {
      const object = summaryObject(urlOf(n), [['Title', title]]);
      const stored = { digest: digestOf(object), body: encodeObject(object), updatedAt, publisher };
      const signature = new Uint8Array(64);
      const put = { object: { ...stored, oid: oid(n), signature }, url: urlOf(n), ttlSeconds: 1000 };
      await store.apply([{ kind: 'put', ...put }]);
    },
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rm(path, { recursive: true, force: true });
    },
  };
}

const titleIn = async (objects: HitObjectCache, n: number) => {
  const read = await objects.read(oid(n));
  return read && attributeText(read.object, 'Title');
};

test('an object is read once while its content is unchanged', async () => {
  await using scratch = await openStore();
  const objects = new HitObjectCache(scratch.counted);
  await scratch.put(1, 'first');
  const [a, b] = [await objects.read(oid(1)), await objects.read(oid(1))];
  assert.ok(a !== undefined && a.object === b?.object);
  assert.deepEqual([scratch.gets, scratch.describes], [1, 1]);
  await scratch.put(2, 'another');
  assert.ok((await objects.read(oid(1)))?.object === a.object);
  assert.deepEqual([scratch.gets, scratch.describes], [1, 2]);
  await scratch.put(1, 'second', 2);
  const changed = await objects.read(oid(1));
  assert.equal(changed?.described.updatedAt, 2);
  assert.equal(await titleIn(objects, 1), 'second');
  assert.equal(scratch.gets, 2);
});

test('after any history reads return the stored objects, within the memory bound', async () => {
  const step = fc.tuple(fc.constantFrom('put', 'delete', 'read'), fc.nat(4), fc.nat(3));
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 60 }), async (steps) => {
      await using scratch = await openStore();
      // Room for two objects of five.
      const objects = new HitObjectCache(scratch.counted, 3200);
      const model = new Map<number, string>();
      for (const [kind, n, version] of steps) {
        if (kind === 'put') {
          model.set(n, `version ${version}`);
          await scratch.put(n, `version ${version}`);
        } else if (kind === 'delete') {
          model.delete(n);
          await scratch.store.apply([{ kind: 'delete', oid: oid(n) }]);
        }
        assert.equal(await titleIn(objects, n), model.get(n));
        assert.ok(objects.size.bytes <= 3200);
      }
    }),
    { numRuns: 25 },
  );
});
