// RTF: `RtfReader` follows groups and control words, and separates text from information. Read rtf-reader.ts.
export { decompressedRtf } from './compressed-rtf.ts';
export { RtfReader } from './rtf-reader.ts';
