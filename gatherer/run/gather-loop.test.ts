import assert from 'node:assert/strict';
import { mkdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { type Clock, failure } from '../../kernel/index.ts';
import { enumerationErrors } from '../enumerate/errors.ts';
import { documentDone, gathererFault, runFinished } from '../events.ts';
import { ClassicStream } from '../publish/classic-stream.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';
import { GatherLoop } from './gather-loop.ts';

/** A watched site whose first run is over. */
async function watched(site: Site) {
  const stream = await ClassicStream.open(site.data);
  const loop = await GatherLoop.start({
    gatherer: site.gatherer,
    stream,
    clock: site.clock,
    folders: [{ root: site.root, hidden: false, enumerator: site.enumerator }],
    intervalSeconds: 1e6,
    tombstoneSeconds: 1e6,
  });
  return {
    loop,
    [Symbol.asyncDispose]: async () => {
      await loop[Symbol.asyncDispose]();
      await stream[Symbol.asyncDispose]();
    },
  };
}

/** Collect published events until they are complete. */
function collect<Item>(
  channel: { subscribe(reader: (item: Item) => void): () => void },
  wanted: (items: readonly Item[]) => boolean,
) {
  const items: Item[] = [];
  let stop = () => {};
  const done = new Promise<void>((resolve) => {
    stop = channel.subscribe((item) => {
      items.push(item);
      if (wanted(items)) resolve();
    });
  });
  return { items, done, stop };
}

test('an added or deleted folder is walked by itself, not with the whole root', async () => {
  await using site = await Site.make();
  for (let n = 0; n < 60; n++) await site.page(`${n}.html`, `P${n}`);
  await mkdir(join(site.path, 'new/deep'), { recursive: true });
  for (const name of ['a.html', 'b.html', 'deep/c.html'])
    await writeFile(join(site.path, 'new', name), `<title>${name}</title>`);
  await writeFile(join(site.root, 'new.html'), '<title>beside</title>');
  await using served = await watched(site);
  const first = await served.loop.first;
  assert.equal(first.objects, 61);

  const came = collect(documentDone, (items) => items.length >= 3);
  await rename(join(site.path, 'new'), join(site.root, 'new'));
  await came.done;
  await site.gatherer.idle();
  came.stop();
  const seen = (items: typeof came.items) =>
    items.map(({ url, outcome }) => `${outcome} ${url.slice(baseUrl.length)}`).sort();
  assert.deepEqual(seen(came.items), ['added new/a.html', 'added new/b.html', 'added new/deep/c.html']);

  const went = collect(documentDone, (items) => items.length >= 3);
  await rename(join(site.root, 'new'), join(site.path, 'old'));
  await went.done;
  await site.gatherer.idle();
  went.stop();
  assert.deepEqual(seen(went.items), ['deleted new/a.html', 'deleted new/b.html', 'deleted new/deep/c.html']);
  assert.equal(site.data.store.count, 61, 'what is called alike stays');
  assert.equal(served.loop.lastRun, first, 'no run over the whole root');
});

test('a suddenly empty watched folder does not count as empty either', async () => {
  await using site = await Site.make();
  await mkdir(join(site.root, 'all'));
  for (let n = 0; n < 100; n++) await site.page(`all/${n}.html`, `P${n}`);
  await using served = await watched(site);
  await served.loop.first;
  const runs = collect(runFinished, (items) => items.length > 0);
  const faults = collect(gathererFault, (items) => items.length > 0);
  await rename(join(site.root, 'all'), join(site.path, 'away'));
  await Promise.all([runs.done, faults.done]);
  runs.stop();
  faults.stop();
  assert.deepEqual([site.data.store.count, runs.items[0]?.deleted, runs.items[0]?.complete], [100, 0, false]);
  assert.match(String(faults.items[0]?.error), /is empty while 100 summaries/);
  const back = collect(documentDone, (items) => items.length >= 100);
  await rename(join(site.path, 'away'), join(site.root, 'all'));
  await back.done;
  back.stop();
  assert.ok(back.items.every(({ outcome }) => outcome === 'unchanged' || outcome === 'failed'));
});

test('a limit on the number of files applies to the reports of a watch', async () => {
  await using site = await Site.make({ maxUrls: 2 });
  await site.page('b.html', 'B');
  await site.page('c.html', 'C');
  await using served = await watched(site);
  await served.loop.first;
  const runs = collect(runFinished, (items) => items.some(({ added }) => added > 0));
  await site.page('a.html', 'A');
  await runs.done;
  runs.stop();
  assert.deepEqual(await site.titles(), ['A', 'B']);
});

test('a first run without its provider ends the loop only when there are no summaries', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  const error = failure(enumerationErrors.GATHERER_ROOT_STATUS, { url: baseUrl, status: 404 });
  const { enumerate } = site.enumerator;
  const lose = () => {
    site.enumerator.enumerate = async function* () {
      yield* [];
      throw error;
    };
  };
  lose();
  {
    await using served = await watched(site);
    await assert.rejects(served.loop.first, (thrown) => thrown === error);
  }
  site.enumerator.enumerate = enumerate;
  await site.gatherer.run();
  lose();
  await using served = await watched(site);
  const report = await served.loop.first;
  assert.deepEqual([report.objects, report.failed, report.complete], [1, 1, false]);
  assert.match(report.failures[0]?.reason ?? '', /answers 404/);
});

