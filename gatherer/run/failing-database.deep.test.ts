import assert from 'node:assert/strict';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { attributeText, identityFrom, newIdentitySecret } from '../../soif/index.ts';
import { type Database, type DataFolder, ObjectStore, openDatabase } from '../../store/index.ts';
import type { Enumerator } from '../enumerate/enumerator.ts';
import { FolderEnumerator } from '../enumerate/folder/folder-enumerator.ts';
import { gathererFault } from '../events.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { Gatherer } from './gatherer.ts';

const baseUrl = 'http://www.example.org/';

/** A database whose batches fail while `left` is above 0, as on a temporarily full disk. */
function failing(database: Database, left: { batches: number }): Database {
  return {
    ...database,
    batch: async (writes, options) => {
      if (left.batches > 0) {
        left.batches--;
        throw new Error('no space left');
      }
      await database.batch(writes, options);
    },
  };
}

/** A folder of pages and a Gatherer over it whose databases can be made to fail. */
async function openSite() {
  const path = await mkdtemp(join(tmpdir(), 'garner-failing-'));
  const root = join(path, 'site');
  await mkdir(root);
  const clock = new ManualClock();
  const fails = { rows: { batches: 0 }, objects: { batches: 0 } };
  const rows = await openDatabase(join(path, 'rows'));
  const annotations = await openDatabase(join(path, 'annotations'));
  const objects = await openDatabase(join(path, 'objects'));
  const store = await ObjectStore.open(failing(objects, fails.objects), { clock, random: systemRandom });
  const folder: DataFolder = {
    path,
    identity: identityFrom(newIdentitySecret(systemRandom)),
    store,
    database: async (name) => (name === 'fetch' ? failing(rows, fails.rows) : annotations),
    renewable: async () => Promise.reject(new Error('a Gatherer has none')),
    changeKey: () => Promise.reject(new Error('not here')),
    ...{ mended: [], isMended: () => false, settleMended: async () => {} },
    compact: async () => [],
    announce: async () => {},
    [Symbol.asyncDispose]: async () => {},
  };
  const files = new FolderEnumerator({ root, baseUrl, hidden: false, maxBytesPerDocument: 1e6 });
  /** Thrown in the middle of an enumeration. */
  const broken: { error?: Error } = {};
  const enumerator: Enumerator = {
    decide: (url) => files.decide(url),
    async *enumerate(memory) {
      yield* files.enumerate(memory);
      if (broken.error) throw broken.error;
    },
  };
  const gatherer = await Gatherer.open({
    folder,
    enumerators: () => [enumerator],
    clock,
    name: 'site',
    host: 'www.example.org',
    version: '1',
    plan: defaultPlan,
    processor: new InlineProcessor(defaultPlan),
    ttlSeconds: 1000,
    refreshSeconds: 100,
  });
  return {
    gatherer,
    store,
    fails,
    broken,
    page: (name: string, title: string) => writeFile(join(root, name), `<title>${title}</title>`),
    remove: (name: string) => rm(join(root, name)),
    [Symbol.asyncDispose]: async () => {
      await store[Symbol.asyncDispose]();
      await rows[Symbol.asyncDispose]();
      await annotations[Symbol.asyncDispose]();
      await rm(path, { recursive: true, force: true });
    },
  };
}

test('a batch that fails for a while is reported and repaired by the next run', async () => {
  for (const which of ['rows', 'objects'] as const)
    for (const batches of [1, 2]) {
      await using site = await openSite();
      const about = `${which} ${batches}`;
      for (let n = 0; n < 300; n++) await site.page(`${n}.html`, `P${n}`);
      site.fails[which].batches = batches;
      await assert.rejects(site.gatherer.run(), /no space left/, about);
      await site.remove('0.html');
      await site.page('1.html', 'another');
      const report = await site.gatherer.run();
      assert.deepEqual([report.objects, report.failed, report.complete], [299, 0, true], about);
      assert.equal(attributeText(await site.gatherer.show(`${baseUrl}1.html`), 'Title'), 'another');
      const quiet = await site.gatherer.run();
      assert.deepEqual([quiet.unchanged, quiet.bytesRead, quiet.deleted], [299, 0, 0], about);

      // Changes and deletions that could not be written do not count as done.
      await site.page('2.html', 'changed');
      await site.remove('3.html');
      site.fails[which].batches = batches;
      await assert.rejects(site.gatherer.run(), /no space left/, about);
      await site.gatherer.run();
      const { objects, unchanged, bytesRead } = await site.gatherer.run();
      assert.deepEqual([objects, unchanged, bytesRead], [298, 298, 0], about);
      assert.equal(attributeText(await site.gatherer.show(`${baseUrl}2.html`), 'Title'), 'changed');
    }
});

test('an error of the enumeration is not hidden by one of the store', async () => {
  await using site = await openSite();
  await site.page('a.html', 'A');
  site.broken.error = new Error('the site broke off');
  site.fails.rows.batches = 1;
  const reported: string[] = [];
  const stop = gathererFault.subscribe(({ error }) => reported.push(String(error)));
  await assert.rejects(site.gatherer.run(), /the site broke off/);
  stop();
  assert.deepEqual(reported, ['Error: no space left']);
  assert.equal(site.store.count, 0);
  await assert.rejects(site.gatherer.run(), /the site broke off/);
  assert.equal(site.store.count, 1, 'what was gathered before an error is kept');
});
