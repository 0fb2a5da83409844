import assert from 'node:assert/strict';
import fs from 'node:fs';
import { mkdir, rename, rm, writeFile } from 'node:fs/promises';
import { syncBuiltinESMExports } from 'node:module';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Enumerated, Enumerator } from '../enumerate/enumerator.ts';
import { FolderEnumerator, type FolderOptions } from '../enumerate/folder/folder-enumerator.ts';
import type { WatchedFolder } from '../enumerate/roots/folder-group.ts';
import { documentDone, gathererFault, runFinished } from '../events.ts';
import { ClassicStream } from '../publish/classic-stream.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';
import { GatherLoop } from './gather-loop.ts';

// Several roots, some of them folders: a change in a folder is gathered without the other roots.

interface Folder {
  readonly path: string;
  readonly at: string;
  readonly options?: Partial<FolderOptions>;
}

/** A root that is not watched and counts its walks; its documents have rows without the stamp of a file. */
class Elsewhere implements Enumerator {
  walks = 0;
  readonly #urls: readonly string[];

  constructor(urls: readonly string[]) {
    this.#urls = urls;
  }

  covers(url: string): boolean {
    return url.startsWith(baseUrl);
  }

  async *enumerate(): AsyncIterable<Enumerated> {
    this.walks++;
    for (const url of this.#urls) {
      const bytes = Buffer.from(`<title>elsewhere</title><p>at ${url}</p>`);
      const document = { url, name: 'page.html', bytes, md5: url };
      yield { url, depth: 1, kind: 'document', document, remember: { md5: url } };
    }
  }

  async decide(url: string) {
    return { url, included: false, rule: 'none' };
  }
}

/** A loop over watched folders and a root elsewhere, after the first run. */
async function watching(site: Site, folders: readonly Folder[], elsewhere: Elsewhere) {
  const watched: WatchedFolder[] = folders.map(({ path, at, options }) => {
    const own = { root: join(site.root, path), baseUrl: baseUrl + at };
    const enumerator = new FolderEnumerator({ ...own, hidden: false, maxBytesPerDocument: 1e6, ...options });
    return { root: own.root, hidden: false, enumerator };
  });
  site.enumerators = () => [...watched.map(({ enumerator }) => enumerator), elsewhere];
  await site.reopen();
  const stream = await ClassicStream.open(site.data);
  const loop = await GatherLoop.start({
    ...{ gatherer: site.gatherer, stream, clock: site.clock },
    ...{ folders: watched, others: [elsewhere] },
    ...{ intervalSeconds: 1e6, tombstoneSeconds: 1e6 },
  });
  const first = await loop.first;
  return {
    loop,
    first,
    [Symbol.asyncDispose]: async () => {
      await loop[Symbol.asyncDispose]();
      await stream[Symbol.asyncDispose]();
    },
  };
}

/** Resolves when these outcomes of documents were published, written as `added sub/a.html`. */
function until(...wanted: readonly string[]) {
  const missing = new Set(wanted);
  return new Promise<void>((resolve) => {
    const stop = documentDone.subscribe(({ url, outcome }) => {
      missing.delete(`${outcome} ${url.slice(baseUrl.length)}`);
      if (missing.size > 0) return;
      stop();
      resolve();
    });
  });
}

async function change(site: Site, edit: () => Promise<unknown>, ...wanted: readonly string[]) {
  const done = until(...wanted);
  await edit();
  await done;
  await site.gatherer.idle();
}

async function isHeld(site: Site, path: string): Promise<boolean> {
  return (await site.gatherer.stored(baseUrl + path)) !== undefined;
}

test('each folder among the roots is watched, and a change walks no other root', async () => {
  await using site = await Site.make();
  await mkdir(join(site.root, 'b'));
  for (const name of ['sub/x.html', 'b/x.html']) await site.page(name, name);
  const elsewhere = new Elsewhere([]);
  const folders = [
    { path: 'sub', at: 'one/' },
    { path: 'b', at: 'two/', options: { maxUrls: 2, maxDepth: 1 } },
  ];
  await using served = await watching(site, folders, elsewhere);
  for (const [path, at] of [
    ['sub', 'one'],
    ['b', 'two'],
  ] as const) {
    await change(site, () => site.page(`${path}/x.html`, 'new words'), `changed ${at}/x.html`);
    await change(site, () => site.page(`${path}/y.html`, 'y'), `added ${at}/y.html`);
    await change(site, () => rm(join(site.root, path, 'x.html')), `deleted ${at}/x.html`);
  }
  // Another folder under the same name, as a deployment puts it.
  await mkdir(join(site.path, 'next'));
  await writeFile(join(site.path, 'next/z.html'), '<title>z</title>');
  await rename(join(site.root, 'sub'), join(site.path, 'before'));
  await change(
    site,
    () => rename(join(site.path, 'next'), join(site.root, 'sub')),
    'added one/z.html',
    'deleted one/y.html',
  );
  assert.equal(await isHeld(site, 'two/y.html'), true);
  assert.ok(elsewhere.walks <= 2, 'no run but the one that the missing folder may have caused');
  assert.equal(served.first.objects, 2);
});

