import { texTexts } from '../../pages/index.ts';
import type { PdfFile } from '../file/file.ts';
import { nameOf, type PdfDictionary, PdfName, PdfStream } from '../file/values.ts';
import { compactEncoding, typeOneEncoding } from './built-in-encoding.ts';
import { type CMap, withoutLigatures } from './cmap.ts';
import { type Encoding, encodingNamed } from './encodings.ts';
import { codeOfGlyph, textOfGlyph } from './glyph-names.ts';

const unknown = '\ufffd';

/** Texts of a simple font's 256 codes (ISO 32000 9.10.2); unknown codes become U+FFFD. */
export function simpleTexts(
  file: PdfFile,
  dictionary: PdfDictionary,
  descriptor: PdfDictionary | undefined,
  fontName: string,
  toUnicode: CMap | undefined,
): string[] {
  const encoding = file.resolve(dictionary.get('Encoding'));
  const described = encoding instanceof Map ? encoding : undefined;
  const named = encodingNamed(nameOf(encoding) ?? nameOf(file.resolve(described?.get('BaseEncoding'))));
  const bitmaps = nameOf(file.resolve(dictionary.get('Subtype'))) === 'Type3';
  const base = named ?? (bitmaps ? undefined : builtIn(file, dictionary, descriptor, fontName));
  const texts = Array.from({ length: 256 }, (_, code) => withoutLigatures(base?.[code] ?? unknown));
  let code = 0;
  for (const item of file.array(described?.get('Differences'))) {
    const entry = file.resolve(item);
    if (typeof entry === 'number') code = entry;
    else if (entry instanceof PdfName) {
      if (code >= 0 && code < 256) texts[code] = differing(entry.name, code, bitmaps);
      code++;
    }
  }
  for (const [mapped, text] of toUnicode?.texts ?? [])
    if (mapped < 256 && (text !== '' || texts[mapped] === unknown)) texts[mapped] = text;
  return texts;
}

function differing(name: string, code: number, bitmaps: boolean): string {
  const known = textOfGlyph(name);
  if (known !== undefined && !(bitmaps && name.length === 1)) return known;
  const number = codeOfGlyph(name);
  // Bitmap fonts made from TeX's name each glyph by its code there.
  if (number !== undefined && number < 256) return texTexts[number] || unknown;
  return bitmaps ? texTexts[code] || unknown : unknown;
}

function builtIn(
  file: PdfFile,
  dictionary: PdfDictionary,
  descriptor: PdfDictionary | undefined,
  fontName: string,
): Encoding | undefined {
  if (/symbol/i.test(fontName) && !descriptor?.has('FontFile2')) return encodingNamed('Symbol');
  if (/dingbats/i.test(fontName)) return new Array<string>(256).fill('');
  const program = (key: string): Uint8Array | undefined => {
    const stream = file.resolve(descriptor?.get(key));
    return stream instanceof PdfStream ? file.data(stream) : undefined;
  };
  const typeOne = program('FontFile');
  const compact = typeOne === undefined ? program('FontFile3') : undefined;
  const own = typeOne !== undefined ? typeOneEncoding(typeOne) : compact && compactEncoding(compact);
  if (own !== undefined) return own;
  const symbolic = ((file.number(descriptor?.get('Flags')) ?? 32) & 4) !== 0;
  const embedded = descriptor?.has('FontFile2') || typeOne !== undefined || compact !== undefined;
  if (symbolic && embedded) return undefined;
  const trueType = nameOf(file.resolve(dictionary.get('Subtype'))) === 'TrueType';
  return encodingNamed(trueType ? 'WinAnsiEncoding' : 'StandardEncoding');
}
