import assert from 'node:assert/strict';
import { cpSync } from 'node:fs';
import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { ManualClock, systemRandom } from '../../kernel/index.ts';
import { openDataFolder, storeWritten } from '../../store/index.ts';
import { FolderEnumerator } from '../enumerate/folder/folder-enumerator.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import { Gatherer } from './gatherer.ts';

/** Run a Gatherer over `root` once; `written` is called after each batch of its object store. */
async function gatherOnce(root: string, data: string, written: () => void = () => {}): Promise<number> {
  const clock = new ManualClock();
  await using folder = await openDataFolder(data, {
    role: 'gatherer',
    create: true,
    clock,
    random: systemRandom,
  });
  const baseUrl = 'http://www.example.org/';
  const gatherer = await Gatherer.open({
    folder,
    enumerators: () => [new FolderEnumerator({ root, baseUrl, hidden: false, maxBytesPerDocument: 1e6 })],
    clock,
    name: 'site',
    host: 'www.example.org',
    version: '1',
    plan: defaultPlan,
    processor: new InlineProcessor(defaultPlan),
    ttlSeconds: 1000,
    refreshSeconds: 100,
  });
  const stop = storeWritten.subscribe(written);
  try {
    return (await gatherer.run()).objects;
  } finally {
    stop();
  }
}

test('a page gathered right before a kill and deleted right after it leaves nothing', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-interrupted-'));
  try {
    const [root, data, left] = ['site', 'data', 'left'].map((name) => join(folder, name)) as [
      string,
      string,
      string,
    ];
    await mkdir(root);
    for (const name of ['a', 'b', 'c']) await writeFile(join(root, `${name}.html`), `<title>${name}</title>`);
    let batches = 0;
    await gatherOnce(root, data, () => {
      // The state after a kill between writing the summaries and everything else.
      if (batches++ === 0) cpSync(data, left, { recursive: true });
    });
    await rm(join(root, 'b.html'));
    assert.equal(await gatherOnce(root, left), 2);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
