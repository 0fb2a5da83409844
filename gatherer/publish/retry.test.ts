import assert from 'node:assert/strict';
import { chmod, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemRandom } from '../../kernel/index.ts';
import { attributeText } from '../../soif/index.ts';
import { openDataFolder } from '../../store/index.ts';
import { InlineProcessor } from '../pipeline/inline-processor.ts';
import { defaultPlan } from '../pipeline/pipeline-plan.ts';
import type { DocumentProcessor } from '../pipeline/product.ts';
import { Gatherer } from '../run/gatherer.ts';
import { baseUrl, Site } from '../testing/folder-site.ts';
import { nextRetry, type Retry } from './fetch-row.ts';

const hour = 3600_000;

test('an hour, then twice as long, never more than a day', () => {
  const waited: number[] = [];
  let retry: Retry | undefined;
  for (let times = 0; times < 7; times++) {
    retry = nextRetry(retry, 1000);
    assert.equal(retry.at, 1000 + retry.after);
    waited.push(retry.after / 3600);
  }
  assert.deepEqual(waited, [1, 2, 4, 8, 16, 24, 24]);
});

/** A Gatherer over a site whose HTML pages a program of the site summarises, within these bounds. */
async function openGatherer(site: Site, bounds?: DocumentProcessor['bounds']): Promise<Gatherer> {
  // Its databases are opened again.
  await site.data[Symbol.asyncDispose]();
  site.data = await openDataFolder(join(site.path, 'data'), {
    role: 'gatherer',
    create: false,
    clock: site.clock,
    random: systemRandom,
  });
  const programs = [{ type: 'HTML', command: [join(site.path, 'program')] }];
  const plan = { ...defaultPlan, customise: { ...defaultPlan.customise, programs } };
  return Gatherer.open({
    ...site.gatherer.options,
    folder: site.data,
    plan,
    processor: Object.assign(new InlineProcessor(plan), bounds === undefined ? {} : { bounds }),
  });
}

test('a document whose program was missing is read again at intervals until it exists', async () => {
  await using site = await Site.make();
  await site.page('a.html', 'A');
  const gatherer = await openGatherer(site);
  const read = async () => (await gatherer.run()).bytesRead > 0;
  const shown = async (name: string) => attributeText(await gatherer.show(`${baseUrl}a.html`), name);
  assert.equal(await read(), true);
  assert.match((await shown('Summary-Note')) ?? '', /cannot be started/);
  assert.equal(await read(), false);
  site.clock.advance(hour);
  // The next wait is two hours, however often it runs meanwhile.
  assert.deepEqual([await read(), await read()], [true, false]);
  site.clock.advance(hour);
  assert.equal(await read(), false);
  const program = join(site.path, 'program');
  await writeFile(program, '#!/bin/sh\ncat >/dev/null\necho \'{"Keywords":"found"}\'\n');
  await chmod(program, 0o755);
  site.clock.advance(hour);
  assert.equal(await read(), true);
  assert.deepEqual([await shown('Keywords'), await shown('Summary-Note')], ['found', undefined]);
  site.clock.advance(48 * hour);
  assert.equal(await read(), false);
});

test('after a change of the limits of time and memory, only documents that failed are read again', async () => {
  await using site = await Site.make();
  await site.page('a.txt', 'A');
  await site.page('b.html', 'B');
  const runs: number[] = [];
  for (const seconds of [1, 1, 60, 60]) {
    const gatherer = await openGatherer(site, { seconds, heapMiB: 256 });
    runs.push((await gatherer.run()).bytesRead);
  }
  const [both = 0, none, failed = 0, again] = runs;
  assert.deepEqual([none, again], [0, 0]);
  assert.equal(failed > 0 && failed < both, true);
});
