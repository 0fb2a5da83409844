import type { PdfFile } from '../file/file.ts';
import { nameOf, type PdfDictionary, PdfStream } from '../file/values.ts';
import { codesOfCharacterSet, type WideCodes } from './character-sets.ts';
import { type CMap, readCMap } from './cmap.ts';
import { simpleTexts } from './simple-font.ts';

// Widths of ASCII 32 to 126 in thousandths of the size, of the fonts every viewer has and files need not describe.
const helvetica =
  '278 278 355 556 556 889 667 222 333 333 389 584 278 333 278 278 556 556 556 556 556 556 556 556 556 556 278 278 584 ' +
  '584 584 556 1015 667 667 722 722 667 611 778 722 278 500 667 556 833 722 778 667 778 722 667 611 722 667 944 667 667 ' +
  '611 278 278 278 469 556 222 556 556 500 556 556 278 556 556 222 222 500 222 833 556 556 556 556 333 500 278 556 500 ' +
  '722 500 500 500 334 260 334 584';
const times =
  '250 333 408 500 500 833 778 333 333 333 500 564 250 333 250 278 500 500 500 500 500 500 500 500 500 500 278 278 564 ' +
  '564 564 444 921 722 667 667 722 611 556 722 722 333 389 722 611 889 722 722 556 722 667 556 611 722 722 944 722 722 ' +
  '611 333 278 333 469 500 333 444 500 444 500 444 333 500 500 278 278 500 278 778 500 500 500 500 333 389 278 500 500 ' +
  '722 500 500 444 480 200 480 541';

/** Widths by name of a font that the file does not describe; other letters have half the size. */
function standardWidths(fontName: string): Float64Array {
  const widths = new Float64Array(256).fill(0.5);
  if (/cour|mono|typewriter/i.test(fontName)) return widths.fill(0.6);
  const row = (/helv|arial|sans/i.test(fontName) ? helvetica : times).split(' ');
  for (const [at, width] of row.entries()) widths[32 + at] = Number(width) / 1000;
  return widths;
}

/** Replaces a character of unknown meaning. */
export const unknownText = '\ufffd';

/** The part of a font that turns shown bytes into text and widths. */
export interface PdfFont {
  /** Number of bytes of a code, by its first byte; undefined when every code is one byte. */
  readonly lengths: Uint8Array | undefined;
  /** Text of codes of one byte; `wideText` has longer ones. */
  readonly texts: readonly string[];
  readonly widths: Float64Array;
  readonly wideText: (code: number) => string;
  readonly wideWidth: (code: number) => number;
  readonly vertical: boolean;
  readonly bold: boolean;
  /** Whether widths are the font's own: only then do small gaps separate words. */
  readonly exact: boolean;
  /** How large a letter is where the size is 1; bitmap fonts choose it freely. */
  readonly em: number;
  /** Number of its mappings and widths. */
  readonly cost: number;
}

const boldName = /bold|black|heavy|demi|cmbx|cmssbx|-bd|sfbx|lmbx/i;

/** Read a font's dictionary. Never throws for its contents; unknown codes become `unknownText`. */
export function readFont(file: PdfFile, dictionary: PdfDictionary): PdfFont {
  return nameOf(file.resolve(dictionary.get('Subtype'))) === 'Type0'
    ? readComposite(file, dictionary)
    : readSimple(file, dictionary);
}

function streamMap(file: PdfFile, dictionary: PdfDictionary, key: string): CMap | undefined {
  const stream = file.resolve(dictionary.get(key));
  const bytes = stream instanceof PdfStream ? file.data(stream) : undefined;
  return bytes === undefined ? undefined : readCMap(bytes);
}

function isBold(file: PdfFile, name: string, descriptor: PdfDictionary | undefined): boolean {
  if (boldName.test(name)) return true;
  const flags = file.number(descriptor?.get('Flags')) ?? 0;
  return (flags & (1 << 18)) !== 0 || (file.number(descriptor?.get('FontWeight')) ?? 400) >= 600;
}

