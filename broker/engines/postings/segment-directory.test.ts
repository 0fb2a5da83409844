import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { isGarnerError } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import type { PostingWrite } from '../index-database/posting-database.ts';
import { DirectoryWriter, SegmentDirectory } from './segment-directory.ts';

const nameOf = (key: Uint8Array) => Buffer.from(key).toString('hex');

/** The rows of a directory whose blocks hold one key each. */
function rowsOf(keys: readonly Uint8Array[]): Map<string, Uint8Array> {
  const writer = new DirectoryWriter(7);
  const writes: (PostingWrite | undefined)[] = keys.map((key, at) =>
    writer.add(key, keys[at - 1] ?? new Uint8Array()),
  );
  writes.push(writer.take());
  const rows = new Map<string, Uint8Array>();
  for (const write of writes) if (write?.type === 'put') rows.set(nameOf(write.key), write.value);
  return rows;
}

const readerOf = (rows: ReadonlyMap<string, Uint8Array>) => ({
  getMany: async (keys: readonly Uint8Array[]) => keys.map((key) => rows.get(nameOf(key))),
});

test('a directory finds the block of every key, over any number of rows', async () => {
  const counts = fc.oneof(fc.integer({ min: 1, max: 50 }), fc.integer({ min: 2040, max: 7000 }));
  await fc.assert(
    fc.asyncProperty(counts, fc.integer({ min: 1, max: 900 }), async (count, step) => {
      const keyAt = (number: number) => Buffer.from(`\0${String(number).padStart(8, '0')}`);
      const keys = Array.from({ length: count }, (_, at) => keyAt(2 * at * step + 1));
      const rows = rowsOf(keys);
      assert.equal(rows.size, Math.ceil(count / 2048));
      const directory = await SegmentDirectory.load(readerOf(rows), 7);
      assert.equal(directory.blocks, count);
      assert.equal(directory.blockOf(Buffer.alloc(0)), undefined);
      for (let at = 0; at < count; at += Math.ceil(count / 40))
        assert.equal(directory.blockOf(keys[at] as Uint8Array), at);
      assert.equal(directory.blockOf(Buffer.from('\x01')), count - 1);
    }),
    { numRuns: 25 },
  );
});

test('a damaged directory is a typed error, never a wrong end', async () => {
  const keys = Array.from({ length: 5000 }, (_, at) => Buffer.from(`\0${at + 10_000}`));
  const isDamage = (error: unknown) => isGarnerError(error, engineErrors.ENGINE_DAMAGED);
  const names = [...rowsOf(keys).keys()];
  for (const name of names) {
    const short = rowsOf(keys);
    short.set(name, (short.get(name) as Uint8Array).subarray(0, -1));
    await assert.rejects(SegmentDirectory.load(readerOf(short), 7), isDamage);
    const none = rowsOf(keys);
    none.set(name, new Uint8Array());
    await assert.rejects(SegmentDirectory.load(readerOf(none), 7), isDamage);
  }
  const last = rowsOf(keys);
  last.delete(names.at(-1) as string);
  await assert.rejects(SegmentDirectory.load(readerOf(last), 7), isDamage);
  assert.equal((await SegmentDirectory.load(readerOf(new Map()), 7)).blocks, 0);
});
