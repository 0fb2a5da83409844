import assert from 'node:assert/strict';
import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { openDatabase } from './database.ts';
import { storeFault } from './database-faults.ts';

const keyOf = (number: number) => Buffer.from(String(number).padStart(6, '0'));
const everything = { gte: keyOf(0), lt: Buffer.from('a') };

test('any read of a damaged file reports it, with a hint', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-fault-'));
  try {
    {
      await using database = await openDatabase(path);
      for (let from = 0; from < 4000; from += 1000)
        await database.batch(
          Array.from({ length: 1000 }, (_, at) => ({
            ...{ type: 'put', key: keyOf(from + at) },
            value: Buffer.from(`${Math.sin(from + at)}`.repeat(8)),
          })),
        );
      await database.compact(everything);
    }
    await using database = await openDatabase(path);
    const tables = (await readdir(path)).filter((name) => name.endsWith('.ldb'));
    assert.ok(tables.length > 0);
    for (const name of tables) {
      const bytes = await readFile(join(path, name));
      // The index at the end stays whole, so that the file is opened.
      bytes.fill(0x55, 100, bytes.length >> 1);
      await writeFile(join(path, name), bytes);
    }
    const all = async (items: AsyncIterable<unknown>) => {
      for await (const _ of items);
    };
    await using snapshot = database.snapshot();
    const readings: Readonly<Record<string, () => Promise<unknown>>> = {
      get: () => database.get(keyOf(5)),
      getMany: () => database.getMany([keyOf(5), keyOf(6)]),
      entries: () => all(database.entries(everything)),
      keys: () => all(database.keys(everything)),
      entryBatches: () => all(database.entryBatches(everything)),
      entriesIn: () => database.entriesIn([{ gte: keyOf(5), lt: keyOf(9) }]),
      snapshot: () => snapshot.get(keyOf(5)),
    };
    for (const [name, read] of Object.entries(readings))
      await assert.rejects(read(), (error) => isGarnerError(error, storeErrors.STORE_DAMAGED), name);
  } finally {
    await rm(path, { recursive: true });
  }
});

test('a full disk and a refusal differ from damage; other errors stay as they are', () => {
  const level = (code: string, message: string) =>
    new Error('Database failed', { cause: Object.assign(new Error(message), { code }) });
  const codeOf = (error: Error) => (storeFault(error, 'p') as { code?: string }).code;
  assert.equal(codeOf(level('LEVEL_IO_ERROR', 'IO error: p/3.log: No space left on device')), 'STORE_FULL');
  assert.equal(codeOf(level('LEVEL_IO_ERROR', 'IO error: p/3.ldb: Too many open files')), 'STORE_REFUSED');
  assert.equal(
    codeOf(level('LEVEL_IO_ERROR', 'IO error: p/3.ldb: No such file or directory')),
    'STORE_DAMAGED',
  );
  const other = level('LEVEL_DATABASE_NOT_OPEN', 'not open');
  assert.equal(storeFault(other, 'p'), other);
});
