import assert from 'node:assert/strict';
import { cp, readdir, readFile, rm, stat, truncate, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../kernel/index.ts';
import { bytesOf, inFolder, open, put } from '../../testing/storage.ts';
import { Journal } from './journal.ts';
import {
  decodeHeader,
  decodeRow,
  encodeHeader,
  encodeRow,
  headerBytes,
  recordBytes,
} from './journal-record.ts';
import { rowWords, SlotTable, word } from './slot-table.ts';

const words = fc.array(fc.nat(0xffff_ffff), { minLength: rowWords, maxLength: rowWords });

test('a row comes back from its record, and no record with a flipped bit is taken for one', () => {
  fc.assert(
    fc.property(words, fc.nat(0xffff_ffff), fc.nat(recordBytes * 8 - 1), (numbers, slot, bit) => {
      const record = Buffer.alloc(recordBytes + 8);
      encodeRow(record, 8, slot, Uint32Array.from(numbers));
      const row = new Uint32Array(rowWords);
      assert.equal(decodeRow(record, 8, row), slot);
      assert.deepEqual([...row], numbers);
      const at = 8 + (bit >> 3);
      record[at] = (record[at] as number) ^ (1 << (bit & 7));
      assert.equal(decodeRow(record, 8, row), -1);
    }),
  );
});

test('the head of a journal is read as long as one of its copies is whole', () => {
  const header = { seeds: [7, 0xffff_fff0], synced: 2 ** 40 + 3 } as const;
  const head = encodeHeader(header, header.synced);
  for (let at = 0; at < headerBytes; at++) {
    const damaged = Buffer.from(head);
    damaged[at] = (damaged[at] as number) ^ 4;
    assert.deepEqual(decodeHeader(damaged), header);
  }
  const both = Buffer.from(head);
  both[3] = 0;
  both[recordBytes + 3] = 0;
  assert.equal(decodeHeader(both), undefined);
  assert.equal(decodeHeader(head.subarray(0, 10)), undefined);
});

const contents = (table: SlotTable) => {
  const rows = new Map<number, string>();
  for (let slot = 0; slot < table.end; slot++) if (table.isUsed(slot)) rows.set(slot, table.row(slot).join());
  return rows;
};

test('a journal that is compacted while entries come and go equals the index, and stays small', () =>
  inFolder(async (folder) => {
    const random = seededRandom(5);
    const table = new SlotTable();
    const { journal } = await Journal.open(folder, table, [1, 2]);
    const slots: number[] = [];
    let max = 0;
    let journals = 0;
    for (let serial = 1; serial <= 20_000; serial++) {
      if (slots.length > 500 || (slots.length > 0 && random.next() < 0.4)) {
        const [slot] = slots.splice(Math.floor(random.next() * slots.length), 1) as [number];
        table.release(slot);
        journal.append(slot);
      } else {
        const row = new Uint32Array(rowWords);
        row[word.metaFile] = 1;
        row[word.hashLow] = Math.floor(random.next() * 2 ** 32);
        row[word.serialLow] = serial;
        const slot = table.add(row);
        journal.append(slot);
        slots.push(slot);
      }
      if (serial % 50 === 0) await new Promise((resolve) => setImmediate(resolve));
      if (serial % 500 === 0) await journal.flush();
      if (serial % 1000 !== 0) continue;
      for (const name of await readdir(folder)) {
        const found = await stat(join(folder, name)).catch(() => undefined);
        max = Math.max(max, found?.size ?? 0);
        journals = Math.max(journals, Number(name.split(/[-.]/)[1]));
      }
    }
    await journal.flush();
    await journal.close();
    assert.ok(max < 400_000, `${max}`);
    assert.ok(journals > 3, `${journals}`);
    const again = new SlotTable();
    const opened = await Journal.open(folder, again, [3, 4]);
    await opened.journal.close();
    assert.equal(opened.damaged, 0);
    assert.deepEqual(opened.journal.header.seeds, [1, 2]);
    assert.deepEqual(contents(again), contents(table));
    assert.equal(again.size, slots.length);
  }));

/** A row of the table, other than those with another serial. */
function rowOf(serial: number): Uint32Array {
  const row = new Uint32Array(rowWords);
  row[word.metaFile] = 1;
  row[word.hashLow] = serial;
  row[word.serialLow] = serial;
  return row;
}

test('a compacted journal that was cut, and an earlier journal, leave entries only for validation', () =>
  inFolder(async (folder) => {
    const table = new SlotTable();
    const { journal } = await Journal.open(folder, table, [1, 2]);
    for (let serial = 1; serial <= 5; serial++) journal.append(table.add(rowOf(serial)));
    await journal.flush();
    await cp(join(folder, 'journal-1'), join(folder, 'earlier'));
    await journal.compact();
    journal.append(table.add(rowOf(6)));
    await journal.flush();
    await journal.close();
    const opened = async () => {
      const again = new SlotTable();
      const { journal, damaged } = await Journal.open(folder, again, [3, 4]);
      await journal.flush();
      await journal.close();
      const slots = [...contents(again).keys()];
      return { damaged, fresh: slots.filter((slot) => !again.isInvalidated(slot)).length, all: slots.length };
    };
    assert.deepEqual(await opened(), { damaged: 0, fresh: 6, all: 6 });
    await truncate(join(folder, 'journal-2'), headerBytes + 5 * recordBytes);
    assert.deepEqual(await opened(), { damaged: 1, fresh: 0, all: 5 });
    assert.deepEqual(await opened(), { damaged: 0, fresh: 0, all: 5 });
    await cp(join(folder, 'earlier'), join(folder, 'journal-1'));
    assert.deepEqual(await opened(), { damaged: 0, fresh: 0, all: 5 });
    // The earlier journal is read only where the later one cannot be.
    await cp(join(folder, 'earlier'), join(folder, 'journal-1'));
    await writeFile(join(folder, 'journal-2'), 'no journal');
    assert.deepEqual(await opened(), { damaged: 1, fresh: 0, all: 5 });
    assert.deepEqual(await opened(), { damaged: 0, fresh: 0, all: 5 });
  }));

const key = (at: number) => `http://a.example/${at}`;

/** The stored responses that are used without validation. */
async function freshIn(folder: string, more = 0): Promise<string[]> {
  await using store = await open({ folder, memoryBytes: 0 });
  const fresh: string[] = [];
  for (let at = 0; at < 8; at++)
    for (const { head, invalidated, staleSinceMs } of await store.variants(key(at)))
      if (!invalidated && staleSinceMs === undefined) fresh.push(head.url);
  for (let at = 0; at < more; at++) await put(store, key(100 + at), bytesOf(at, 10));
  return fresh;
}

/** A folder with eight responses, of which all but 3 and 7 were purged in different ways. */
async function purgedIn(folder: string): Promise<string> {
  await using store = await open({ folder, memoryBytes: 0 });
  for (let at = 0; at < 8; at++) await put(store, key(at), bytesOf(at, 10), { tags: [`t${at % 4}`] });
  await store.purge({ tag: 't0' }, { soft: true });
  await store.purge({ tag: 't1' }, { soft: false });
  await store.purge({ url: key(2) }, { soft: false });
  await store.purge({ prefix: key(6) }, { soft: true });
  await store.flush();
  const [journal = ''] = (await readdir(folder)).filter((name) => name.startsWith('journal-'));
  return journal;
}

test('a journal that was cut at any record brings nothing purged back, now or after later starts', () =>
  inFolder(async (parent) => {
    const folder = join(parent, 'whole');
    const journal = await purgedIn(folder);
    const { size } = await stat(join(folder, journal));
    const records = (size - headerBytes) / recordBytes;
    assert.ok(records >= 14, `${records}`);
    for (let record = 0; record < records; record++) {
      const copy = join(parent, String(record));
      await cp(folder, copy, { recursive: true });
      await truncate(join(copy, journal), headerBytes + record * recordBytes + (record % 2) * 40);
      // Further responses make it longer than it was before.
      for (const more of [1, records, 0]) assert.deepEqual(await freshIn(copy, more), [], `${record}`);
      await rm(copy, { recursive: true });
    }
    assert.deepEqual(await freshIn(folder), [key(3), key(7)]);
    // A former release wrote no length, so that a cut is not found: the last record is the purge of 6.
    const bytes = await readFile(join(folder, journal));
    bytes.set(encodeHeader({ seeds: decodeHeader(bytes)?.seeds ?? [0, 0] }));
    await writeFile(join(folder, journal), bytes.subarray(0, -recordBytes));
    assert.deepEqual(await freshIn(folder), [key(3), key(6), key(7)]);
  }));

test('a list of purges that is missing brings nothing purged back, now or after later starts', () =>
  inFolder(async (folder) => {
    await purgedIn(folder);
    await rm(join(folder, 'purges'), { recursive: true });
    for (let turn = 0; turn < 3; turn++) assert.deepEqual(await freshIn(folder), []);
    await rm(join(folder, 'purges'), { recursive: true });
    await rm(join(folder, 'journal-1'));
    assert.deepEqual(await freshIn(folder), []);
  }));
