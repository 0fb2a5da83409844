import { constants, inflateRawSync, inflateSync } from 'node:zlib';
import { CorruptData, lzw } from '../../compression/index.ts';
import { decodeAscii85, decodeAsciiHex, decodeRunLength } from './ascii-filters.ts';
import { undoPredictor } from './predictor.ts';
import { arrayOf, dictionaryOf, nameOf, numberOf, type PdfDictionary, type PdfValue } from './values.ts';

const maxFilters = 8;

/** LZWDecode (ISO 32000 7.4.4), at most `max` bytes. `early` is 1 when codes grow one code early. */
export function decodeLzw(bytes: Uint8Array, max: number, early = 1): Uint8Array {
  const pieces: Uint8Array[] = [];
  let length = 0;
  try {
    for (const piece of lzw(bytes, {
      order: 'highest',
      maxBits: 12,
      firstCode: 258,
      early,
      grouped: false,
    })) {
      pieces.push(piece);
      length += piece.length;
      if (length >= max) break;
    }
  } catch (error) {
    if (!(error instanceof CorruptData)) throw error;
  }
  return Buffer.concat(pieces, Math.min(length, max));
}

/** How a stream is stored: its filters' names and parameters in the order they are undone. */
export interface StoredAs {
  readonly filters: readonly string[];
  readonly parameters: readonly (PdfDictionary | undefined)[];
}

/** Undo filters (ISO 32000 7.4), at most `max` bytes, as far as readable; undefined for unknown ones. */
export function undoFilters(raw: Uint8Array, stored: StoredAs, max: number): Uint8Array | undefined {
  let bytes = raw;
  for (const [at, filter] of stored.filters.slice(0, maxFilters).entries()) {
    const parameters = stored.parameters[at];
    const undone = undoFilter(bytes, filter, parameters, max);
    if (undone === undefined) return undefined;
    bytes = undone;
  }
  return bytes;
}

function undoFilter(
  bytes: Uint8Array,
  filter: string,
  parameters: PdfDictionary | undefined,
  max: number,
): Uint8Array | undefined {
  switch (filter) {
    case 'FlateDecode':
    case 'Fl':
      return predicted(inflate(bytes, max), parameters);
    case 'LZWDecode':
    case 'LZW':
      return predicted(decodeLzw(bytes, max, numberOf(parameters?.get('EarlyChange')) ?? 1), parameters);
    case 'ASCII85Decode':
    case 'A85':
      return decodeAscii85(bytes);
    case 'ASCIIHexDecode':
    case 'AHx':
      return decodeAsciiHex(bytes);
    case 'RunLengthDecode':
    case 'RL':
      return decodeRunLength(bytes, max);
    case 'Crypt':
      return bytes;
    default:
      return undefined;
  }
}

function predicted(bytes: Uint8Array, parameters: PdfDictionary | undefined): Uint8Array {
  const predictor = numberOf(parameters?.get('Predictor')) ?? 1;
  if (predictor < 2 || parameters === undefined) return bytes;
  return undoPredictor(bytes, {
    predictor,
    colors: numberOf(parameters.get('Colors')) ?? 1,
    bits: numberOf(parameters.get('BitsPerComponent')) ?? 8,
    columns: numberOf(parameters.get('Columns')) ?? 1,
  });
}

// zlib returns the readable part of a damaged stream only when it need not reach its end.
function inflate(bytes: Uint8Array, max: number): Uint8Array {
  const chunkSize = Math.min(Math.max(bytes.length * 4, 4096), 1 << 20);
  const lenient = { finishFlush: constants.Z_SYNC_FLUSH, maxOutputLength: max, chunkSize };
  try {
    return inflateSync(bytes, lenient);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_BUFFER_TOO_LARGE') throw error;
  }
  try {
    // A wrong header or checksum: the deflated data behind two bytes may be sound.
    return inflateRawSync(bytes.subarray(2), lenient);
  } catch {
    return new Uint8Array();
  }
}

/** The filters of a stream's dictionary; `resolve` follows references. */
export function storedAs(
  dictionary: PdfDictionary,
  resolve: (value: PdfValue | undefined) => PdfValue | undefined,
): StoredAs {
  const filter = resolve(dictionary.get('Filter') ?? dictionary.get('F'));
  const parameters = resolve(dictionary.get('DecodeParms') ?? dictionary.get('DP'));
  const single = nameOf(filter);
  if (single !== undefined)
    return { filters: [single], parameters: [dictionaryOf(resolve(arrayOf(parameters)[0] ?? parameters))] };
  const list = arrayOf(parameters);
  return {
    filters: arrayOf(filter).map((name) => nameOf(resolve(name)) ?? ''),
    parameters: arrayOf(filter).map((_, at) => dictionaryOf(resolve(list[at]))),
  };
}
