import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdir, mkdtemp, rm, unlink, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { test } from 'node:test';
import type { Enumerated } from '../enumerate/enumerator.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';

/** Put a tar archive of these files into a site. */
async function archive(site: Site, name: string, files: Readonly<Record<string, string>>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'garner-parts-'));
  try {
    for (const [path, content] of Object.entries(files)) {
      await mkdir(dirname(join(folder, path)), { recursive: true });
      await writeFile(join(folder, path), content);
    }
    execFileSync('tar', ['-C', folder, '-cf', join(site.root, name), ...Object.keys(files)]);
  } finally {
    await rm(folder, { recursive: true });
  }
}

const page = (title: string) => `<title>${title}</title><p>text`;

test('the documents in an archive are added, changed, kept and deleted with it', async () => {
  await using site = await Site.make();
  await archive(site, 'all.tar', { 'a.html': page('A'), 'sub/b.html': page('B') });
  await site.page('c.html', 'C');
  const first = await site.gatherer.run();
  assert.deepEqual([first.added, first.objects], [3, 3]);
  assert.deepEqual(await site.titles(), ['A', 'B', 'C']);
  await site.gatherer.show(`${baseUrl}all.tar#sub/b.html`);

  const { lsn } = site.data.store;
  await site.reopen();
  const again = await site.gatherer.run();
  assert.deepEqual([again.unchanged, again.bytesRead, site.data.store.lsn], [3, 0, lsn]);

  await archive(site, 'all.tar', { 'a.html': page('A2'), 'd.html': page('D') });
  const changed = await site.gatherer.run();
  assert.deepEqual([changed.changed, changed.added, changed.deleted], [1, 1, 1]);
  assert.deepEqual(await site.titles(), ['A2', 'C', 'D']);

  await unlink(join(site.root, 'all.tar'));
  assert.equal((await site.gatherer.run()).deleted, 2);
  assert.deepEqual(await site.titles(), ['C']);
  assert.equal((await site.gatherer.run()).deleted, 0);
});

test('an archive that becomes a document, and the other way round', async () => {
  await using site = await Site.make();
  await archive(site, 'thing', { 'a.html': page('A'), 'b.html': page('B') });
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['A', 'B']);
  await writeFile(join(site.root, 'thing'), page('A page now'));
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['A page now']);
  await archive(site, 'thing', { 'c.html': page('C') });
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['C']);
});

test('an update of a deleted archive deletes its documents', async () => {
  await using site = await Site.make();
  await archive(site, 'all.tar', { 'a.html': page('A'), 'b.html': page('B') });
  await site.gatherer.run();
  await unlink(join(site.root, 'all.tar'));
  const gone = async function* (): AsyncIterable<Enumerated> {
    yield { kind: 'gone', url: `${baseUrl}all.tar`, depth: 1, reason: 'it is gone' };
  };
  await site.gatherer.update(() => ({ items: gone(), below: [] }));
  assert.deepEqual(await site.titles(), []);
});

test('documents of an archive are not requested by themselves', async () => {
  await using site = await Site.make();
  await archive(site, 'all.tar', { 'a.html': page('A') });
  await site.gatherer.run();
  const known: string[] = [];
  for await (const url of site.gatherer.memory.known?.() ?? []) known.push(url);
  assert.deepEqual(known, [`${baseUrl}all.tar`]);
});