test('what no watch tells of is gathered again after the interval, and not before', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  let [wake, slept] = [() => {}, () => {}];
  const asleep = new Promise<void>((resolve) => {
    slept = resolve;
  });
  const clock: Clock = {
    now: () => site.clock.now(),
    sleep: (ms, signal) =>
      ms === 180_000
        ? new Promise((resolve, reject) => {
            wake = resolve;
            slept();
            signal?.addEventListener('abort', () => reject(signal.reason), { once: true });
          })
        : site.clock.sleep(ms, signal),
  };
  await using stream = await ClassicStream.open(site.data);
  await using loop = await GatherLoop.start({
    ...{ gatherer: site.gatherer, stream, clock, folders: [] },
    ...{ intervalSeconds: 180, tombstoneSeconds: 1e6 },
  });
  await loop.first;
  await asleep;
  await site.page('b.html', 'B');
  assert.deepEqual(await site.titles(), ['A']);
  const again = collect(runFinished, (runs) => runs.length > 0);
  wake();
  await again.done;
  again.stop();
  assert.deepEqual(await site.titles(), ['A', 'B']);
});

/** No items, and no end before `released`. */
async function* heldBack(released: Promise<void>): AsyncGenerator<never> {
  await released;
  yield* [];
}

test('changes that wait for their turn are counted, and a file that changes again meanwhile is gathered once', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'first');
  await using served = await watched(site);
  await served.loop.first;
  let release = () => {};
  const released = new Promise<void>((resolve) => {
    release = resolve;
  });
  const held = site.gatherer.update(() => ({ items: heldBack(released), below: [] }));
  const documents: string[] = [];
  const stop = documentDone.subscribe(({ url }) => documents.push(url));
  const settled = async (wanted: () => boolean) => {
    while (!wanted()) await new Promise((resolve) => setImmediate(resolve));
  };
  // The file made after each change shows that the change was noticed.
  for (let round = 1; round <= 3; round++) {
    await site.page('a.html', `round ${round}`);
    await site.page(`after-${round}.html`, 'another');
    await settled(() => served.loop.waitingChanges === round + 1);
  }
  release();
  await held;
  await settled(() => served.loop.waitingChanges === 0);
  stop();
  assert.deepEqual(
    documents.sort(),
    ['a', 'after-1', 'after-2', 'after-3'].map((name) => `${baseUrl}${name}.html`),
  );
});
