import type { KeyRange } from '../index-keys.ts';

// s <segment> <vocabulary> <first term>   entries of a vocabulary; every other key is as in index-keys.ts
const family = 115;

function segmentHead(segment: number): Buffer {
  const head = Buffer.allocUnsafe(5);
  head[0] = family;
  head.writeUInt32BE(segment, 1);
  return head;
}

const kindHead = (segment: number, kind: number) =>
  Buffer.concat([segmentHead(segment), Buffer.from([kind])]);

/** Where the entries from this term on stand. */
export const vocabularyKey = (segment: number, kind: number, term: string): Uint8Array =>
  Buffer.concat([kindHead(segment, kind), Buffer.from(term)]);

/** All entries of one vocabulary of a segment. */
export const vocabularyRange = (segment: number, kind: number): KeyRange => ({
  gte: kindHead(segment, kind),
  lt: kindHead(segment, kind + 1),
});

/** Everything of a segment. */
export const glimpseSegmentRange = (segment: number): KeyRange => ({
  gte: segmentHead(segment),
  lt: segmentHead(segment + 1),
});
