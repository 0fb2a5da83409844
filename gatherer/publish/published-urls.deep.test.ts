import assert from 'node:assert/strict';
import { rename, rm } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { Site } from '../testing/folder-site.ts';
import { sameAddressRule } from './published-urls.ts';

const withoutExtension = (url: string) => url.replace(/\.html?$/, '');

test('a renamed file that keeps its published address keeps its summary', async () => {
  await using site = await Site.make();
  site.published = withoutExtension;
  await site.reopen();
  await site.page('guide.html', 'G');
  await site.page('z.html', 'Z');
  await site.gatherer.run();
  await rename(join(site.root, 'guide.html'), join(site.root, 'guide.htm'));
  for (let run = 0; run < 3; run++) {
    await site.gatherer.run();
    assert.deepEqual(await site.titles(), ['G', 'Z']);
  }
});

test('a document that takes the published URL that another document leaves', async () => {
  await using site = await Site.make();
  site.published = (url) => url.replace('z.html', 'current.html');
  await site.reopen();
  await site.page('a.html', 'A');
  await site.page('z.html', 'Z');
  await site.gatherer.run();
  site.published = (url) => url.replace('a.html', 'current.html');
  await site.reopen();
  await site.page('a.html', 'A2');
  await site.page('z.html', 'Z2');
  for (let run = 0; run < 3; run++) {
    await site.gatherer.run();
    assert.deepEqual(await site.titles(), ['A2', 'Z2']);
  }
});

test('of two documents with one published URL the first is published, the report says so, and the other follows it', async () => {
  await using site = await Site.make();
  site.published = withoutExtension;
  await site.reopen();
  await site.page('a.htm', 'first');
  await site.page('a.html', 'second');
  for (let run = 0; run < 3; run++) {
    const report = await site.gatherer.run();
    assert.deepEqual(report.skipped, { [sameAddressRule]: 1 });
    assert.deepEqual(await site.titles(), ['first']);
  }
  await rm(join(site.root, 'a.htm'));
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['second']);
  const quiet = await site.gatherer.run();
  assert.deepEqual([quiet.skipped, quiet.unchanged, quiet.bytesRead], [{}, 1, 0]);
});

test('after any changes under rewritten URLs, two runs publish one document for each', async () => {
  const names = ['a.htm', 'a.html', 'b.htm', 'b.html'];
  const step = fc.record({
    name: fc.constantFrom(...names),
    to: fc.constantFrom(...names),
    do: fc.constantFrom('write', 'remove', 'rename', 'run'),
  });
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 16 }), async (steps) => {
      await using site = await Site.make();
      site.published = withoutExtension;
      await site.reopen();
      const there = new Map<string, string>();
      let version = 0;
      for (const { name, to, do: what } of steps) {
        if (what === 'write') {
          there.set(name, `${name} ${++version}`);
          await site.page(name, there.get(name) as string);
        } else if (what === 'remove') {
          there.delete(name);
          await rm(join(site.root, name), { force: true });
        } else if (what === 'rename' && there.has(name) && to !== name) {
          there.set(to, there.get(name) as string);
          there.delete(name);
          await rename(join(site.root, name), join(site.root, to));
        } else if (what === 'run') await site.gatherer.run();
      }
      await site.gatherer.run();
      await site.gatherer.run();
      const titles = await site.titles();
      for (const letter of ['a', 'b']) {
        const asking = [...there].filter(([name]) => name[0] === letter).map(([, title]) => title);
        // Titles contain the first name of a file.
        const published = titles.filter((title) => asking.includes(title));
        if (there.size > 0)
          assert.equal(published.length, Math.min(1, asking.length), `${letter}: ${titles}`);
      }
      if (there.size > 0) assert.ok(titles.every((title) => [...there.values()].includes(title)));
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 15) },
  );
});
