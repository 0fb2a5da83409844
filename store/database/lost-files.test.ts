import assert from 'node:assert/strict';
import { mkdir, mkdtemp, readdir, rename, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { isGarnerError } from '../../kernel/index.ts';
import { storeErrors } from '../errors.ts';
import { openDatabase } from './database.ts';
import { openRenewable } from './renewable-database.ts';
import { salvage } from './salvage.ts';

const key = (n: number) => Buffer.from([n]);

/** A database with one value in a table and another in the log, closed, without its file CURRENT. */
async function withoutCurrent() {
  const path = await mkdtemp(join(tmpdir(), 'garner-lost-'));
  {
    await using database = await openDatabase(path);
    await database.batch([{ type: 'put', key: key(1), value: key(1) }]);
    await database.compact({ gte: key(0), lt: key(255) });
    await database.batch([{ type: 'put', key: key(2), value: key(2) }]);
  }
  await rm(join(path, 'CURRENT'));
  return { path, [Symbol.asyncDispose]: () => rm(path, { recursive: true }) };
}

test('a database without CURRENT is not opened as an empty one, and its files stay', async () => {
  await using lost = await withoutCurrent();
  const before = await readdir(lost.path);
  await assert.rejects(openDatabase(lost.path), (error) => isGarnerError(error, storeErrors.STORE_DAMAGED));
  assert.deepEqual(await readdir(lost.path), before);
});

test('an index without CURRENT is started empty, without the rows of its log', async () => {
  await using lost = await withoutCurrent();
  await using database = await openRenewable(lost.path, {});
  assert.match(database.renewedAtOpen ?? '', /CURRENT is missing/);
  assert.equal(await database.get(key(2)), undefined);
});

test('a database whose creation was cut off before CURRENT existed is created', async () => {
  await using lost = await withoutCurrent();
  for (const name of await readdir(lost.path))
    if (!name.startsWith('MANIFEST')) await rm(join(lost.path, name));
  await using database = await openDatabase(lost.path);
  assert.equal(await database.get(key(1)), undefined);
});

test('a database that a cut salvage left beside its place alone is opened, not made as an empty one', async () => {
  const path = await mkdtemp(join(tmpdir(), 'garner-lost-'));
  {
    await using database = await openDatabase(path);
    await database.batch([{ type: 'put', key: key(1), value: key(1) }]);
  }
  await rename(path, `${path}.damaged`);
  {
    await using database = await openDatabase(path);
    assert.deepEqual(await database.get(key(1)), key(1));
  }
  await rm(path, { recursive: true });
});

test('a database whose lock cannot be shared is not replaced', async () => {
  await using lost = await withoutCurrent();
  await rm(join(lost.path, 'LOCK'));
  // No file system links a folder, as some link no file.
  await mkdir(join(lost.path, 'LOCK'));
  const before = await readdir(lost.path);
  await assert.rejects(salvage(lost.path), { code: 'EPERM' });
  assert.deepEqual(await readdir(lost.path), before);
});
