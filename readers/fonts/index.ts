// Fonts, each format by a reader with `FontFacts` as result: sfnt (TrueType, OpenType) whose tables WOFF and
// WOFF 2 pack, Type 1, Adobe metrics, BDF and PCF. Names are in English where a font has several languages;
// writing systems are detected by a few letters of each in the character map. Read font-facts.ts, then
// sfnt.ts.
export { type FontFacts, fontFields } from './font-facts.ts';
export { readAfm, readBdf } from './font-text.ts';
export { isPcf, readPcf } from './pcf.ts';
export { isSfnt, readSfnt, sfntFullName, sfntTables } from './sfnt.ts';
export { isType1, readType1 } from './type1.ts';
export { woff2Tables, woffTables } from './woff.ts';
