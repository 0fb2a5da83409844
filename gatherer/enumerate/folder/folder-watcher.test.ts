import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { Site } from '../../testing/folder-site.ts';
import { type FolderChanges, FolderWatcher } from './folder-watcher.ts';

test('a watched folder reports the changed paths, and added and deleted folders', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  let reported: (changes: FolderChanges | undefined) => void = () => {};
  /** The reports of a path; one write may be reported in several bursts. */
  const about = (path: string) =>
    new Promise<FolderChanges>((resolve) => {
      reported = (changes) => changes?.paths.includes(path) && resolve(changes);
    });
  await using watcher = await FolderWatcher.start({
    root: site.root,
    hidden: false,
    quietMs: 5,
    onChange: (changes) => reported(changes),
    onFault: (error) => assert.fail(error),
  });
  assert.equal(watcher.folders, 2);
  let change = about(join(site.root, 'sub/new.html'));
  await site.page('sub/new.html', 'N');
  assert.deepEqual((await change).folders, []);
  const fresh = join(site.root, 'fresh');
  change = about(fresh);
  await mkdir(fresh);
  assert.deepEqual((await change).folders, [fresh], 'anything may be below a new folder');
  assert.equal(watcher.folders, 3);
  change = about(join(fresh, 'x.html'));
  await site.page('fresh/x.html', 'X');
  assert.deepEqual((await change).folders, []);
});

test('a folder that takes the place of another is watched, and a root behind a link', async () => {
  await using site = await Site.make();
  await symlink(site.root, join(site.path, 'link'));
  const reported: (FolderChanges | undefined)[] = [];
  let wake = () => {};
  await using watcher = await FolderWatcher.start({
    root: join(site.path, 'link'),
    hidden: false,
    quietMs: 5,
    onChange: (changes) => {
      reported.push(changes);
      wake();
    },
    onFault: (error) => assert.fail(error),
  });
  const until = async (wanted: (changes: FolderChanges | undefined) => boolean) => {
    while (!reported.some(wanted))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    reported.length = 0;
  };
  assert.equal(watcher.folders, 2);
  await mkdir(join(site.root, 'next'));
  await until((changes) => changes?.folders.includes(join(site.path, 'link/next')) === true);
  await rename(join(site.root, 'sub'), join(site.root, 'old'));
  await rename(join(site.root, 'next'), join(site.root, 'sub'));
  await until((changes) => changes?.folders.includes(join(site.path, 'link/sub')) === true);
  const file = join(site.path, 'link/sub/x.html');
  await site.page('sub/x.html', 'X');
  await until((changes) => changes?.paths.includes(file) === true);
});

/** The system's watches are used up: setting one fails during the test. */
function noWatches(context: TestContext) {
  const error = Object.assign(new Error('ENOSPC: no watch left'), { code: 'ENOSPC' });
  const failing = context.mock.method(fs, 'watch', () => {
    throw error;
  });
  syncBuiltinESMExports();
  const restore = () => {
    failing.mock.restore();
    syncBuiltinESMExports();
  };
  context.after(restore);
  return { error, restore };
}

test('a root that cannot be watched is reported once, and is no change of its own', async (t) => {
  await using site = await Site.make();
  const { error, restore } = noWatches(t);
  const faults: Error[] = [];
  let wake = () => {};
  const reported = new Promise<void>((resolve) => {
    wake = resolve;
  });
  const options = { root: site.root, hidden: false, quietMs: 1, onChange: () => wake() };
  await using watcher = await FolderWatcher.start({ ...options, onFault: (fault) => faults.push(fault) });
  const timers = t.mock.method(globalThis, 'setTimeout');
  for (let run = 0; run < 3; run++) await watcher.checkRoot();
  assert.deepEqual([timers.mock.callCount(), faults], [0, [error]]);
  timers.mock.restore();
  restore();
  await watcher.checkRoot();
  await reported;
  assert.equal(watcher.folders, 2, 'once there are watches again it is watched');
});

test('sub-folders that cannot be watched are one fault', async (t) => {
  await using site = await Site.make();
  for (let n = 0; n < 5; n++) await mkdir(join(site.root, `${n}`));
  const { watch } = fs;
  const failing = t.mock.method(fs, 'watch', (...given: Parameters<typeof watch>) => {
    if (given[0] === site.root) return watch(...given);
    throw Object.assign(new Error('EMFILE'), { code: 'EMFILE' });
  });
  syncBuiltinESMExports();
  let faults = 0;
  const options = { root: site.root, hidden: false, onChange: () => {}, onFault: () => faults++ };
  await using watcher = await FolderWatcher.start(options);
  failing.mock.restore();
  syncBuiltinESMExports();
  assert.deepEqual([watcher.folders, faults], [1, 1]);
});

test('a new hidden folder is neither reported nor watched', async () => {
  await using site = await Site.make();
  const reported: string[] = [];
  let wake = () => {};
  await using watcher = await FolderWatcher.start({
    root: site.root,
    hidden: false,
    quietMs: 5,
    onChange: (changes) => {
      reported.push(...(changes?.paths ?? ['everything']));
      wake();
    },
    onFault: (error) => assert.fail(error),
  });
  await mkdir(join(site.root, '.git/objects'), { recursive: true });
  // A later report shows that everything before was handled.
  const last = join(site.root, 'last');
  await mkdir(last);
  while (!reported.includes(last))
    await new Promise<void>((resolve) => {
      wake = resolve;
    });
  assert.deepEqual([reported, watcher.folders], [[last], 3]);
});

test('the deletion of a root whose own name begins with a dot is noticed', async () => {
  await using site = await Site.make();
  const root = join(site.path, '.dotted');
  await mkdir(root);
  let wake = () => {};
  const gone = new Promise<void>((resolve) => {
    wake = resolve;
  });
  await using watcher = await FolderWatcher.start({
    root,
    hidden: false,
    quietMs: 5,
    onChange: (changes) => changes === undefined && wake(),
    onFault: (error) => assert.fail(error),
  });
  await rename(root, join(site.path, 'away'));
  await gone;
  assert.equal(watcher.folders, 0);
});
