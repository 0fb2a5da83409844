import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { pathToFileURL } from 'node:url';
import { readInputDocument } from './input-file.ts';

test('a whole file is read, and what is no regular file is refused without waiting for it', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'garner-input-'));
  const server = createServer();
  try {
    await writeFile(join(folder, 'page'), 'hello');
    const { bytes, lastModified = 0 } = await readInputDocument('page', folder, 5);
    assert.equal(Buffer.from(bytes).toString(), 'hello');
    assert.ok(lastModified > 0);
    execFileSync('mkfifo', [join(folder, 'pipe')]);
    await new Promise<void>((resolve) => server.listen(join(folder, 'socket'), resolve));
    for (const [name, problem] of [
      ['pipe', /not a regular file/],
      ['socket', /not a regular file/],
      ['/dev/null', /not a regular file/],
      ['.', /is a folder/],
      ['absent', /does not exist/],
    ] as const)
      await assert.rejects(readInputDocument(name, folder, 5), {
        code: 'CLI_INPUT_UNREADABLE',
        message: problem,
      });
    await writeFile(Buffer.concat([Buffer.from(`${folder}/`), Buffer.of(0xfc)]), 'Latin-1');
    const named = await readInputDocument(`${pathToFileURL(folder).href}/%FC`, '/', 9);
    assert.equal(Buffer.from(named.bytes).toString(), 'Latin-1');
    const large = await readInputDocument('page', folder, 4);
    assert.equal(Buffer.from(large.bytes).toString(), 'helo');
    assert.deepEqual(large.abridged, { head: 2, size: 5 });
  } finally {
    await new Promise((resolve) => server.close(resolve));
    await rm(folder, { recursive: true });
  }
});
