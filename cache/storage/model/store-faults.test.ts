import assert from 'node:assert/strict';
import { existsSync, statSync } from 'node:fs';
import { mkdir, readdir, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, seededRandom } from '../../../kernel/index.ts';
import { openDatabase } from '../../../store/index.ts';
import { cacheStoreTrouble } from '../../events.ts';
import { RefusingDisk } from '../../testing/refusing-disk.ts';
import { bytesIn, bytesOf, contentUnder, headOf, inFolder, open, put } from '../../testing/storage.ts';
import type { EntryStore } from './entry.ts';

const key = (at: number) => `http://a.example/${at}`;

async function sizeOf(folder: string): Promise<number> {
  let bytes = 0;
  for (const name of await readdir(folder, { recursive: true })) {
    const found = await stat(join(folder, name)).catch(() => undefined);
    if (found?.isFile() && !name.startsWith('purges')) bytes += found.size;
  }
  return bytes;
}

test('a full disk costs what is being written; what is stored goes on being served, and later writes succeed', () =>
  inFolder(async (folder) => {
    const segments = join(folder, 'segments');
    await mkdir(segments, { recursive: true });
    const clock = new ManualClock();
    const disk = new RefusingDisk();
    await using store = await open({ folder, clock, calls: disk.calls });
    const reported: string[] = [];
    const stop = cacheStoreTrouble.subscribe(({ reason }) => reported.push(reason));
    try {
      assert.ok(await put(store, key(1), bytesOf(1, 1000)));
      await store.flush();
      const next = Math.max(...(await readdir(segments)).map(Number)) + 1;
      const full = [next, next + 1].map((number) => join(segments, String(number)));
      disk.writes = (path) => (full.includes(path) ? 'ENOSPC' : undefined);
      // The segment in use takes no more than its size.
      const sizes = Array.from({ length: 20 }, (_, at) => put(store, key(10 + at), bytesOf(at, 25_000)));
      const stored = (await Promise.all(sizes)).filter((entry) => entry !== undefined);
      assert.ok(stored.length > 0 && stored.length < 20);
      assert.deepEqual([...new Set(reported)], ['ENOSPC']);
      assert.equal(store.write({ key: key(2), head: headOf(key(2)) }), undefined, 'the disk is left alone');
      const since = clock.now() / 1000;
      assert.deepEqual(store.statistics().disk, { state: 'full', since, reason: 'ENOSPC' });
      assert.ok((await contentUnder(store, key(1)))?.equals(bytesOf(1, 1000)));
      for (const entry of stored) assert.equal((await bytesIn(store.read(entry))).length, 25_000);
      disk.writes = () => undefined;
      clock.advance(100);
      assert.ok(await put(store, key(3), bytesOf(3, 1000)));
      assert.ok((await contentUnder(store, key(3)))?.equals(bytesOf(3, 1000)));
      await store.flush();
      assert.equal(store.statistics().disk.state, 'short');
    } finally {
      stop();
    }
  }));

