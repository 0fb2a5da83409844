import assert from 'node:assert/strict';
import { mkdtemp, open, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { systemClock } from '../../../kernel/index.ts';
import { openDatabase } from '../database.ts';
import { damagedTables, damageIn } from './database-files.ts';
import { liveTables } from './manifest-file.ts';

const key = (n: number) => Buffer.from(String(n).padStart(4, '0'));

test('only tables that the manifest names can be damaged: an unfinished one is no damage', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-manifest-'));
  try {
    const whole = { gte: key(0), lt: Buffer.alloc(8, 255) };
    for (let round = 0; round < 3; round++) {
      await using database = await openDatabase(path);
      for (let n = 0; n < 50; n++)
        await database.batch([{ type: 'put', key: key(n * 3 + round), value: Buffer.alloc(500, n) }]);
      if (round === 1) await database.compact(whole);
    }
    const tables = async () => (await readdir(path)).filter((name) => name.endsWith('.ldb')).sort();
    const numbers = async () => (await tables()).map((name) => Number.parseInt(name, 10));
    const manifest = (await readFile(join(path, 'CURRENT'), 'latin1')).trimEnd();
    const file = await open(join(path, manifest));
    const live = await liveTables(file);
    await file.close();
    assert.deepEqual([...(live ?? [])].sort(), await numbers());

    // What a compaction leaves that ended with the process.
    const [first = ''] = await tables();
    const bytes = await readFile(join(path, first));
    await writeFile(join(path, '009999.ldb'), bytes.subarray(0, bytes.length >> 1));
    const found = async () => {
      const names: string[] = [];
      for await (const name of damagedTables(path, { clock: systemClock })) names.push(name);
      return names;
    };
    assert.deepEqual([await damageIn(path), await found()], [undefined, []]);

    bytes[20] = (bytes[20] as number) ^ 1;
    await writeFile(join(path, first), bytes);
    assert.deepEqual([await damageIn(path), await found()], [`${first} has a damaged block`, [first]]);
  } finally {
    await rm(path, { recursive: true });
  }
});
