import assert from 'node:assert/strict';
import { readdir, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { test } from 'node:test';
import fc from 'fast-check';
import { seededRandom } from '../../../kernel/index.ts';
import { inFolder } from '../../testing/storage.ts';
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
  const head = encodeHeader({ seeds: [7, 0xffff_fff0] });
  for (let at = 0; at < headerBytes; at++) {
    const damaged = Buffer.from(head);
    damaged[at] = (damaged[at] as number) ^ 4;
    assert.deepEqual(decodeHeader(damaged), { seeds: [7, 0xffff_fff0] });
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
