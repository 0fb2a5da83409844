import { latin1Start } from '../../../readers/bytes/index.ts';
import { decodeText, sniffDelimiter } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';
import { isArrayFile, summariseArrayData } from './array-data.ts';
import { summariseDataTable } from './data-table.ts';
import { summariseSqlite } from './sqlite.ts';

const sniffed = 64 * 1024;
const zerosAllowed = 20;

/** Type Data: an SQLite database, arrays (Parquet, NetCDF, NumPy, HDF5) or a table; else it throws. */
export const summariseDataFile: SyncSummariser = (document, options) => {
  const { bytes, name, mediaType } = document;
  const start = latin1Start(bytes, 16);
  if (start === 'SQLite format 3\0') return summariseSqlite(document, options);
  if (isArrayFile(bytes)) return summariseArrayData(document, options);
  const named = /\.(?:csv|tsv|tab)$/i.test(name) || /^text\/(?:csv|tab-separated-values)$/.test(mediaType);
  const text = decodeText(bytes.subarray(0, sniffed), document.charset);
  // A single zero byte does not make a table binary.
  const zeros = text.match(/\0/g)?.length ?? 0;
  if (zeros * zerosAllowed <= text.length && (named || sniffDelimiter(text) !== undefined))
    return summariseDataTable(document, options);
  throw new RangeError('not a database, arrays or a table');
};
