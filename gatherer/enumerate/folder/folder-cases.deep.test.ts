import assert from 'node:assert/strict';
import { mkdir, rename, rm, symlink, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { baseUrl, Site } from '../../testing/folder-site.ts';

const latin1 = (text: string) => Buffer.from(text, 'latin1');

/** A file below the site's folder, by the bytes of its path in Latin-1. */
const write = (site: Site, path: string, text: string) =>
  writeFile(Buffer.concat([Buffer.from(`${site.root}/`), latin1(path)]), text);

test('case 70: files and folders whose names are not UTF-8 are gathered, watched and found again', async () => {
  await using site = await Site.make();
  const at = (path: string) => Buffer.concat([Buffer.from(`${site.root}/`), latin1(path)]);
  await mkdir(at('pr\xe9s'));
  await write(site, 'l\xe9.html', '<title>Summer</title>Words');
  await write(site, 'pr\xe9s/a.html', '<title>Inside</title>Words');
  await write(site, 'pr\xe9s/\xe9t\xe9.txt', '');
  await symlink(at('pr\xe9s/a.html'), at('alias\xe9.html'));
  const urls = ['alias%E9.html', 'l%E9.html', 'pr%E9s/%E9t%E9.txt', 'pr%E9s/a.html'].map(
    (end) => baseUrl + end,
  );
  const report = await site.gatherer.run();
  assert.deepEqual([report.objects, report.skipped, report.failed], [4, {}, 0]);
  assert.deepEqual(await site.titles(), ['Inside', 'Inside', 'Summer', 'été.txt']);
  for (const url of urls) assert.equal((await site.gatherer.why(url)).included, true, url);
  const empty = await site.gatherer.why(urls[2] ?? '');
  assert.ok(empty.object);
  const again = await site.gatherer.run();
  assert.deepEqual([again.objects, again.unchanged, again.deleted], [4, 4, 0]);
  await rename(at('l\xe9.html'), at('l\xe8.html'));
  await rm(at('pr\xe9s'), { recursive: true });
  const moved = await site.gatherer.run();
  assert.deepEqual([moved.objects, moved.deleted], [1, 4]);
});

test('case 72: a file from before 1970 or from the future is gathered once, without its time', async () => {
  await using site = await Site.make();
  const times = [-315_619_200, 4_102_444_800, 10_000_000_000, 15_000_000_000];
  for (const [index, time] of times.entries()) {
    await site.page(`${index}.html`, 'Words');
    await utimes(join(site.root, `${index}.html`), new Date(time * 1000), new Date(time * 1000));
  }
  assert.deepEqual((await site.gatherer.run()).objects, 4);
  assert.deepEqual(await site.values('Last-Modification-Time'), ['', '', '', '']);
  const again = await site.gatherer.run();
  assert.deepEqual([again.objects, again.unchanged], [4, 4]);
});
