import assert from 'node:assert/strict';
import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { Site } from '../testing/folder-site.ts';
import { defaultPlan } from './pipeline-plan.ts';

test('a file beside its source is left out, added when the source is deleted, and deleted when it returns', async () => {
  await using site = await Site.make();
  site.plan = { ...defaultPlan, siblings: [{ drop: 'PostScript', beside: ['Troff', 'Tex'] }] };
  await site.reopen({ siblings: true });
  await writeFile(join(site.root, 'paper.ps'), '%!PS\n%%Title: Paper\n(text) show\nshowpage\n');
  await writeFile(join(site.root, 'other.ps'), '%!PS\n%%Title: Other\n(text) show\nshowpage\n');
  await writeFile(
    join(site.root, 'paper.tex'),
    '\\documentclass{article}\\title{Source}\\begin{document}x\\end{document}',
  );
  const rule = 'PostScript beside its source (gatherer.siblings)';
  const first = await site.gatherer.run();
  assert.deepEqual([first.added, first.skipped], [2, { [rule]: 1 }]);
  const again = await site.gatherer.run();
  assert.deepEqual([again.unchanged, again.skipped, again.bytesRead], [2, { [rule]: 1 }, 0]);
  await rm(join(site.root, 'paper.tex'));
  const alone = await site.gatherer.run();
  assert.deepEqual([alone.added, alone.deleted, alone.skipped], [1, 1, {}]);
  await writeFile(join(site.root, 'paper.ms'), '.TL\nSource\n.PP\nText\n');
  const back = await site.gatherer.run();
  assert.deepEqual([back.added, back.deleted, back.skipped], [1, 1, { [rule]: 1 }]);
});
