import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { Epoch } from '../../awareness/index.ts';
import { ManualClock } from '../../kernel/index.ts';
import { type Database, openDatabase } from '../database/database.ts';
import { ClientTable } from './client-table.ts';

const epoch = Buffer.alloc(12, 7).toString('base64url') as Epoch;
const marker = (lsn: number) => ({ epoch, lsn });

async function withDatabase(work: (database: Database) => Promise<void>): Promise<void> {
  const path = await mkdtemp(join(tmpdir(), 'garner-clients-'));
  try {
    await using database = await openDatabase(join(path, 'db'));
    await work(database);
  } finally {
    await rm(path, { recursive: true, force: true });
  }
}

test('a client with frequent requests is written once a minute, and the rest when it closes', () =>
  withDatabase(async (database) => {
    const clock = new ManualClock(1_700_000_000_000);
    const onDisk = async () => (await ClientTable.open(database, clock)).list.map(({ marker }) => marker.lsn);
    const table = await ClientTable.open(database, clock);
    await table.note('topic', marker(1));
    clock.advance(30_000);
    await table.note('topic', marker(2));
    assert.deepEqual([table.list[0]?.marker.lsn, await onDisk()], [2, [1]]);
    clock.advance(30_000);
    await table.note('topic', marker(3));
    assert.deepEqual(await onDisk(), [3]);
    clock.advance(1_000);
    await table.note('topic', marker(4));
    await table.flush();
    assert.deepEqual(await onDisk(), [4]);
  }));

test('of more than a thousand clients the most recent ones are remembered', () =>
  withDatabase(async (database) => {
    const clock = new ManualClock(1_700_000_000_000);
    const table = await ClientTable.open(database, clock);
    for (let i = 0; i < 1100; i++) {
      await table.note(`client ${i}`, marker(i));
      clock.advance(1000);
    }
    const names = table.list.map(({ name }) => name);
    assert.deepEqual([names.length, names[0], names.at(-1)], [1000, 'client 100', 'client 1099']);
    assert.deepEqual(
      (await ClientTable.open(database, clock)).list.map(({ name }) => name),
      names,
    );
  }));
