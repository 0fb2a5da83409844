import { gunzipSync } from 'node:zlib';
import { ByteView, latin1Start } from '../../../readers/bytes/index.ts';
import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  type FontFacts,
  fontFields,
  isPcf,
  isSfnt,
  isType1,
  readAfm,
  readBdf,
  readPcf,
  readSfnt,
  readType1,
  sfntFullName,
  sfntTables,
  woff2Tables,
  woffTables,
} from '../../../readers/fonts/index.ts';
import { extractOf, oneLine, TextBlocks } from '../../../readers/text/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of fonts. */
export const fontAttributes: readonly AttributeNote[] = [
  { name: 'Format', what: 'TrueType, OpenType, WOFF, WOFF2, Type 1, Adobe font metrics, BDF or PCF' },
  { name: 'Font-Family', what: 'Family name' },
  { name: 'Font-Style', what: 'Style within the family, such as Bold Italic' },
  { name: 'PostScript-Name', what: 'Name of the font in PostScript' },
  { name: 'Font-Weight', what: 'Weight as a number from 100 to 900 or as a word' },
  { name: 'Fixed-Pitch', what: '"yes" when all letters are equally wide' },
  { name: 'Version', what: 'Version that the font names' },
  { name: 'Author', what: 'Designer' },
  { name: 'Publisher', what: 'Manufacturer or foundry' },
  { name: 'Description', what: 'The font’s description' },
  { name: 'Copyright', what: 'Copyright notice' },
  { name: 'Trademark', what: 'Trademark notice' },
  { name: 'License', what: 'Licence text of the font, with its address' },
  { name: 'Glyphs', what: 'Number of glyphs' },
  { name: 'Pixel-Size', what: 'Height in pixels of a bitmap font' },
  { name: 'Encoding', what: 'Character set, if the font has only one' },
  { name: 'Scripts', what: 'Supported writing systems, joined by commas' },
  { name: 'Faces', what: 'Full names of the fonts of a collection, one per line' },
  { name: 'Full-Text', what: 'Its names, description, notices and licence' },
];

const maxUnpacked = 64 * 1024 * 1024;
const maxFaces = 256;

/** Fonts, gzipped too: TrueType, OpenType, WOFF, WOFF 2, Type 1, AFM, BDF, PCF; else it throws. */
export const summariseFont: SyncSummariser = (document, options) => {
  const facts = readFont(document.bytes);
  const fields = fontFields(facts);
  const blocks = new TextBlocks(options);
  for (const name of [facts.fullName, facts.description, facts.copyright, facts.trademark, facts.licence])
    if (name !== undefined) blocks.add(oneLine(name), 'paragraph');
  const title = facts.fullName ?? [facts.family, facts.style].filter(Boolean).join(' ');
  return extractOf({ title, fields, blocks, notes: facts.notes });
};

function readFont(bytes: Uint8Array): FontFacts {
  // Compiled bitmap fonts are gzipped in a system's folders; a nested gzip is no font.
  const packed = bytes[0] === 0x1f && bytes[1] === 0x8b;
  return readUnpacked(packed ? gunzipSync(bytes, { maxOutputLength: maxUnpacked }) : bytes);
}

function readUnpacked(bytes: Uint8Array): FontFacts {
  if (isType1(bytes)) return readType1(bytes);
  if (isPcf(bytes)) return readPcf(bytes);
  const start = latin1Start(bytes, 64);
  if (start.startsWith('StartFontMetrics')) return readAfm(bytes);
  if (start.startsWith('STARTFONT')) return readBdf(bytes);
  const file = new ByteView(bytes);
  const mark = file.u32(0);
  if (isSfnt(mark)) return readSfnt(sfntTables(file, 0), mark === 0x4f54544f ? 'OpenType' : 'TrueType');
  if (mark === 0x774f4646) return readSfnt(woffTables(file), 'WOFF');
  if (mark === 0x774f4632) return readSfnt(woff2Tables(file), 'WOFF2');
  if (mark === 0x74746366) return readCollection(file);
  if (bytes[34] === 0x4c && bytes[35] === 0x50) return readEot(file);
  throw new RangeError('not a font');
}

/** The first font of a collection with the names of all. */
function readCollection(file: ByteView): FontFacts {
  const count = Math.min(file.u32(8), maxFaces);
  const fonts = Array.from({ length: count }, (_, index) => sfntTables(file, file.u32(12 + index * 4)));
  const [first] = fonts;
  if (first === undefined) throw new RangeError('empty collection');
  const faces = fonts.flatMap((tables) => sfntFullName(tables) ?? []);
  return { ...readSfnt(first, 'TrueType collection'), faces };
}

/** Embedded OpenType: a header with its size, then a font; of a compressed font the header's names. */
function readEot(file: ByteView): FontFacts {
  const size = file.u32(4, true);
  const inside = file.part(file.length - size, file.length, false);
  if (inside.length > 12 && isSfnt(inside.u32(0)))
    return readSfnt(sfntTables(inside, 0), 'Embedded OpenType');
  let at = 82;
  const name = () => {
    const length = file.u16(at, true);
    const text = file.utf16(at + 2, at + 2 + length, true);
    at += 2 + length + 2;
    return text;
  };
  const [family, style, version, fullName] = [name(), name(), name(), name()];
  return { format: 'Embedded OpenType', family, style, version, fullName, notes: ['Its glyphs are packed.'] };
}
