import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isGarnerError, ManualClock, seededRandom } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';
import type { StoredHead } from '../../rules/stored-head.ts';
import { evictionPolicies } from '../../testing/eviction-policies.ts';
import type { EntryStore } from '../model/entry.ts';
import { openEntryStore } from '../open-entry-store.ts';

const head = (url: string, receivedAtMs = 0): StoredHead => ({
  ...{ url, status: 200, reason: 'OK', fields: ['ETag', '"a"'], selecting: [], authorized: false },
  ...{ requestedAtMs: receivedAtMs, receivedAtMs },
});

const open = (memoryBytes = 2 ** 20) =>
  openEntryStore({
    ...{ memoryBytes, diskBytes: 0, largestEntryBytes: 2 ** 20, policy: evictionPolicies.lru },
    ...{ clock: new ManualClock(), random: seededRandom(1) },
  });

async function put(store: EntryStore, url: string, content: string, tags: string[] = []) {
  const writer = store.write({ key: url, head: head(url), tags });
  assert.ok(writer);
  assert.ok(await writer.append(Buffer.from(content)));
  return writer.commit();
}

async function textOf(content: AsyncIterable<Uint8Array>): Promise<string> {
  const pieces: Uint8Array[] = [];
  for await (const piece of content) pieces.push(piece);
  return Buffer.concat(pieces).toString();
}

test('what is written is found when it is committed and not before', async () => {
  await using store = await open();
  const writer = store.write({ key: 'http://a/', head: head('http://a/') });
  await writer?.append(Buffer.from('con'));
  await writer?.append(Buffer.from('tent'));
  assert.equal(store.has('http://a/'), false);
  assert.equal(Buffer.from((await writer?.readBack(3, 9)) ?? '').toString(), 'tent');
  const entry = await writer?.commit();
  assert.ok(entry);
  assert.deepEqual(await store.variants('http://a/'), [entry]);
  assert.equal(await textOf(store.read(entry)), 'content');
  assert.equal(await textOf(store.read(entry, { first: 1, last: 3 })), 'ont');
});

test('a removed entry stays readable to its readers, and is removed for others', async () => {
  await using store = await open();
  const entry = await put(store, 'http://a/', 'content');
  assert.ok(entry);
  const reading = store.read(entry);
  store.remove(entry);
  assert.equal(await textOf(reading), 'content');
  await assert.rejects(textOf(store.read(entry)), (error) => isGarnerError(error, cacheErrors.CACHE_GONE));
});

test('memory holds no more than its budget', async () => {
  await using store = await open(20_000);
  for (let at = 0; at < 100; at++) {
    assert.ok(await put(store, `http://a/${at}`, 'x'.repeat(1000)));
    assert.ok(store.statistics().memoryBytes <= 20_000);
  }
  assert.equal(store.has('http://a/0'), false);
  assert.equal(store.has('http://a/99'), true);
});

test('a purge by tag forgets those that have it, a soft one makes them stale, a change outdates them', async () => {
  await using store = await open();
  await put(store, 'http://a/1', 'x', ['red']);
  await put(store, 'http://a/2', 'x', ['red', 'blue']);
  await put(store, 'http://a/3', 'x', ['blue']);
  assert.equal(await store.purge({ tag: 'red' }, { soft: true }), 2);
  const standing = async (key: string) => {
    const [entry] = await store.variants(key);
    return [entry?.invalidated, entry?.staleSinceMs];
  };
  const now = new ManualClock().now();
  assert.deepEqual(await standing('http://a/2'), [false, now]);
  assert.deepEqual(await standing('http://a/3'), [false, undefined]);
  assert.equal(await store.invalidate('http://a/2'), 1);
  assert.deepEqual(await standing('http://a/2'), [true, undefined]);
  assert.equal(await store.purge({ tag: 'red' }, { soft: true }), 2);
  assert.deepEqual(await standing('http://a/2'), [true, undefined]);
  assert.equal(await store.purge({ tag: 'red' }, { soft: false }), 2);
  assert.equal(store.statistics().entries, 1);
});
