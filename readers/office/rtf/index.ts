/** RTF: `RtfReader` follows groups and control words, and knows which groups are text and which are information. */
export { encodingOfCodePage } from './character-sets.ts';
export { RtfReader } from './rtf-reader.ts';
