import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, stat } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { replaceFile, syncFolder } from './replace-file.ts';

test('a file is replaced whole, for this user alone, and nothing is left beside it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-replace-'));
  try {
    const path = join(folder, 'secret.json');
    for (const text of ['a long first text', 'short']) {
      await replaceFile(path, text);
      assert.equal(await readFile(path, 'utf8'), text);
    }
    assert.equal((await stat(path)).mode & 0o777, 0o600);
    assert.deepEqual(await readdir(folder), ['secret.json']);
    await assert.rejects(replaceFile(join(folder, 'missing', 'x'), ''), { code: 'ENOENT' });
    await assert.rejects(syncFolder(join(folder, 'missing')), { code: 'ENOENT' });
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
});
