import assert from 'node:assert/strict';
import { mkdir, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { jsonOf, temporaryFolder } from './commands/command.ts';

test('hidden files are gathered only with --hidden, and removed when it is turned off', {
  timeout: 60_000,
}, async () => {
  await using home = await temporaryFolder();
  await mkdir(join(home.path, 'site'));
  for (const name of ['a.txt', '.notes.txt'])
    await writeFile(join(home.path, 'site', name), `Text of ${name}.\n`);
  const run = (...options: string[]) =>
    jsonOf<{ objects: number; added: number; deleted: number }>(
      ['gatherer', 'run', '--root', 'site', '--data', 'data', ...options],
      { cwd: home.path },
    );
  for (const [option, objects, added, deleted] of [
    ['--no-hidden', 1, 1, 0],
    ['--hidden', 2, 1, 0],
    ['--no-hidden', 1, 0, 1],
  ] as const) {
    const report = await run(option);
    assert.deepEqual([report.objects, report.added, report.deleted], [objects, added, deleted], option);
  }
});
