import assert from 'node:assert/strict';
import { appendFileSync, chmodSync, rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { brief, RunMemory, scratch } from '../../testing/run-memory.ts';
import { everyRoot } from '../roots/every-root.ts';
import { MboxEnumerator } from './mbox-enumerator.ts';

const message = (id: string) => `From a@b Tue Feb  1 10:00:00 2022\nMessage-ID: <${id}>\n\ntext\n\n`;

test('a file that cannot be read leaves its known messages and the other files', async () => {
  using home = scratch('mboxes');
  chmodSync(home.path, 0o777);
  for (const name of ['a', 'b', 'c']) writeFileSync(join(home.path, name), message('1') + message('2'));
  const runs = new RunMemory();
  const run = async () =>
    brief(await runs.run(new MboxEnumerator({ path: home.path, baseUrl: 'mbox://h/' })), 'mbox://h/');
  await run();
  for (const name of ['b', 'c']) appendFileSync(join(home.path, name), '\n');
  const { recall } = runs.memory;
  chmodSync(join(home.path, 'b'), 0o000);
  // After it was listed, and before it is opened, c is deleted.
  runs.memory.recall = (url) => {
    if (url === 'mbox://h/a/#mbox') rmSync(join(home.path, 'c'));
    return recall(url);
  };
  const items = await asStranger(run);
  assert.deepEqual(items, [
    ...['unchanged a/1', 'unchanged a/2'],
    ...['failed b/', 'failed b/1', 'failed b/2'],
  ]);
  assert.ok(runs.rows.has('mbox://h/b/1') && !runs.rows.has('mbox://h/c/1'));
});

test('a root file that is deleted before it is opened does not affect the other roots', async () => {
  using home = scratch('mboxes');
  const paths = ['a', 'b', 'c'].map((name) => join(home.path, name));
  for (const path of paths) writeFileSync(path, message('1'));
  const memory = {
    recall: async (url: string) => {
      if (url === 'mbox://h/a/#mbox') rmSync(join(home.path, 'b'));
      return undefined;
    },
  };
  const roots = paths.map((path) => new MboxEnumerator({ path, baseUrl: 'mbox://h/' }));
  const kinds: string[] = [];
  for await (const item of everyRoot(roots, memory)) if (item.kind !== 'sitemap') kinds.push(item.kind);
  assert.deepEqual(kinds, ['document', 'document', 'failed']);
});

/** A superuser reads everything, so a run of his is another user's. */
async function asStranger<T>(run: () => Promise<T>): Promise<T> {
  const isRoot = process.getuid?.() === 0;
  if (isRoot) process.seteuid?.(65_534);
  try {
    return await run();
  } finally {
    if (isRoot) process.seteuid?.(0);
  }
}
