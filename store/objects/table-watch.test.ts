import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom, systemClock } from '../../kernel/index.ts';
import { openDatabase } from '../database/index.ts';
import { tablesDamaged } from '../events.ts';
import { TableWatch } from './table-watch.ts';

const key = (n: number) => Buffer.from(String(n).padStart(6, '0'));

test('tables that opening does not read are read in the background, and damage is reported by name', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-watch-'));
  const reported: string[] = [];
  const stop = tablesDamaged.subscribe(({ files }) => reported.push(...files));
  try {
    const random = seededRandom(7);
    {
      await using database = await openDatabase(join(path, 'store'));
      for (let n = 0; n < 12; n++)
        await database.batch([{ type: 'put', key: key(n), value: random.bytes(600_000) }]);
      await database.compact({ gte: key(0), lt: Buffer.alloc(8, 255) });
    }
    const tables = (await readdir(join(path, 'store'))).filter((name) => name.endsWith('.ldb'));
    const last = tables.sort().at(-1) as string;
    const bytes = await readFile(join(path, 'store', last));
    // Near the end of the last table, which is beyond what opening reads.
    const at = Math.floor(bytes.length * 0.8);
    bytes[at] = (bytes[at] as number) ^ 16;
    await writeFile(join(path, 'store', last), bytes);
    await using _database = await openDatabase(join(path, 'store'));
    await using watch = new TableWatch(path, ['index', 'store'], systemClock);
    assert.deepEqual(watch.state, { isChecked: false, damaged: [] });
    await watch.read;
    assert.deepEqual(watch.state, { isChecked: true, damaged: [join('store', last)] });
    assert.deepEqual(reported, [join('store', last)]);
  } finally {
    stop();
    await rm(path, { recursive: true });
  }
});
