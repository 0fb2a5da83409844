// Decoders that unpack piece by piece, so that a large archive is never in memory as a whole. Each decoder
// takes the packed bytes as one array, yields pieces of at most 128 KiB or so, verifies the checksums it can,
// and throws `CorruptData` after the last good piece. The caller bounds the output; only the window, which a
// decoder must allocate first, is bounded here. Read decompress.ts, then one decoder such as bzip2.ts.
export { CorruptData, cutShort, UnreadVariant } from './corrupt-data.ts';
export { type Compression, decompress, zipLzma } from './decompress.ts';
export { lzw } from './lzw.ts';