test('folders that overlap agree about a change, whichever of them reports it', async () => {
  await using site = await Site.make();
  for (const name of ['a.html', 'sub/x.html', 'sub/y.html']) await site.page(name, name);
  const excluded = (url: string) => (url.includes('/sub/') ? 'the other root has it' : undefined);
  const elsewhere = new Elsewhere([]);
  const folders = [
    { path: '', at: '', options: { excluded } },
    { path: 'sub', at: 'sub/' },
  ];
  await using served = await watching(site, folders, elsewhere);
  assert.equal(served.first.objects, 3);
  const deleted: string[] = [];
  const stop = documentDone.subscribe(({ url, outcome }) => outcome === 'deleted' && deleted.push(url));
  await change(site, () => site.page('sub/x.html', 'new words'), 'changed sub/x.html');
  await change(site, () => rm(join(site.root, 'sub/y.html')), 'deleted sub/y.html');
  await change(site, () => site.page('a.html', 'new words'), 'changed a.html');
  await served.loop[Symbol.asyncDispose]();
  stop();
  assert.deepEqual(deleted, [`${baseUrl}sub/y.html`]);
  assert.deepEqual([await isHeld(site, 'sub/x.html'), elsewhere.walks], [true, 1]);
});

test('a change of a folder removes nothing that another root has gathered', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  const foreign = ['new/own.html', 'left-out.html'];
  const elsewhere = new Elsewhere(foreign.map((path) => baseUrl + path));
  const excluded = (url: string) => (url.includes('left-out') ? 'a filter' : undefined);
  await using served = await watching(site, [{ path: '', at: '', options: { excluded } }], elsewhere);
  assert.equal(served.first.objects, 3);
  await site.page('left-out.html', 'of the folder');
  await mkdir(join(site.path, 'new'));
  await writeFile(join(site.path, 'new/x.html'), '<title>x</title>');
  await change(site, () => rename(join(site.path, 'new'), join(site.root, 'new')), 'added new/x.html');
  await change(site, () => rename(join(site.root, 'new'), join(site.path, 'old')), 'deleted new/x.html');
  await change(site, () => rm(join(site.root, 'a.html')), 'deleted a.html');
  for (const path of foreign) assert.equal(await isHeld(site, path), true, path);
  assert.equal(elsewhere.walks, 1);
});

test('a folder whose watch has failed is walked at intervals, without the other roots', async (t) => {
  await using site = await Site.make();
  await site.page('sub/x.html', 'x');
  const failing = t.mock.method(fs, 'watch', () => {
    throw Object.assign(new Error('ENOSPC: no watch left'), { code: 'ENOSPC' });
  });
  syncBuiltinESMExports();
  t.after(() => {
    failing.mock.restore();
    syncBuiltinESMExports();
  });
  const faults: string[] = [];
  const stop = gathererFault.subscribe(({ where }) => faults.push(where));
  const runs: unknown[] = [];
  const stopRuns = runFinished.subscribe((report) => runs.push(report));
  const elsewhere = new Elsewhere([]);
  await using served = await watching(site, [{ path: 'sub', at: 'one/' }], elsewhere);
  await site.page('sub/y.html', 'y');
  await change(site, async () => site.clock.advance(5000), 'added one/y.html');
  stop();
  stopRuns();
  assert.equal(served.first.objects, 1);
  assert.deepEqual([elsewhere.walks, runs.length], [1, 1]);
  assert.deepEqual(faults, [`watching ${join(site.root, 'sub')}`]);
});

test('a missing folder among the roots is watched after it appears, and deletes nothing while it is away', async () => {
  await using site = await Site.make();
  await site.page('sub/x.html', 'x');
  const elsewhere = new Elsewhere([`${baseUrl}own.html`]);
  const folders = [
    { path: 'later', at: 'later/' },
    { path: 'sub', at: 'sub/' },
  ];
  await using served = await watching(site, folders, elsewhere);
  assert.deepEqual([served.first.complete, served.first.objects], [false, 2]);
  await mkdir(join(site.root, 'later'));
  await site.page('later/x.html', 'x');
  // Runs are repeated while a root cannot be read.
  await change(site, async () => site.clock.advance(60_000), 'added later/x.html');
  await change(site, () => site.page('later/y.html', 'y'), 'added later/y.html');
  const lost = new Promise<void>((resolve) => {
    const stop = gathererFault.subscribe(({ where }) => {
      if (!where.startsWith('gathering ')) return;
      stop();
      resolve();
    });
  });
  await rename(join(site.root, 'later'), join(site.path, 'away'));
  await lost;
  await site.gatherer.idle();
  for (const path of ['later/x.html', 'later/y.html', 'sub/x.html'])
    assert.equal(await isHeld(site, path), true, path);
});
