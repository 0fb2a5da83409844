import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import type { PublishedObject } from '../../awareness/index.ts';
import { attributeText, digestOf, oidOf, provenanceBytes, verifier } from '../../soif/index.ts';
import type { Enumerated } from '../enumerate/enumerator.ts';
import { baseUrl, day, Site } from '../testing/folder-site.ts';
import type { AnnotationChange } from './annotation-change.ts';

const url = `${baseUrl}a.html`;
const change = (set: AnnotationChange['set'], remove: readonly string[] = []): AnnotationChange => ({
  set,
  remove,
});
const shown = async (site: Site, name: string, at = url) => attributeText(await site.gatherer.show(at), name);

/** A gathered site of one page, and the documents that a further run reads. */
async function gathered(): Promise<Site> {
  const site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  return site;
}

async function unread(site: Site): Promise<void> {
  const { lsn } = site.data.store;
  const { unchanged, bytesRead, objects } = await site.gatherer.run();
  assert.deepEqual([unchanged, bytesRead, site.data.store.lsn], [objects, 0, lsn]);
}

test('the stored object has an annotation at once, signed, and the document is not read for it', async () => {
  await using site = await gathered();
  site.clock.advance(5000);
  const { outcome, annotation } = await site.gatherer.annotate(
    url,
    change([
      ['Title', 'Mine'],
      ['Author', 'One'],
      ['Author', 'Two'],
    ]),
  );
  assert.equal(outcome, 'stored');
  assert.deepEqual(
    annotation?.fields.map(([name]) => name),
    ['Title', 'Author-1', 'Author-2'],
  );
  assert.equal(await shown(site, 'Title'), 'Mine');
  assert.equal(await shown(site, 'Update-Time'), '1700000005');
  const { identity, store } = site.data;
  const oid = oidOf(identity.serverId, url);
  const { updatedAt, signature, digest } = (await store.get(oid)) as PublishedObject;
  assert.equal(updatedAt, 1_700_000_005);
  assert.deepEqual(Buffer.from(digest), Buffer.from(digestOf(await site.gatherer.show(url))));
  assert.ok(verifier(identity.publicKey)(provenanceBytes(oid, digest, updatedAt), signature));
  await unread(site);
  await site.reopen();
  await unread(site);

  await site.page('a.html', 'A2');
  assert.equal((await site.gatherer.run()).changed, 1);
  assert.deepEqual([await shown(site, 'Title'), await shown(site, 'Author-2')], ['Mine', 'Two']);
  await site.gatherer.annotate(url, change([['Keywords', 'k']], ['Title']));
  assert.deepEqual(
    [await shown(site, 'Title'), await shown(site, 'Keywords'), await shown(site, 'Author-1')],
    ['A2', 'k', 'One'],
  );
  assert.equal(await site.gatherer.removeAnnotation(url), 'stored');
  assert.deepEqual([await shown(site, 'Title'), await shown(site, 'Author-1')], ['A2', undefined]);
  await unread(site);
});

test('an annotation of a document not yet gathered waits, and ends with its document', async () => {
  await using site = await Site.make();
  assert.equal((await site.gatherer.annotate(url, change([['Title', 'Mine']]))).outcome, 'waiting');
  await site.page('a.html', 'A');
  await site.gatherer.run();
  assert.equal(await shown(site, 'Title'), 'Mine');
  await rm(join(site.root, 'a.html'));
  assert.equal((await site.gatherer.run()).deleted, 1);
  assert.equal(site.data.store.count, 0);
});

test('Time-to-Live and Refresh-Rate of an annotation count', async () => {
  await using site = await gathered();
  const lives = change([
    ['Time-to-Live', String(100 * day)],
    ['Refresh-Rate', String(day)],
  ]);
  await site.gatherer.annotate(url, lives);
  const expiresAt = async () => (await site.gatherer.why(url)).object?.expiresAt;
  assert.equal(await expiresAt(), 1_700_000_000 + 100 * day);
  site.clock.advance(day * 1000);
  const report = await site.gatherer.run();
  assert.deepEqual([report.refreshed, report.bytesRead], [1, 0]);
  assert.equal(await expiresAt(), 1_700_000_000 + 101 * day);
  await site.gatherer.removeAnnotation(url);
  assert.equal(await expiresAt(), 1_700_000_000 + 31 * day);
  site.clock.advance(day * 1000);
  assert.equal((await site.gatherer.run()).unchanged, 1);
});

