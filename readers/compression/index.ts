// Turns packed bytes into the bytes they stand for, a piece at a time, so that nobody holds the whole of a large
// archive. Each decoder takes the packed bytes as one array, yields pieces of at most 128 KiB or so, checks what the
// format lets it check, and throws `CorruptData` after the last good piece. Bounds are the caller's, but for the
// window, which a decoder must allocate before it yields anything.
export { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';
export { type Compression, decompress, zipLzma } from './decompress.ts';
export { lzw } from './lzw.ts';
