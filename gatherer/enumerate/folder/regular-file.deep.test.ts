import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { lstatSync } from 'node:fs';
import { mkdir, mkdtemp, rename, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { FolderEnumerator } from './folder-enumerator.ts';
import { FileReplaced, readRegularFile, readRegularFileSync } from './regular-file.ts';

test('a file that was replaced after it was examined is not read', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-regular-'));
  try {
    const path = join(folder, 'a');
    const secret = join(folder, 'secret');
    await writeFile(path, 'open');
    await writeFile(secret, 'secret');
    const looked = { path, real: path, stats: lstatSync(path, { bigint: true }) };
    assert.equal(Buffer.from(readRegularFileSync(looked, 100)).toString(), 'open');
    assert.equal(Buffer.from(await readRegularFile(looked, 2)).toString(), 'op');
    const replacements: readonly (() => Promise<unknown> | unknown)[] = [
      () => symlink(secret, path),
      () => execFileSync('mkfifo', [path]),
      () => mkdir(path),
    ];
    for (const replace of replacements) {
      await rm(path, { recursive: true });
      await replace();
      assert.throws(() => readRegularFileSync(looked, 100), FileReplaced);
      await assert.rejects(readRegularFile(looked, 100), FileReplaced);
    }
  } finally {
    await rm(folder, { recursive: true });
  }
});

test('links lead neither out of the folder nor to hidden files, and why agrees with a run', async () => {
  await using site = await Site.make();
  const outside = await mkdtemp(join(tmpdir(), 'garner-outside-'));
  try {
    await writeFile(join(outside, 'passwd'), 'secret');
    await writeFile(join(site.root, '.hidden'), 'hidden');
    await site.page('a.html', 'A');
    await symlink(outside, join(site.root, 'link'));
    await symlink('.hidden', join(site.root, 'shown.txt'));
    await symlink('a.html', join(site.root, 'b.html'));
    const report = await site.gatherer.run();
    assert.deepEqual(report.skipped, {
      'symbolic link out of the folder': 1,
      'its name begins with a dot (gatherer.hidden)': 1,
    });
    assert.equal(report.added, 2);
    const enumerator = new FolderEnumerator({
      ...{ root: site.root, baseUrl, hidden: false, maxBytesPerDocument: 1e6 },
    });
    for (const path of ['link/passwd', 'shown.txt']) {
      const verdict = await enumerator.decide(baseUrl + path);
      assert.equal(verdict.included, false, path);
    }
    assert.equal((await enumerator.decide(`${baseUrl}b.html`)).included, true);
  } finally {
    await rm(outside, { recursive: true });
  }
});

test('a file that is constantly replaced by renaming is read', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  await site.page('new.html', 'B');
  await rename(join(site.root, 'new.html'), join(site.root, 'a.html'));
  const report = await site.gatherer.run();
  assert.deepEqual([report.changed, report.failed], [1, 0]);
});
