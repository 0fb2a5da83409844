import { latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import { type ArrayFacts, readNetCdf, readNumPy, readParquet } from '../../../readers/tables/index.ts';
import { extractOf, fact, oneLine, TextBlocks } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of files of arrays and columns. */
export const arrayDataAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'Parquet, NetCDF, NumPy array or HDF5 with its version' },
  { name: 'Rows', what: 'Number of rows (Parquet)' },
  { name: 'Columns', what: 'Columns or variables with their types, one per line' },
  { name: 'Dimensions', what: 'Dimensions with their lengths, one per line' },
  { name: 'Metadata', what: 'Attributes of the whole file (NetCDF), one per line' },
  { name: 'Software', what: 'The program that made it' },
  { name: 'Full-Text', what: 'Names and attributes' },
];

/** Arrays and columns: Parquet, classic NetCDF and NumPy by their headers; HDF5 is only recognised. */
export const summariseArrayData: SyncSummariser = (document, options) => {
  const facts = readArrays(document.bytes);
  const blocks = new TextBlocks(options);
  for (const text of [...facts.variables, ...(facts.attributes ?? [])])
    if (blocks.open) blocks.add(oneLine(text), 'row');
  return extractOf({
    title: facts.title,
    fields: [
      fact('Format', facts.format),
      fact('Rows', facts.rows),
      ['Columns', facts.variables.map(oneLine).join('\n')],
      ['Dimensions', (facts.dimensions ?? []).map(oneLine).join('\n')],
      ['Metadata', (facts.attributes ?? []).map(oneLine).join('\n')],
      fact('Software', facts.software),
    ],
    blocks,
  });
};

/** Whether a file begins as one of the formats read here. */
export function isArrayFile(bytes: Uint8Array): boolean {
  return readerOf(bytes) !== undefined;
}

function readArrays(bytes: Uint8Array): ArrayFacts {
  const read = readerOf(bytes);
  if (read === undefined) throw new RangeError('not a file of arrays');
  return read(bytes);
}

function readerOf(bytes: Uint8Array): ((bytes: Uint8Array) => ArrayFacts) | undefined {
  const start = latin1Start(bytes, 16);
  if (start.startsWith('PAR1')) return readParquet;
  if (start.startsWith('CDF') && [1, 2, 5].includes(bytes[3] ?? 0)) return readNetCdf;
  if (start.startsWith('\x93NUMPY')) return readNumPy;
  if (start.startsWith('\x89HDF\r\n\x1a\n'))
    return () => ({ format: `HDF5, superblock ${bytes[8] ?? 0}`, variables: [] });
  return undefined;
}