function readSimple(file: PdfFile, dictionary: PdfDictionary): PdfFont {
  const descriptor = file.dictionary(dictionary.get('FontDescriptor'));
  const name = nameOf(file.resolve(dictionary.get('BaseFont'))) ?? '';
  const toUnicode = streamMap(file, dictionary, 'ToUnicode');
  const texts = simpleTexts(file, dictionary, descriptor, name, toUnicode);
  const listed = file.array(dictionary.get('Widths'));
  const first = file.number(dictionary.get('FirstChar')) ?? 0;
  const matrix = file.array(dictionary.get('FontMatrix'));
  const unit = Math.abs(file.number(matrix[0]) ?? 0.001) || 0.001;
  const widths =
    listed.length === 0
      ? standardWidths(name)
      : new Float64Array(256).fill((file.number(descriptor?.get('MissingWidth')) ?? 0) * unit);
  for (let code = Math.max(0, first); code < Math.min(256, first + listed.length); code++)
    widths[code] = (file.number(listed[code - first]) ?? 0) * unit;
  return {
    lengths: undefined,
    texts,
    widths,
    wideText: () => unknownText,
    wideWidth: () => 0,
    vertical: false,
    bold: isBold(file, name, descriptor),
    exact: listed.length > 0,
    em: matrix.length === 0 ? 1 : typicalEm(widths),
    cost: 512 + (toUnicode?.texts.size ?? 0),
  };
}

// A letter is about half as wide as its font is large.
function typicalEm(widths: Float64Array): number {
  const shown = widths.filter((width) => width > 0);
  return shown.length === 0 ? 1 : (2 * shown.reduce((sum, width) => sum + width, 0)) / shown.length;
}

function readComposite(file: PdfFile, dictionary: PdfDictionary): PdfFont {
  const descendant = file.dictionary(file.array(dictionary.get('DescendantFonts'))[0]) ?? new Map();
  const encoding = file.resolve(dictionary.get('Encoding'));
  const own = encoding instanceof PdfStream ? streamMap(file, dictionary, 'Encoding') : undefined;
  const encodingName = nameOf(encoding) ?? own?.base ?? 'Identity-H';
  const collection = file.resolve(file.dictionary(descendant.get('CIDSystemInfo'))?.get('Ordering'));
  const codes = codesOfCharacterSet(encodingName, typeof collection === 'string' ? collection : '');
  const toUnicode = streamMap(file, dictionary, 'ToUnicode');
  const name = nameOf(file.resolve(dictionary.get('BaseFont'))) ?? '';
  const standard = (file.number(descendant.get('DW')) ?? 1000) / 1000;
  const listed = characterWidths(file, descendant);
  const character = (code: number) => own?.characters.get(code) ?? code;
  const wideText = (code: number) =>
    toUnicode?.texts.get(code) ?? codes.text(own === undefined ? code : character(code)) ?? unknownText;
  const wideWidth = codes.byCharacter
    ? (code: number) => listed.get(character(code)) ?? standard
    : (code: number) => (code > 0xff ? standard : standard / 2);
  const lengths = own === undefined || own.spaces.length === 0 ? codes.lengths : lengthsOf(own, codes);
  return {
    lengths,
    texts: Array.from({ length: 256 }, (_, code) => wideText(code)),
    widths: Float64Array.from({ length: 256 }, (_, code) => wideWidth(code)),
    wideText,
    wideWidth,
    vertical: /(?:^|-)V$/.test(encodingName),
    bold: isBold(file, name, file.dictionary(descendant.get('FontDescriptor'))),
    exact: codes.byCharacter,
    em: 1,
    cost: 512 + (toUnicode?.texts.size ?? 0) + (own?.characters.size ?? 0) + listed.size,
  };
}

function lengthsOf(map: CMap, codes: WideCodes): Uint8Array {
  const lengths = codes.lengths.slice();
  for (const { bytes, low, high } of map.spaces) {
    const shift = 8 * (bytes - 1);
    lengths.fill(bytes, Math.floor(low / 2 ** shift) & 0xff, (Math.floor(high / 2 ** shift) & 0xff) + 1);
  }
  return lengths;
}

const maxWidths = 70_000;

/** The W array (ISO 32000 section 9.7.4.3) in text units by character identifier. */
function characterWidths(file: PdfFile, descendant: PdfDictionary): Map<number, number> {
  const widths = new Map<number, number>();
  const list = file.array(descendant.get('W'));
  for (let at = 0; at < list.length; ) {
    const first = file.number(list[at]) ?? 0;
    const second = file.resolve(list[at + 1]);
    if (Array.isArray(second)) {
      for (const [index, width] of second.entries())
        if (widths.size < maxWidths) widths.set(first + index, (file.number(width) ?? 0) / 1000);
      at += 2;
    } else {
      const width = (file.number(list[at + 2]) ?? 0) / 1000;
      const last = typeof second === 'number' ? second : first;
      for (let code = first; code <= last && widths.size < maxWidths; code++) widths.set(code, width);
      at += 3;
    }
  }
  return widths;
}
