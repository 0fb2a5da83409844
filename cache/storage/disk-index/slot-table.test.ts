import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { flag, rowWords, SlotTable, word } from './slot-table.ts';

const rowOf = (low: number, high: number, serial: number) => {
  const row = new Uint32Array(rowWords);
  row[word.hashLow] = low;
  row[word.hashHigh] = high;
  row[word.metaFile] = 1;
  row[word.serialLow] = serial;
  return row;
};

test('a slot table finds what a plain map finds, whatever comes and goes', () => {
  const step = fc.record({
    // Few homes and few different hashes: long runs, doubles and moves over holes.
    low: fc.constantFrom(0, 1, 2, 127, 128, 255, 0xffff_ffff, 0x7fff_ffff, 3, 4),
    high: fc.nat(2),
    remove: fc.boolean(),
    pick: fc.nat(1000),
  });
  fc.assert(
    fc.property(fc.array(step, { maxLength: 600, size: 'max' }), (steps) => {
      const table = new SlotTable();
      const model = new Map<number, { low: number; high: number; serial: number }>();
      let serial = 0;
      for (const { low, high, remove, pick } of steps) {
        const slots = [...model.keys()];
        const victim = slots[pick % Math.max(1, slots.length)];
        if (remove && victim !== undefined) {
          table.release(victim);
          model.delete(victim);
        } else {
          const slot = table.add(rowOf(low, high, ++serial));
          assert.equal(model.has(slot), false);
          model.set(slot, { low, high, serial });
        }
        assert.equal(table.size, model.size);
        const same = [...model].filter(([, row]) => row.low === low && row.high === high);
        assert.equal(table.find(low, high).length, same.length);
      }
      for (const [slot, { low, high, serial: own }] of model) {
        const same = [...model].filter(([, row]) => row.low === low && row.high === high);
        assert.deepEqual(table.find(low, high).sort(), same.map(([at]) => at).sort());
        assert.equal(table.serial(slot), own);
      }
      assert.ok(table.end <= steps.length);
    }),
    { numRuns: 100 },
  );
});

test('rows put at any slot leave the others free', async () => {
  const table = new SlotTable();
  table.put(5, rowOf(1, 1, 1));
  table.put(2, rowOf(2, 2, 2));
  table.release(5);
  await table.rebuildFree();
  const taken = Array.from({ length: 6 }, (_, at) => table.add(rowOf(9, 9, at)));
  assert.deepEqual(taken, [0, 1, 3, 4, 5, 6]);
});

test('while a table grows, slot by slot, entries are found, leave and come back', () => {
  const table = new SlotTable();
  const model = new Map<number, number>();
  // Four entries at each home, so that searches go over those that left.
  const add = (serial: number) => model.set(table.add(rowOf((serial >> 2) * 8, serial, serial)), serial);
  for (let serial = 0; serial <= 2048; serial++) add(serial);
  for (let serial = 2049; serial < 2400; serial++) {
    const slots = [...model.keys()];
    for (const pick of [serial * 7, serial * 13]) {
      const slot = slots[pick % slots.length] as number;
      if (model.delete(slot)) table.release(slot);
    }
    add(serial);
    for (const known of [...model].slice(serial % 5, 40).concat([...model].slice(-300)))
      assert.deepEqual(table.find((known[1] >> 2) * 8, known[1]), [known[0]]);
  }
  for (const [slot, serial] of model) assert.deepEqual(table.find((serial >> 2) * 8, serial), [slot]);
  assert.equal(table.size, model.size);
});

test('a row that bears the mark of former releases is invalidated; a soft purge does not take that away', () => {
  const table = new SlotTable();
  const row = rowOf(1, 1, 1);
  row[word.contentHigh] = flag.invalidated | 7;
  row[word.origin] = 1234;
  const slot = table.add(row);
  const standing = () => [table.isInvalidated(slot), table.staleSinceMs(slot)];
  assert.deepEqual(standing(), [true, undefined]);
  assert.equal(table.purgeSoftly(slot, 5000), false);
  assert.deepEqual(standing(), [true, undefined]);
  table.renew(slot, 99);
  assert.deepEqual(standing(), [false, undefined]);
  assert.equal(table.purgeSoftly(slot, 5999), true);
  assert.equal(table.purgeSoftly(slot, 9000), false);
  assert.deepEqual(standing(), [false, 5000]);
  assert.equal(table.invalidate(slot), true);
  assert.deepEqual(standing(), [true, undefined]);
  table.renew(slot, 99);
  assert.deepEqual([...standing(), table.get(slot, word.origin)], [false, undefined, 99]);
  assert.equal(table.get(slot, word.contentHigh), 7);
});
