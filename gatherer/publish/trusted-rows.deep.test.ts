import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import fc from 'fast-check';
import { oidOf } from '../../soif/index.ts';
import { baseUrl, day, Site } from '../testing/folder-site.ts';

/** Counts a run's reads of stored objects. */
async function looks(t: TestContext, site: Site): Promise<number> {
  const describe = t.mock.method(site.data.store, 'describe');
  try {
    await site.gatherer.run();
    return describe.mock.callCount();
  } finally {
    describe.mock.restore();
  }
}

const oid = (site: Site, path: string) => oidOf(site.data.identity.serverId, baseUrl + path);

test('an unchanged site is gathered from the rows alone, also after a restart', async (t) => {
  await using site = await Site.make();
  for (const name of ['a.html', 'b.html', 'c.bin']) await site.page(name, name);
  await site.gatherer.run();
  assert.equal(await looks(t, site), 0);
  await site.reopen();
  assert.equal(await looks(t, site), 0);
});

test('a document whose object was deleted from the store is read again', async (t) => {
  await using site = await Site.make();
  for (const name of ['a.html', 'b.html']) await site.page(name, name);
  await site.gatherer.run();
  await site.data.store.apply([{ kind: 'delete', oid: oid(site, 'a.html') }]);
  const report = await site.gatherer.run();
  assert.deepEqual([report.added, report.unchanged, report.objects], [1, 1, 2]);
  assert.equal(await looks(t, site), 0, 'and then all is known again');
});

test('the archive of a part that was deleted from the store is read again', async () => {
  await using site = await Site.make();
  await writeFile(join(site.root, 'x.html'), '<title>X</title>');
  await writeFile(join(site.root, 'y.html'), '<title>Y</title>');
  execFileSync('tar', ['-C', site.root, '-cf', join(site.root, 'all.tar'), 'x.html', 'y.html']);
  await rm(join(site.root, 'x.html'));
  await rm(join(site.root, 'y.html'));
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['X', 'Y']);
  await site.data.store.apply([{ kind: 'delete', oid: oid(site, 'all.tar#x.html') }]);
  await site.gatherer.run();
  assert.deepEqual(await site.titles(), ['X', 'Y']);
});

test('summaries are refreshed when they are due, not before, and only then read', async (t) => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await site.gatherer.run();
  site.clock.advance(day * 1000);
  assert.equal(await looks(t, site), 0);
  site.clock.advance(6 * day * 1000);
  const due = await site.gatherer.run();
  assert.equal(due.refreshed, 1);
  assert.equal(await looks(t, site), 0);
  const before = await site.gatherer.run();
  assert.deepEqual([before.refreshed, before.unchanged], [0, 1]);
});

test('after any changes, expiries, deletions and restarts, a run leaves the content of the folder', async () => {
  const names = ['a.html', 'b.html', 'sub/c.html'];
  const step = fc.oneof(
    fc.record({ do: fc.constant('write' as const), name: fc.constantFrom(...names), text: fc.nat(3) }),
    fc.record({ do: fc.constant('remove' as const), name: fc.constantFrom(...names) }),
    fc.record({ do: fc.constant('lose' as const), name: fc.constantFrom(...names) }),
    fc.record({ do: fc.constant('wait' as const), days: fc.nat(40) }),
    fc.record({ do: fc.constant('reopen' as const) }),
    fc.record({ do: fc.constant('run' as const) }),
  );
  await fc.assert(
    fc.asyncProperty(fc.array(step, { maxLength: 20 }), async (steps) => {
      await using site = await Site.make();
      const there = new Map<string, string>();
      const check = async () => {
        await site.gatherer.run();
        assert.deepEqual(await site.titles(), [...there.values()].sort());
      };
      await site.page('always.html', 'always');
      there.set('always.html', 'always');
      for (const one of steps) {
        if (one.do === 'write') {
          const title = `${one.name} ${one.text}`;
          await site.page(one.name, title);
          there.set(one.name, title);
        } else if (one.do === 'remove') {
          await rm(join(site.root, one.name), { force: true });
          there.delete(one.name);
        } else if (one.do === 'lose')
          await site.data.store.apply([{ kind: 'delete', oid: oid(site, one.name) }]);
        else if (one.do === 'wait') site.clock.advance(one.days * day * 1000);
        else if (one.do === 'reopen') await site.reopen();
        else await check();
      }
      await check();
    }),
    { numRuns: Number(process.env.GARNER_TEST_RUNS ?? 12) },
  );
});
