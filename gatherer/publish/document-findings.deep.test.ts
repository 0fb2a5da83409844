import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Site } from '../testing/folder-site.ts';

test('every run reports documents left out, left packed or cut, read or not', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  await writeFile(join(site.root, 'noindex.html'), '<meta name="robots" content="noindex"><title>N</title>');
  await writeFile(join(site.root, 'broken.html'), Buffer.from([0, 1, 2, 3, 0, 0, 0, 255, 254, 0, 0]));
  await site.page('x.html', 'X');
  execFileSync('tar', ['-C', site.root, '-P', '-cf', join(site.root, 'all.tar'), 'x.html', '../site/a.html']);
  await rm(join(site.root, 'x.html'));
  const first = await site.gatherer.run();
  assert.deepEqual(first.skipped, { 'the page asks not to be indexed (robots noindex)': 1 });
  assert.equal(first.refused, 1);
  const said = ({ skipped, refused, refusals, reduced, reductions }: typeof first) => ({
    ...{ skipped, refused, refusals, reduced },
    reductions: [...reductions].sort((a, b) => (a.url < b.url ? -1 : 1)),
  });
  for (let run = 0; run < 3; run++) {
    if (run === 2) await site.reopen();
    const again = await site.gatherer.run();
    assert.deepEqual(said(again), said(first));
    assert.deepEqual([again.bytesRead, again.unchanged], [0, again.objects]);
  }
});
