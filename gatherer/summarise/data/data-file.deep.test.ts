import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertHolds, assertSurvives, summarised } from '../../testing/summarise-sample.ts';
import { summariseDataFile } from './data-file.ts';

test('data is recognised by its content, a single column by its name', async () => {
  assertHolds(await summarised(summariseDataFile, 'a;b\n1;2\n', 'x.dat'), { Format: 'CSV with semicolons' });
  assertHolds(await summarised(summariseDataFile, 'name\nAnn\n', 'x.csv'), { Format: 'CSV', Rows: '1' });
  assertHolds(await summarised(summariseDataFile, Buffer.from('\x89HDF\r\n\x1a\n\0', 'latin1'), 'x'), {
    Format: 'HDF5, superblock 0',
  });
  await assert.rejects(summarised(summariseDataFile, 'SQLite format 3\0', 'x.db'), RangeError);
  await assert.rejects(summarised(summariseDataFile, 'just words\nand more\n', 'x.dat'), RangeError);
  await assert.rejects(summarised(summariseDataFile, 'a,b\0\n', 'x.csv'), RangeError);
  await assertSurvives(summariseDataFile, [Buffer.from('a,b\n1,2\n')], 'x.dat');
});