test('small responses that the disk refuses a moment after they came are as if they had never come', () =>
  inFolder(async (folder) => {
    const clock = new ManualClock();
    const keys = Array.from({ length: 14 }, (_, at) => key(at));
    // The first are written at once and fill most of a segment; the others go into the rest of it and into the next one.
    const large = 5;
    const others = 20;
    const bytes = (at: number) => bytesOf(at, at < large ? 22_000 : 3000);
    const found = (store: EntryStore, from = 0) =>
      Promise.all(
        keys.slice(from).map(async (one, at) => {
          const content = await contentUnder(store, one);
          assert.ok(content === undefined || content.equals(bytes(from + at)));
          return content !== undefined;
        }),
      );
    let stored: readonly boolean[] = [];
    const disk = new RefusingDisk();
    {
      await using store = await open({ folder, clock, calls: disk.calls });
      for (let at = 0; at < others; at++) assert.ok(await put(store, key(100 + at), bytesOf(at, 200_000)));
      for (let at = 0; at < large; at++) assert.ok(await put(store, key(at), bytes(at)));
      await store.flush();
      const segments = join(folder, 'segments');
      const names = await readdir(folder, { recursive: true });
      const numbers = names.map((name) => /^(?:segments|contents\/..)\/(\d+)$/.exec(name)?.[1] ?? 0);
      const full = join(segments, String(Math.max(...numbers.map(Number)) + 1));
      disk.writes = (path) => (path === full ? 'ENOSPC' : undefined);
      const reported: string[] = [];
      const stop = cacheStoreTrouble.subscribe(({ reason }) => reported.push(reason));
      const put1 = async (one: string, at: number) => {
        if (at >= large) assert.ok(await put(store, one, bytes(at)));
      };
      await Promise.all(keys.map(put1));
      // Reading the first ones from disk would have the others written.
      assert.deepEqual(await found(store, large), Array(9).fill(true));
      // Reported here, or before when they were written by themselves.
      await store.flush().catch((error: unknown) => assert.match(String(error), /ENOSPC/));
      stop();
      assert.deepEqual([...new Set(reported)], ['ENOSPC']);
      assert.ok((await found(store)).includes(false));
      // Some may leave because the disk turned out to be smaller.
      const { entries, refused, evicted, damaged } = store.statistics();
      assert.ok(refused > 0);
      assert.deepEqual([entries + refused + evicted, damaged], [14 + others, 0]);
      disk.writes = () => undefined;
      clock.advance(100);
      assert.ok(await put(store, key(13), bytes(13)));
      await store.flush();
      stored = await found(store);
      assert.equal(stored.at(-1), true);
    }
    await using again = await open({ folder, clock });
    assert.deepEqual(await found(again), stored);
    assert.equal(again.statistics().damaged, 0);
  }));

test('a store keeps to what its disk has room for, and takes its budget again when there is more', () =>
  inFolder(async (folder) => {
    const clock = new ManualClock();
    const diskBytes = 16 * 2 ** 20;
    let others = 0;
    const free = async () => Math.max(0, 8 * 2 ** 20 - others - (await sizeOf(folder)));
    await using store = await open({ folder, clock, diskBytes, free });
    const fill = async (from: number) => {
      for (let at = from; at < from + 100; at++) assert.ok(await put(store, key(at), bytesOf(at, 100_000)));
    };
    await fill(0);
    const { disk, diskUsableBytes, diskBytes: used } = store.statistics();
    assert.equal(disk.state, 'short');
    assert.ok(used > 4 * 2 ** 20 && used <= diskUsableBytes, `${used} of ${diskUsableBytes}`);
    // Somebody else takes what is left: entries leave before the disk refuses anything.
    others = 8 * 2 ** 20 - (await sizeOf(folder));
    const until = async (isSo: () => boolean) => {
      for (let turn = 0; turn < 2000 && !isSo(); turn++) {
        clock.advance(1000);
        await new Promise((resolve) => setTimeout(resolve, 5));
      }
      assert.ok(isSo());
    };
    await until(() => store.statistics().diskUsableBytes < used && store.statistics().diskBytes < used);
    assert.ok(await put(store, key(1000), bytesOf(1000, 100_000)));
    assert.ok(store.statistics().diskBytes < used, `${store.statistics().diskBytes} of ${used}`);
    others = -20 * 2 ** 20;
    await until(() => store.statistics().disk.state === 'well');
    assert.deepEqual(store.statistics().disk, { state: 'well', since: null, reason: null });
    assert.equal(store.statistics().diskUsableBytes, diskBytes);
    await fill(100);
    assert.ok(store.statistics().diskBytes > 10 * 2 ** 20);
  }));

test('a content whose own file cannot be written is not kept', () =>
  inFolder(async (folder) => {
    const disk = new RefusingDisk();
    await using store = await open({ folder, calls: disk.calls });
    assert.ok(await put(store, key(1), bytesOf(1, 300_000)));
    const [own = ''] = (await readdir(join(folder, 'contents'), { recursive: true })).filter((name) =>
      name.includes('/'),
    );
    const next = Number(own.split('/')[1]) + 2;
    const parent = join(folder, 'contents', (next & 255).toString(16).padStart(2, '0'));
    disk.writes = (path) => (path === join(parent, String(next)) ? 'ENOSPC' : undefined);
    await put(store, key(2), bytesOf(2, 300));
    await put(store, key(3), bytesOf(3, 300_000));
    await put(store, key(4), bytesOf(4, 300_000));
    const kept = await Promise.all([3, 4].map((at) => contentUnder(store, key(at))));
    assert.ok(kept.some((content) => content === undefined));
    assert.ok((await contentUnder(store, key(1)))?.equals(bytesOf(1, 300_000)));
  }));

