import assert from 'node:assert/strict';
import { appendFileSync, mkdirSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brief, RunMemory, scratch } from '../../testing/run-memory.ts';
import { everyRoot } from '../roots/every-root.ts';
import { MboxEnumerator } from './mbox-enumerator.ts';

const message = (id: string) => `From a@b Tue Feb  1 10:00:00 2022\nMessage-ID: <${id}>\n\ntext\n\n`;

test('a file that cannot be read leaves its known messages and the other files', async () => {
  using home = scratch('mboxes');
  for (const name of ['a', 'b', 'c']) writeFileSync(join(home.path, name), message('1') + message('2'));
  const runs = new RunMemory();
  const run = async () =>
    brief(await runs.run(new MboxEnumerator({ path: home.path, baseUrl: 'mbox://h/' })), 'mbox://h/');
  await run();
  for (const name of ['b', 'c']) appendFileSync(join(home.path, name), '\n');
  const { recall } = runs.memory;
  // Before it is read, b becomes unreadable, and c is deleted.
  runs.memory.recall = (url) => {
    if (url === 'mbox://h/b/#mbox') {
      rmSync(join(home.path, 'b'));
      mkdirSync(join(home.path, 'b'));
    }
    if (url === 'mbox://h/c/#mbox') rmSync(join(home.path, 'c'));
    return recall(url);
  };
  assert.deepEqual(await run(), [
    ...['unchanged a/1', 'unchanged a/2'],
    ...['failed b/', 'failed b/1', 'failed b/2'],
  ]);
  assert.ok(runs.rows.has('mbox://h/b/1') && !runs.rows.has('mbox://h/c/1'));
});

test('a root file that is deleted while it is read does not affect the other roots', async () => {
  using home = scratch('mboxes');
  const gone = join(home.path, 'a');
  const there = join(home.path, 'b');
  for (const path of [gone, there]) writeFileSync(path, message('1'));
  const memory = {
    recall: async (url: string) => {
      if (url === 'mbox://h/a/#mbox') rmSync(gone);
      return undefined;
    },
  };
  const roots = [gone, there].map((path) => new MboxEnumerator({ path, baseUrl: 'mbox://h/' }));
  const kinds: string[] = [];
  for await (const item of everyRoot(roots, memory)) if (item.kind !== 'sitemap') kinds.push(item.kind);
  assert.deepEqual(kinds, ['document', 'failed']);
});
