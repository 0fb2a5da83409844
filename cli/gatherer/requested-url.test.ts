import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, symlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { requestedUrl } from './requested-url.ts';

test('a document is asked about by its URL, or by the path of its file where that can be one', async () => {
  const cwd = await mkdtemp(join(tmpdir(), 'garner-asked-'));
  try {
    await writeFile(join(cwd, 'a b.zip'), '');
    await writeFile(join(cwd, 'c#d.html'), '');
    await mkdir(join(cwd, 'folder'));
    await symlink('nothing', join(cwd, 'dangling'));
    const file = (name: string) => pathToFileURL(join(cwd, name)).href;
    for (const [given, url] of [
      ['https://h/a b', 'https://h/a b'],
      ['', ''],
      ['a b.zip', file('a b.zip')],
      ['a b.zip#in/side', `${file('a b.zip')}#in/side`],
      ['c#d.html', file('c#d.html')],
      ['dangling', file('dangling')],
      ['folder/gone.html', file('folder/gone.html')],
      ['none/gone.html', 'none/gone.html'],
      ['./gone.html', file('gone.html')],
      ['/srv/gone.html', 'file:///srv/gone.html'],
      ['www.example.org', 'www.example.org'],
      ['#top', '#top'],
    ] as const)
      assert.equal(await requestedUrl(given, cwd), url, given);
  } finally {
    await rm(cwd, { recursive: true });
  }
});
