import type { KeyRange } from '../index-database/index-keys.ts';

// s <segment> <vocabulary> <first term>             entries of a vocabulary
// s <segment> 2 <chunk> <vocabulary> <first term>   places of these terms in 4096 docnos
// s <segment> 3 <docno>                             language and values of an object
// s <segment> 4 <first language>                    objects by language, in the form of a vocabulary
// All other keys are as in index-keys.ts.
const family = 115;

function segmentHead(segment: number): Buffer {
  const head = Buffer.allocUnsafe(5);
  head[0] = family;
  head.writeUInt32BE(segment, 1);
  return head;
}

const kindHead = (segment: number, kind: number) =>
  Buffer.concat([segmentHead(segment), Buffer.from([kind])]);

/** The key of the entries from this term on. */
export const vocabularyKey = (segment: number, kind: number, term: string): Uint8Array =>
  Buffer.concat([kindHead(segment, kind), Buffer.from(term)]);

/** All entries of one vocabulary of a segment. */
export const vocabularyRange = (segment: number, kind: number): KeyRange => ({
  gte: kindHead(segment, kind),
  lt: kindHead(segment, kind + 1),
});

/** The vocabulary whose terms are languages. */
export const languageKind = 4;
const placeKind = 2;
const valuesKind = 3;
const chunkBits = 12;

/** The chunk of a docno. */
export const chunkOf = (docno: number): number => docno >>> chunkBits;
export const chunkStart = (chunk: number): number => chunk << chunkBits;

function numbered(segment: number, kind: number, number: number): Buffer {
  const bytes = Buffer.allocUnsafe(4);
  bytes.writeUInt32BE(number);
  return Buffer.concat([kindHead(segment, kind), bytes]);
}

/** The key of the places from this term on. */
export const placeKey = (segment: number, chunk: number, kind: number, term: string): Uint8Array =>
  Buffer.concat([numbered(segment, placeKind, chunk), Buffer.from([kind]), Buffer.from(term)]);

/** All places in one chunk of a segment of the words of one vocabulary. */
export const placeRange = (segment: number, chunk: number, kind: number): KeyRange => ({
  gte: placeKey(segment, chunk, kind, ''),
  lt: placeKey(segment, chunk, kind + 1, ''),
});

/** Offset of the term in a key of places. */
export const placeTermAt = 11;

export const valuesKey = (segment: number, docno: number): Uint8Array => numbered(segment, valuesKind, docno);

/** The values of the objects from one docno to another, inclusive. */
export const valuesRange = (segment: number, from: number, to: number): KeyRange => ({
  gte: valuesKey(segment, from),
  lt: valuesKey(segment, to + 1),
});

export const glimpseSegmentRange = (segment: number): KeyRange => ({
  gte: segmentHead(segment),
  lt: segmentHead(segment + 1),
});
