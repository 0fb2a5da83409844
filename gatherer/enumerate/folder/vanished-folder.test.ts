import assert from 'node:assert/strict';
import { rm } from 'node:fs/promises';
import { test } from 'node:test';
import { baseUrl, Site } from '../../testing/folder-site.ts';
import { everyRoot } from '../roots/every-root.ts';
import { FolderEnumerator } from './folder-enumerator.ts';

test('a folder that is deleted while it is walked does not affect the other roots', async () => {
  await using gone = await Site.make();
  await using there = await Site.make();
  for (const site of [gone, there]) await site.page('a.html', 'A');
  const other = new FolderEnumerator({
    root: there.root,
    baseUrl: 'http://other.example.org/',
    hidden: false,
    maxBytesPerDocument: 1e6,
  });
  const reported: string[] = [];
  for await (const item of everyRoot([gone.enumerator, other], { recall: async () => undefined })) {
    if (item.url === `${baseUrl}a.html`) await rm(gone.root, { recursive: true });
    reported.push(`${item.kind} ${item.url}${item.kind === 'failed' ? ` ${item.error.code}` : ''}`);
  }
  assert.deepEqual(reported, [
    `document ${baseUrl}a.html`,
    'document http://other.example.org/a.html',
    'sitemap http://other.example.org/#folder',
    'failed a root GATHERER_UNREADABLE',
  ]);
});
