import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { assertHolds, assertSurvives, scratch, summarised, toolRan } from '../../testing/summarise-sample.ts';
import { summariseArrayData } from './array-data.ts';

test('NetCDF of every classic version', async (t) => {
  const folder = scratch(t);
  writeFileSync(
    join(folder, 't.cdl'),
    'netcdf t { dimensions: time = UNLIMITED; lat = 3; variables: float temp(time, lat); temp:long_name = "air temperature"; int n; :title = "Weather"; data: temp = 1,2,3; n = 4; }',
  );
  for (const [kind, format] of [
    ['classic', 'NetCDF classic'],
    ['64-bit offset', 'NetCDF 64-bit offset'],
    ['cdf5', 'NetCDF 64-bit data'],
  ] as const) {
    if (!toolRan(t, folder, 'ncgen', ['-k', kind, '-o', 't.nc', 't.cdl'], 'netcdf-bin')) return;
    const bytes = readFileSync(join(folder, 't.nc'));
    assertHolds(await summarised(summariseArrayData, bytes, 't.nc'), {
      Title: 'Weather',
      Format: format,
      Columns: 'temp: float (time, lat) air temperature\nn: int ()',
      Dimensions: 'time: unlimited\nlat: 3',
      Metadata: 'title: Weather',
    });
    await assertSurvives(summariseArrayData, [bytes], 't.nc');
  }
});

test('Parquet, NumPy and HDF5 by their headers', async () => {
  // A footer as parquet-format's thrift says: version 1, schema [root, x: int32, y: byte array], 5 rows, created by.
  const footer = Buffer.from([
    0x15,
    0x02,
    0x19,
    0x3c,
    0x48,
    4,
    ...Buffer.from('root'),
    0x15,
    0x04,
    0,
    0x15,
    0x02,
    0x38,
    1,
    0x78,
    0,
    0x15,
    0x0c,
    0x38,
    1,
    0x79,
    0,
    0x16,
    0x0a,
    0x38,
    4,
    ...Buffer.from('hive'),
    0,
  ]);
  const length = Buffer.alloc(4);
  length.writeUInt32LE(footer.length);
  const parquet = Buffer.concat([Buffer.from('PAR1'), footer, length, Buffer.from('PAR1')]);
  assertHolds(await summarised(summariseArrayData, parquet, 'x.parquet'), {
    Format: 'Parquet',
    Rows: '5',
    Columns: 'x: int32\ny: byte array',
  });
  const header = "{'descr': '<f8', 'fortran_order': False, 'shape': (3, 4), }\n";
  const numpy = Buffer.concat([
    Buffer.from('\x93NUMPY\x01\0', 'latin1'),
    Buffer.from([header.length, 0]),
    Buffer.from(header),
  ]);
  assertHolds(await summarised(summariseArrayData, numpy, 'x.npy'), {
    Format: 'NumPy array',
    Columns: '<f8',
    Dimensions: '3, 4',
  });
  assertHolds(
    await summarised(summariseArrayData, Buffer.from('\x89HDF\r\n\x1a\n\x02\0\0', 'latin1'), 'x.h5'),
    { Format: 'HDF5, superblock 2' },
  );
  await assertSurvives(summariseArrayData, [parquet, numpy], 'x');
  await assert.rejects(summarised(summariseArrayData, 'x', 'x'), RangeError);
});
