import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { seededRandom } from '../../kernel/index.ts';
import { bytesOn } from './compaction.ts';
import { openDatabase } from './database.ts';

const [rows, rowBytes, rounds] = [500, 2000, 40];

test('case a09: a database of 1 MB whose rows are replaced many times stays small', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-small-'));
  try {
    const database = await openDatabase(path);
    const key = (row: number) => Buffer.from(`row ${row}`);
    // Random, because LevelDB compresses.
    const random = seededRandom(1).bytes(rows * rowBytes);
    const value = (row: number, round: number) => {
      const at = (row * rowBytes + round * 7919) % (random.length - rowBytes);
      return Buffer.from(random.subarray(at, at + rowBytes));
    };
    for (let round = 0; round < rounds; round++)
      await database.batch(
        Array.from({ length: rows }, (_, row) => ({ type: 'put', key: key(row), value: value(row, round) })),
      );
    for (let row = 0; row < rows; row += 50)
      assert.deepEqual(Buffer.from((await database.get(key(row))) ?? []), value(row, rounds - 1));
    // Closing waits for a compaction that is running.
    await database[Symbol.asyncDispose]();
    const bytes = await bytesOn(path);
    assert.ok(bytes < 16 * rows * rowBytes, `${bytes} bytes`);
  } finally {
    await rm(path, { recursive: true });
  }
});