test('the folder never takes more than its budget, and what is found is what was stored', async () => {
  const random = seededRandom(7);
  await inFolder(async (folder) => {
    const diskBytes = 6 * 2 ** 20;
    const opening = { folder, diskBytes, memoryBytes: 300_000, largestEntryBytes: 400_000 };
    const seeds = new Map<string, number>();
    let max = 0;
    for (let turn = 0; turn < 3; turn++) {
      await using store = await open(opening);
      let served = 0;
      for (let round = 0; round < 40; round++) {
        await Promise.all(
          Array.from({ length: 12 }, async () => {
            const at = Math.floor(random.next() ** 2 * 400);
            const seed = Math.floor(random.next() * 1e9);
            const what = random.next();
            if (what < 0.6) {
              const size = Math.floor(random.next() ** 3 * 300_000);
              const writing = put(store, key(at), bytesOf(seed, size));
              const entry = await writing;
              if (entry !== undefined) seeds.set(`${key(at)} ${entry.id} ${size}`, seed);
            } else if (what < 0.65) await store.purge({ url: key(at) }, { soft: true });
            else {
              const [entry] = await store.variants(key(at));
              if (entry === undefined) return;
              store.touch(entry);
              const content = await bytesIn(store.read(entry));
              const known = seeds.get(`${key(at)} ${entry.id} ${entry.contentLength}`);
              assert.ok(known !== undefined && content.equals(bytesOf(known, content.length)));
              served++;
            }
          }),
        );
        const bytes = await sizeOf(folder);
        max = Math.max(max, bytes);
        assert.ok(bytes <= diskBytes, `${bytes}`);
        assert.ok(store.statistics().diskBytes <= diskBytes);
        assert.ok(store.statistics().memoryBytes <= 300_000);
      }
      assert.ok(served > 30, `${served}`);
      assert.equal(store.statistics().damaged, 0);
      assert.ok(store.statistics().entries > 20);
      if (turn === 2) assert.ok(store.statistics().evicted > 20);
    }
    assert.ok(max > diskBytes * 0.7, `the budget is used: ${max}`);
  });
});

test('the file of a replaced response is removed only when the journal has its replacement', () =>
  inFolder(async (folder) => {
    const journalBytes = async () => {
      const [journal = ''] = (await readdir(folder)).filter((name) => name.startsWith('journal-'));
      return statSync(join(folder, journal)).size;
    };
    for (let round = 0; round < 10; round++) {
      {
        await using store = await open({ folder });
        await put(store, key(1), bytesOf(1, 300_000));
      }
      const names = await readdir(join(folder, 'contents'), { recursive: true });
      const [own] = names.filter((name) => name.includes('/')).map((name) => join(folder, 'contents', name));
      assert.ok(own !== undefined && existsSync(own));
      await using store = await open({ folder });
      const before = await journalBytes();
      await put(store, key(1), bytesOf(2, 300));
      while (existsSync(own)) await new Promise((resolve) => setImmediate(resolve));
      assert.ok((await journalBytes()) > before, `round ${round}`);
    }
  }));

test('files that were taken away are missed without harm', () =>
  inFolder(async (folder) => {
    {
      await using store = await open({ folder });
      await put(store, key(1), bytesOf(1, 300_000));
      await put(store, key(2), bytesOf(2, 300));
    }
    await rm(join(folder, 'contents'), { recursive: true });
    {
      await using store = await open({ folder });
      assert.equal(store.has(key(1)), false);
      assert.ok((await contentUnder(store, key(2)))?.equals(bytesOf(2, 300)));
    }
    await rm(join(folder, 'segments'), { recursive: true });
    await using store = await open({ folder });
    assert.equal(store.statistics().entries, 0);
    assert.ok(await put(store, key(1), bytesOf(1, 300_000)));
  }));

