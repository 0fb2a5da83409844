// Numbers, words and lists of postings as bytes: pure functions, each with its inverse, and a typed error for bytes
// that say something else.
export { BitReader, BitWriter, maxRice, riceFor } from './bit-codec.ts';
export { ByteReader, ByteWriter } from './byte-codec.ts';
export { readAfter, readPair, sharedLength, writeAfter, writePair } from './front-coding.ts';
export { packed, unpacked } from './packed-block.ts';
export {
  allPositions,
  PositionEncoder,
  readPositions,
  readStarts,
  type StoredPositions,
} from './position-codec.ts';
export {
  decodePostings,
  encodePostings,
  joinPostings,
  keptPostings,
  noPostings,
  type Postings,
  rebasedPostings,
  resolution,
} from './posting-codec.ts';
export { writeUtf8 } from './utf8.ts';
