import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { termKey } from '../index-database/index-keys.ts';
import { TermFilter, TermFilterWriter } from './term-filter.ts';

const nameOf = (key: Uint8Array) => Buffer.from(key).toString('hex');

function rowsOf(keys: readonly Uint8Array[]): Map<string, Uint8Array> {
  const writer = new TermFilterWriter(7);
  for (const key of keys) writer.add(key);
  const rows = new Map<string, Uint8Array>();
  for (const write of writer.take()) if (write.type === 'put') rows.set(nameOf(write.key), write.value);
  return rows;
}

const readerOf = (rows: ReadonlyMap<string, Uint8Array>) => ({
  getMany: async (keys: readonly Uint8Array[]) => keys.map((key) => rows.get(nameOf(key))),
});

test('a filter never denies a present term', async () => {
  const terms = fc.uniqueArray(fc.tuple(fc.nat(9), fc.string({ unit: 'grapheme', maxLength: 12 })), {
    maxLength: 300,
    selector: (term) => term.join(' '),
  });
  await fc.assert(
    fc.asyncProperty(terms, async (all) => {
      const keys = all.map(([field, term]) => termKey(field, term));
      const filter = await TermFilter.load(readerOf(rowsOf(keys)), 7);
      assert.ok(keys.every((key) => filter.mayHave(key)));
    }),
  );
});

test('a filter denies nearly all absent terms, over any number of rows, in 1.25 bytes each', async () => {
  for (const count of [1, 100, 52_429, 200_000]) {
    const keyOf = (number: number) => termKey(0, `term${number}`);
    const rows = rowsOf(Array.from({ length: count }, (_, number) => keyOf(2 * number)));
    const filter = await TermFilter.load(readerOf(rows), 7);
    assert.equal(filter.byteLength, Math.ceil((10 * count) / 8));
    assert.equal(rows.size, Math.ceil((filter.byteLength + 4) / 65_536));
    let [held, slipped] = [0, 0];
    for (let number = 0; number < 20_000; number++) {
      if (filter.mayHave(keyOf(2 * (number % count)))) held++;
      if (filter.mayHave(keyOf(2 * number + 1))) slipped++;
    }
    assert.equal(held, 20_000);
    assert.ok(slipped < 400, `${slipped} of 20,000 slip through the filter of ${count}`);
  }
});

test('without rows any term may be present; an incomplete filter is damage', async () => {
  assert.equal((await TermFilter.load(readerOf(new Map()), 7)).mayHave(termKey(0, 'any')), true);
  const isDamage = (error: unknown) => isGarnerError(error, engineErrors.ENGINE_DAMAGED);
  const keys = Array.from({ length: 120_000 }, (_, number) => termKey(0, `term${number}`));
  const rows = rowsOf(keys);
  const names = [...rows.keys()];
  assert.equal(names.length, 3);
  for (const name of names) {
    const row = rows.get(name) as Uint8Array;
    for (const cut of [new Uint8Array(), row.subarray(0, row.length - 1)])
      await assert.rejects(TermFilter.load(readerOf(new Map(rows).set(name, cut)), 7), isDamage);
    const without = new Map(rows);
    without.delete(name);
    if (name !== names[0]) await assert.rejects(TermFilter.load(readerOf(without), 7), isDamage);
  }
  // A size larger than any row is refused before memory is allocated for it.
  const large = Uint8Array.from(rows.get(names[0] as string) as Uint8Array);
  new DataView(large.buffer).setUint32(0, 0xffff_ffff, true);
  const reads: number[] = [];
  await assert.rejects(
    TermFilter.load(
      {
        getMany: async (wanted) => {
          reads.push(wanted.length);
          return wanted.map((key) => (nameOf(key) === names[0] ? large : undefined));
        },
      },
      7,
    ),
    isDamage,
  );
  assert.ok(reads.every((count) => count <= 64));
});