test('what was begun before a purge and ends after it is purged too', async () => {
  await inFolder(async (folder) => {
    for (const opening of [{}, { folder }]) {
      await using store = await open(opening);
      for (const target of [
        { url: key(1) },
        { prefix: 'http://a.example/' },
        { tag: 'x' },
        { all: true } as const,
      ])
        for (const soft of [true, false]) {
          const begun = store.write({ key: key(1), head: headOf(key(1)), tags: ['x'] });
          await begun?.append(bytesOf(1, 100));
          await store.purge(target, { soft });
          const entry = await begun?.commit();
          if (soft) assert.ok(entry?.staleSinceMs !== undefined && !entry.invalidated);
          else assert.equal(entry, undefined);
          const later = await put(store, key(1), bytesOf(2, 100), { tags: ['x'] });
          assert.deepEqual([later?.invalidated, later?.staleSinceMs], [false, undefined]);
        }
      const begun = store.write({ key: key(1), head: headOf(key(1)) });
      await store.invalidate(key(1));
      assert.equal((await begun?.commit())?.invalidated, true);
    }
  });
});

test('purges that come while others go through the index meet all they mean, each once', () =>
  inFolder(async (folder) => {
    await using store = await open({ folder, memoryBytes: 0 });
    const count = 1500;
    await Promise.all(
      Array.from({ length: count }, (_, at) =>
        put(store, `http://h${at % 3}/${at}`, bytesOf(at, 10), { tags: [`t${at % 5}`] }),
      ),
    );
    const purges = [store.purge({ prefix: 'http://h0/' }, { soft: false })];
    for (const target of [{ tag: 't1' }, { prefix: 'http://h1/' }, { tag: 't2' }]) {
      await new Promise((resolve) => setImmediate(resolve));
      purges.push(store.purge(target, { soft: false }));
      assert.equal(store.has('http://h1/1'), false);
    }
    const numbers = Array.from({ length: count }, (_, at) => at);
    const staying = numbers.filter((at) => at % 3 === 2 && at % 5 !== 1 && at % 5 !== 2);
    const met = (await Promise.all(purges)).reduce((sum, number) => sum + number, 0);
    assert.equal(met, count - staying.length);
    for (const at of numbers)
      assert.equal((await store.variants(`http://h${at % 3}/${at}`)).length, staying.includes(at) ? 1 : 0);
    assert.equal(store.statistics().entries, staying.length);
  }));

test('a store that is closed in the middle of a purge carries it out when it is opened again', () =>
  inFolder(async (folder) => {
    const count = 600;
    let purging: Promise<number>;
    {
      await using store = await open({ folder, memoryBytes: 0 });
      await Promise.all(
        Array.from({ length: count }, (_, at) =>
          put(store, key(at), bytesOf(at, 10), { tags: [`t${at % 2}`] }),
        ),
      );
      purging = store.purge({ tag: 't0' }, { soft: false });
    }
    assert.ok((await purging) < count / 2);
    await using store = await open({ folder, memoryBytes: 0 });
    for (let at = 0; at < count; at++) assert.equal((await store.variants(key(at))).length, at % 2);
    await store.purge({ tag: 'none' }, { soft: false });
    assert.equal(store.statistics().entries, count / 2);
  }));

test('a soft purge of a former release that was cut short holds as an invalidation', () =>
  inFolder(async (folder) => {
    {
      await using store = await open({ folder, memoryBytes: 0 });
      await put(store, key(1), bytesOf(1, 10), { tags: ['old'] });
      await put(store, key(2), bytesOf(2, 10), { tags: ['new'] });
      await put(store, key(3), bytesOf(3, 10));
    }
    {
      await using purges = await openDatabase(join(folder, 'purges'));
      const noted = (number: number, purge: object) => ({
        type: 'put' as const,
        key: Buffer.from(String(number).padStart(12, '0')),
        value: Buffer.from(JSON.stringify(purge)),
      });
      await purges.batch([
        noted(1, { target: { tag: 'old' }, soft: true }),
        noted(2, { target: { tag: 'new' }, soft: true, atMs: 7000 }),
      ]);
    }
    await using store = await open({ folder, memoryBytes: 0 });
    const standing = await Promise.all(
      [1, 2, 3].map(async (at) => {
        const [entry] = await store.variants(key(at));
        return [entry?.invalidated, entry?.staleSinceMs];
      }),
    );
    assert.deepEqual(standing, [
      [true, undefined],
      [false, 7000],
      [false, undefined],
    ]);
  }));
