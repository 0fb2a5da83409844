import assert from 'node:assert/strict';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Site } from './folder-site.test.ts';
import { type FolderChanges, FolderWatcher } from './folder-watcher.ts';

test('a watched folder tells which paths changed, and folders that come and go', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  let told: (changes: FolderChanges | undefined) => void = () => {};
  /** What is told of a path; one write may be told of in several bursts. */
  const about = (path: string) =>
    new Promise<FolderChanges>((resolve) => {
      told = (changes) => changes?.paths.includes(path) && resolve(changes);
    });
  await using watcher = await FolderWatcher.start({
    root: site.root,
    hidden: false,
    quietMs: 5,
    onChange: (changes) => told(changes),
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
  const told: (FolderChanges | undefined)[] = [];
  let wake = () => {};
  await using watcher = await FolderWatcher.start({
    root: join(site.path, 'link'),
    hidden: false,
    quietMs: 5,
    onChange: (changes) => {
      told.push(changes);
      wake();
    },
    onFault: (error) => assert.fail(error),
  });
  const until = async (wanted: (changes: FolderChanges | undefined) => boolean) => {
    while (!told.some(wanted))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    told.length = 0;
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
