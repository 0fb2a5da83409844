import assert from 'node:assert/strict';
import { readdir, readFile, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import { fieldOf, openBench, textOf } from '../testing/object-cache.ts';
import { inFolder } from '../testing/storage.ts';
import { StoredContent } from './stored-content.ts';

test('what is damaged on disk is fetched again for every client', () =>
  inFolder(async (folder) => {
    await using bench = await openBench(
      (_, response) => {
        response.writeHead(200, { 'Cache-Control': 'max-age=60', ETag: '"1"' }).end('a'.repeat(5000));
      },
      // Nothing is in memory.
      { folder, memoryBytes: 0 },
    );
    assert.equal((await textOf(await bench.ask('/a'))).length, 5000);
    assert.match(fieldOf(await bench.ask('/a'), 'cache-status') ?? '', /; hit/);
    await bench.opened.store.flush();
    for (const name of await readdir(join(folder, 'segments'))) {
      const path = join(folder, 'segments', name);
      const bytes = await readFile(path);
      bytes.writeUInt8(bytes.readUInt8(bytes.length - 100) ^ 1, bytes.length - 100);
      await writeFile(path, bytes, { flag: 'r+' });
    }
    const again = await bench.ask('/a');
    assert.equal(await textOf(again), 'a'.repeat(5000));
    assert.match(fieldOf(again, 'cache-status') ?? '', /fwd=uri-miss/);
    assert.equal(bench.asked.length, 2);
    assert.equal(bench.opened.store.statistics().damaged, 1);
    assert.match(fieldOf(await bench.ask('/a'), 'cache-status') ?? '', /; hit/);
  }));

test('a content that was begun is given whole, and once', async () => {
  async function* pieces() {
    for (const text of ['one', 'two']) yield Buffer.from(text);
  }
  for (const begun of [true, false]) {
    const content = new StoredContent(pieces());
    if (begun) await content.begin();
    const texts: string[] = [];
    for await (const piece of content) texts.push(Buffer.from(piece).toString());
    assert.deepEqual(texts, ['one', 'two']);
  }
});
