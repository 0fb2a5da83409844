import assert from 'node:assert/strict';
import { mkdir, rename, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Site } from './folder-site.test.ts';
import { FolderWatcher } from './folder-watcher.ts';

test('a watched folder tells which paths changed, and folders that come and go', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  let told: (paths: readonly string[] | undefined) => void = () => {};
  const next = () =>
    new Promise<readonly string[] | undefined>((resolve) => {
      told = resolve;
    });
  await using watcher = await FolderWatcher.start({
    root: site.root,
    hidden: false,
    quietMs: 5,
    onChange: (paths) => told(paths),
    onFault: (error) => assert.fail(error),
  });
  assert.equal(watcher.folders, 2);
  let change = next();
  await site.page('sub/new.html', 'N');
  assert.deepEqual(await change, [join(site.root, 'sub/new.html')]);
  change = next();
  await mkdir(join(site.root, 'fresh'));
  assert.equal(await change, undefined, 'anything may be below a new folder');
  assert.equal(watcher.folders, 3);
  change = next();
  await site.page('fresh/x.html', 'X');
  assert.deepEqual(await change, [join(site.root, 'fresh/x.html')]);
});

test('a folder that takes the place of another is watched, and a root behind a link', async () => {
  await using site = await Site.make();
  await symlink(site.root, join(site.path, 'link'));
  const told: (readonly string[] | undefined)[] = [];
  let wake = () => {};
  await using watcher = await FolderWatcher.start({
    root: join(site.path, 'link'),
    hidden: false,
    quietMs: 5,
    onChange: (paths) => {
      told.push(paths);
      wake();
    },
    onFault: (error) => assert.fail(error),
  });
  const until = async (wanted: (paths: readonly string[] | undefined) => boolean) => {
    while (!told.some(wanted))
      await new Promise<void>((resolve) => {
        wake = resolve;
      });
    told.length = 0;
  };
  assert.equal(watcher.folders, 2);
  await mkdir(join(site.root, 'next'));
  await until((paths) => paths === undefined);
  await rename(join(site.root, 'sub'), join(site.root, 'old'));
  await rename(join(site.root, 'next'), join(site.root, 'sub'));
  await until((paths) => paths === undefined);
  const file = join(site.path, 'link/sub/x.html');
  await site.page('sub/x.html', 'X');
  await until((paths) => paths === undefined || paths.includes(file));
});