test('documents published elsewhere and documents in an archive are annotated by the URL of their object', async () => {
  await using site = await Site.make();
  site.published = (own) => own.replace(baseUrl, 'http://mirror.example/');
  await site.reopen();
  await site.page('a.html', 'A');
  await site.page('b.html', 'B');
  execFileSync('tar', ['-C', site.root, '-cf', join(site.root, 'all.tar'), 'b.html']);
  await site.gatherer.run();
  const objects = ['http://mirror.example/a.html', 'http://mirror.example/all.tar#b.html'];
  for (const at of objects) {
    assert.equal((await site.gatherer.annotate(at, change([['Title', 'Mine']]))).outcome, 'stored');
    assert.equal(await shown(site, 'Title', at), 'Mine');
  }
  assert.equal((await site.gatherer.annotate(url, change([['Title', 'x']]))).outcome, 'waiting');
  await unread(site);
  await writeFile(join(site.root, 'c.html'), '<title>C</title>');
  execFileSync('tar', ['-C', site.root, '-cf', join(site.root, 'all.tar'), 'b.html', 'c.html']);
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['B', 'C', 'C', 'Mine', 'Mine']);
  for (const name of ['all.tar', 'b.html', 'c.html']) await rm(join(site.root, name));
  assert.equal((await site.gatherer.run()).deleted, 4);
  assert.deepEqual(await site.titles(), ['Mine']);
});

test('after a kill before the object was written, the Gatherer writes it when it is opened again', async () => {
  await using site = await gathered();
  // The row is written and the object is not.
  Object.assign(site.data.store, { apply: () => Promise.reject(new Error('killed')) });
  await assert.rejects(site.gatherer.annotate(url, change([['Title', 'Mine']])), /killed/);
  await site.reopen();
  assert.equal(await shown(site, 'Title'), 'Mine');
  await unread(site);
  Object.assign(site.data.store, { apply: () => Promise.reject(new Error('killed')) });
  await assert.rejects(site.gatherer.removeAnnotation(url), /killed/);
  await site.reopen();
  assert.equal(await shown(site, 'Title'), 'A');
  await unread(site);
});

function gate() {
  let open = () => {};
  const opened = new Promise<void>((resolve) => {
    open = resolve;
  });
  return { opened, open: () => open() };
}

test('annotating does not wait until a whole site has been walked', async () => {
  await using site = await gathered();
  const [walk, begun] = [gate(), gate()];
  const enumerate = site.enumerator.enumerate.bind(site.enumerator);
  site.enumerator.enumerate = async function* (...given): AsyncIterable<Enumerated> {
    yield* enumerate(...given);
    begun.open();
    await walk.opened;
  };
  await site.page('b.html', 'B');
  const run = site.gatherer.run();
  await begun.opened;
  const { outcome } = await site.gatherer.annotate(url, change([['Title', 'Mine']]));
  assert.equal(outcome, 'stored');
  walk.open();
  const { added, complete } = await run;
  assert.deepEqual([added, complete], [1, true]);
  assert.deepEqual(await site.titles(), ['B', 'Mine']);
  await unread(site);
});

test('a row distrusted between recall and step is read in the next run', async () => {
  await using site = await gathered();
  // Something was written: each row is compared with the store again.
  await site.gatherer.annotate(url, change([['Title', 'Mine']]));
  const { store } = site.gatherer.annotations;
  const merges = store.merges.bind(store);
  const enumerate = site.enumerator.enumerate.bind(site.enumerator);
  const outcomes: string[] = [];
  site.enumerator.enumerate = async function* (...given): AsyncIterable<Enumerated> {
    for await (const item of enumerate(...given)) {
      if (item.url !== url) continue;
      store.merges = async () => [{ gatheredDigest: '00', mergedDigest: '11', bases: [], hidden: [] }];
      outcomes.push((await site.gatherer.annotate(url, change([['Title', 'Yours']]))).outcome);
      store.merges = merges;
      yield item;
    }
  };
  await site.gatherer.run();
  assert.deepEqual(outcomes, ['next-run']);
  site.enumerator.enumerate = enumerate;
  const { bytesRead, changed } = await site.gatherer.run();
  assert.deepEqual([bytesRead > 0, changed], [true, 1]);
  assert.equal(await shown(site, 'Title'), 'Yours');
});

test('a stored object that is none of those it was merged from has its document read again', async () => {
  await using site = await gathered();
  await site.gatherer.annotate(url, change([['Title', 'Mine']]));
  // Records of merges that do not lead to the stored object, as after a restored backup.
  Object.assign(site.gatherer.annotations.store, {
    merges: async () => [{ gatheredDigest: '00', mergedDigest: '11', bases: [], hidden: [] }],
  });
  assert.equal((await site.gatherer.annotate(url, change([['Title', 'Yours']]))).outcome, 'next-run');
  await site.reopen();
  const { bytesRead, changed } = await site.gatherer.run();
  assert.deepEqual([bytesRead > 0, changed], [true, 1]);
  assert.equal(await shown(site, 'Title'), 'Yours');
});
