import assert from 'node:assert/strict';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from '../../../store/index.ts';
import { DocColumns } from './doc-columns.ts';
import { type OrderTexts, orderRows, packedOrderTexts } from './order-texts.ts';

const textOf = (docno: number) => ({
  title: `a page ${docno}`,
  url: docno % 7 === 0 ? '' : `/docs/${docno}`,
});

for (const name of ['a row each', 'packed'])
  test(`the sort keys of docnos survive many batches: ${name}`, async () => {
    const folder = await mkdtemp(join(tmpdir(), 'garner-order-'));
    try {
      await using database = await openDatabase(join(folder, 'index'));
      const texts: OrderTexts = name === 'packed' ? packedOrderTexts(database) : orderRows;
      let columns = DocColumns.empty;
      const write = async (docnos: readonly number[], dead: readonly number[]) => {
        const rows = [
          ...docnos.map((docno) => ({ docno, source: 1, type: 0 })),
          ...dead.map((docno) => ({ docno, source: 0, type: 0 })),
        ];
        columns = columns.with(rows).columns;
        const added = docnos.map((docno) => [docno, textOf(docno)] as const);
        await database.batch(await texts.writes(added, dead, columns));
      };
      const range = (from: number, to: number) => Array.from({ length: to - from }, (_, n) => from + n);
      await write(range(1, 100), []);
      for (let docno = 100; docno < 140; docno++) await write([docno], []);
      await write(range(140, 500), []);
      const wanted = Uint32Array.from(range(1, 500));
      assert.deepEqual(await texts.of(wanted, database), [...wanted].map(textOf));
      await write([500], range(128, 256));
      const left = Uint32Array.from([3, 127, 256, 499, 500]);
      assert.deepEqual(await texts.of(left, database), [...left].map(textOf));
      assert.deepEqual(await texts.of(Uint32Array.of(130, 10_000), database), [
        { title: '', url: '' },
        { title: '', url: '' },
      ]);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
