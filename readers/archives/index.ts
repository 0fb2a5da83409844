// Archives: for each format a function that yields its entries, one after the other, each with its name, size
// and time as stored and a way to read it. `gatherer/unnest/` decides about names and sizes, for all formats
// alike. Read archive-entry.ts, then tar.ts.
export { arEntries } from './ar.ts';
export { type ArchiveEntry, DistinctNames, heldBytes, TooLarge } from './archive-entry.ts';
export { binhexEntries } from './binhex.ts';
export { ChunkReader } from './chunk-reader.ts';
export { cpioEntries } from './cpio.ts';
export { type MimeLeaf, mimeEntries, mimeLeaves } from './mime.ts';
export { utf8Words } from './mime-header.ts';
export { decodedBody } from './mime-part.ts';
export { rpmPayload } from './rpm.ts';
export { sharEntries } from './shar.ts';
export { tarEntries } from './tar.ts';
export { readTnef, type TnefMessage, tnefEntries } from './tnef.ts';
export { utf8Message } from './utf8-message.ts';
export { lines, uuencodedEntries, withoutEncoded } from './uuencode.ts';
export { zipDirectoryOfEnds, zipEntries } from './zip.ts';
export { ZipParts } from './zip-parts.ts';
