import assert from 'node:assert/strict';
import { test } from 'node:test';
import { ManualClock } from '../../../kernel/index.ts';
import { cacheErrors } from '../../errors.ts';
import { cacheStoreTrouble } from '../../events.ts';
import { RefusingDisk } from '../../testing/refusing-disk.ts';
import { bytesOf, contentUnder, inFolder, open, put } from '../../testing/storage.ts';

const key = (at: number) => `http://a.example/${at}`;

/** Let a clock pass until a condition holds. */
async function passUntil(clock: ManualClock, isSo: () => boolean): Promise<void> {
  for (let turn = 0; turn < 100_000 && !isSo(); turn++) {
    clock.advance(100);
    await new Promise((resolve) => setImmediate(resolve));
  }
  assert.ok(isSo());
}

test('a sync that the disk refuses is reported to its caller, or by the store when it has none', () =>
  inFolder(async (folder) => {
    const clock = new ManualClock();
    const disk = new RefusingDisk();
    const reported: string[] = [];
    const escaped: unknown[] = [];
    const note = (error: unknown) => escaped.push(error);
    const stop = cacheStoreTrouble.subscribe(({ path, reason }) => {
      if (path === folder) reported.push(reason);
    });
    process.on('unhandledRejection', note);
    try {
      let attempts = 0;
      {
        await using store = await open({ folder, clock, calls: disk.calls });
        assert.ok(await put(store, key(1), bytesOf(1, 1000)));
        assert.ok(await put(store, key(2), bytesOf(2, 300_000)));
        assert.ok(await put(store, key(3), bytesOf(3, 1000), { tags: ['x'] }));
        disk.syncs = () => {
          attempts++;
          return 'EIO';
        };
        await assert.rejects(store.flush(), { code: 'EIO' });
        // Callers at the same time share a sync, and each of them gets its error.
        const both = await Promise.allSettled([store.flush(), store.flush()]);
        assert.deepEqual(
          both.map((one) => one.status === 'rejected' && one.reason.code),
          ['EIO', 'EIO'],
        );
        assert.deepEqual(reported, []);
        const failed = { code: cacheErrors.CACHE_STORE_FAILED.code, message: /EIO/ };
        await assert.rejects(store.purge({ url: key(1) }, { soft: true }), failed);
        await assert.rejects(store.purge({ tag: 'x' }, { soft: true }), failed);
        assert.deepEqual(reported, ['EIO']);
        assert.deepEqual(store.statistics().disk.reason, 'EIO');
        // The store syncs by itself about once a second.
        let before = attempts;
        await passUntil(clock, () => attempts > before + 2 && reported.length > 1);
        assert.deepEqual([...new Set(reported)], ['EIO']);
        assert.equal(store.statistics().disk.state, 'failing');
        assert.ok((await contentUnder(store, key(1)))?.equals(bytesOf(1, 1000)));
        // The disk accepts syncs again.
        disk.syncs = () => undefined;
        await passUntil(clock, () => store.statistics().disk.state !== 'failing');
        await store.flush();
        assert.ok(await put(store, key(4), bytesOf(4, 1000)));
        disk.syncs = () => {
          attempts++;
          return 'EIO';
        };
        before = attempts;
        reported.length = 0;
        await store[Symbol.asyncDispose]();
        assert.ok(attempts > before);
        assert.deepEqual(reported, ['EIO'], 'the last sync of a store that is closed');
      }
      await using again = await open({ folder, clock });
      for (const [at, length] of [1000, 300_000, 1000, 1000].entries())
        assert.ok((await contentUnder(again, key(at + 1)))?.equals(bytesOf(at + 1, length)), key(at + 1));
      assert.equal(again.statistics().damaged, 0);
      // A rejection that nobody handles is announced after the microtasks of its turn.
      await new Promise((resolve) => setImmediate(resolve));
      assert.deepEqual(escaped, []);
    } finally {
      stop();
      process.off('unhandledRejection', note);
    }
  }));
