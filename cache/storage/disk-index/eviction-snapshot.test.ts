import assert from 'node:assert/strict';
import { readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock } from '../../../kernel/index.ts';
import type { EvictionPolicy } from '../../eviction/eviction-policy.ts';
import { evictionPolicies } from '../../testing/eviction-policies.ts';
import { bytesOf, inFolder, open, put } from '../../testing/storage.ts';

const key = (at: number) => `http://a.example/${at}`;
const count = 60;
const isUsed = (at: number) => at % 3 === 0;

/** Store some, use a third of them, and close. */
async function fill(folder: string): Promise<void> {
  await using store = await open({ folder });
  for (let at = 0; at < count; at++) {
    const entry = await put(store, key(at), bytesOf(at, 20_000));
    assert.ok(entry);
    if (isUsed(at)) store.touch(entry, at + 1);
  }
}

/** Which of them stay where there is no room for all. */
async function stayingIn(folder: string): Promise<{ used: number; unused: number; hits: number }> {
  await using store = await open({ folder, diskBytes: 2 ** 20 });
  const [hottest] = await store.top('hits', 1);
  const staying = { used: 0, unused: 0, hits: hottest?.hits ?? 0 };
  for (let turn = 0; turn < 1000 && store.statistics().diskBytes > 2 ** 20; turn++)
    await new Promise((resolve) => setImmediate(resolve));
  await put(store, key(1000), bytesOf(1000, 20_000));
  for (let at = 0; at < count; at++) if (store.has(key(at))) staying[isUsed(at) ? 'used' : 'unused']++;
  assert.ok(staying.used + staying.unused < count * 0.85);
  return staying;
}

test('entries used before a restart stay after it, with their hits', () =>
  inFolder(async (folder) => {
    await fill(folder);
    const { used, hits } = await stayingIn(folder);
    assert.equal(used, count / 3);
    assert.equal(hits, 58);
  }));

test('a snapshot that is missing, damaged, cut off or of another policy is passed over', async () => {
  const harms = [
    (path: string) => rm(path),
    async (path: string) => {
      const bytes = await readFile(path);
      const at = Math.floor(bytes.length / 2);
      bytes[at] = (bytes[at] as number) ^ 4;
      await writeFile(path, bytes);
    },
    async (path: string) => writeFile(path, (await readFile(path)).subarray(0, -12)),
    (path: string) => writeFile(path, ''),
    (path: string) => writeFile(path, Buffer.alloc(1_000_000)),
  ];
  for (const harm of harms)
    await inFolder(async (folder) => {
      await fill(folder);
      await harm(join(folder, 'eviction'));
      const { used, hits } = await stayingIn(folder);
      assert.ok(used < count / 3, 'those stored first have left');
      assert.equal(hits, 0);
    });
  await inFolder(async (folder) => {
    await fill(folder);
    await using store = await open({ folder, policy: evictionPolicies.lru });
    assert.equal(store.statistics().entries, count);
    assert.equal((await store.top('hits', 1))[0]?.hits, 0);
  });
});

/** Store some with a policy that changes during the iteration; whether the first and its hits survive. */
async function withDoubles(
  name: 'lru' | 's3-fifo',
  among: (policy: EvictionPolicy, all: Iterable<number>) => Generator<number>,
): Promise<{ stays: boolean; hits: number }> {
  const policy = () => {
    const made = evictionPolicies[name]();
    const state = made.states.bind(made);
    made.states = () => among(made, state());
    return made;
  };
  let outcome = { stays: false, hits: 0 };
  await inFolder(async (folder) => {
    {
      await using store = await open({ folder, policy });
      for (let at = 0; at < count; at++) {
        const entry = await put(store, key(at), bytesOf(at, 20_000));
        if (entry && at === 0) store.touch(entry, 7);
        // Behind the first one, as if the others had been used later.
        else if (entry) store.touch(entry);
      }
    }
    await using store = await open({ folder, policy: evictionPolicies[name], diskBytes: 2 ** 20 });
    const hits = (await store.top('hits', 1))[0]?.hits ?? 0;
    for (let turn = 0; turn < 1000 && store.statistics().diskBytes > 2 ** 20; turn++)
      await new Promise((resolve) => setImmediate(resolve));
    await put(store, key(1000), bytesOf(1000, 20_000));
    assert.ok(store.statistics().entries < count * 0.85);
    outcome = { stays: store.has(key(0)), hits };
  });
  return outcome;
}

test('an entry used while a snapshot is written has its last place', async () => {
  const lru = await withDoubles('lru', function* (policy, all) {
    let isFirst = true;
    for (const state of all) {
      yield state;
      if (isFirst) policy.touched(state >>> 4);
      isFirst = false;
    }
  });
  assert.deepEqual(lru, { stays: true, hits: 7 });
  // As when it goes on from the small queue to the main one meanwhile.
  const fifo = await withDoubles('s3-fifo', function* (_policy, all) {
    let first: number | undefined;
    for (const state of all) {
      first ??= state >>> 4;
      yield (state >>> 4) * 16;
    }
    if (first !== undefined) yield first * 16 + 7;
  });
  assert.deepEqual(fifo, { stays: true, hits: 7 });
});

test('a snapshot with many entries recorded twice is read', async () => {
  const { hits } = await withDoubles('lru', function* (policy, all) {
    let left = 10_000;
    for (const state of all) {
      yield state;
      if (left-- > 0) policy.touched(state >>> 4);
    }
  });
  assert.equal(hits, 7);
});

test('the order of recent use is written regularly, not only at the end', () =>
  inFolder(async (folder) => {
    const clock = new ManualClock();
    await using store = await open({ folder, clock });
    const entry = await put(store, key(1), bytesOf(1, 100));
    assert.ok(entry);
    store.touch(entry);
    const written = () => readFile(join(folder, 'eviction')).catch(() => undefined);
    for (let second = 0; second < 5000 && (await written()) === undefined; second++) {
      clock.advance(1000);
      await new Promise((resolve) => setImmediate(resolve));
    }
    assert.equal((await written())?.length, 64 + 12 + 4);
  }));
