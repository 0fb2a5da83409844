import { type Oid, oidBytes } from '../../soif/index.ts';

// i                       the state of the index (one record)
// c <chunk>               columns of 1024 docnos: source and type of each
// a <column> <chunk>      details of 256 docnos, by which results are ordered, counted and folded
// d <docno>               OID of a docno
// e <docno>               what its title and URL are ordered by
// o <OID>                 docno of an OID
// v <kind> <id>           value of a source, a type, or a counted attribute
// s <segment> p <field> <term>   postings, with short positions
// s <segment> q <field> <term>   long positions
// s <segment> w <word>           in how many objects a word stands as it is written
const family = {
  state: 105,
  detail: 97,
  column: 99,
  docno: 100,
  order: 101,
  oid: 111,
  value: 118,
  segment: 115,
  postings: 112,
  positions: 113,
  words: 119,
};

function numbered(kind: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(5);
  key[0] = kind;
  key.writeUInt32BE(number, 1);
  return key;
}

/** A range of keys: from `gte` to before `lt`. */
export interface KeyRange {
  readonly gte: Uint8Array;
  readonly lt: Uint8Array;
}

const familyRange = (kind: number): KeyRange => ({ gte: Buffer.from([kind]), lt: Buffer.from([kind + 1]) });

export const stateKey: Uint8Array = Buffer.from([family.state]);
export const columnKey = (chunk: number): Uint8Array => numbered(family.column, chunk);
export const columnRange = familyRange(family.column);
export const docnoKey = (docno: number): Uint8Array => numbered(family.docno, docno);
export const oidKey = (oid: Oid): Uint8Array => Buffer.concat([Buffer.from([family.oid]), oidBytes(oid)]);
export const valueRange = familyRange(family.value);
/** Every key but the state. */
export const allButState: readonly KeyRange[] = [
  { gte: Buffer.alloc(0), lt: Buffer.from([family.state]) },
  { gte: Buffer.from([family.state + 1]), lt: Buffer.from([255]) },
];

export const orderKey = (docno: number): Uint8Array => numbered(family.order, docno);

export function detailKey(column: number, chunk: number): Uint8Array {
  const key = Buffer.allocUnsafe(6);
  key[0] = family.detail;
  key[1] = column;
  key.writeUInt32BE(chunk, 2);
  return key;
}

/** The key of the `id`th value of a column: 0 for sources, 1 for types, then counted attributes. */
export function valueKey(kind: number, id: number): Uint8Array {
  const key = Buffer.allocUnsafe(4);
  key[0] = family.value;
  key[1] = kind;
  key.writeUInt16BE(id, 2);
  return key;
}

/** The number of a key that holds one after its family byte. */
export const keyNumber = (key: Uint8Array): number => new DataView(key.buffer, key.byteOffset).getUint32(1);

function segmentKey(segment: number, kind: number, field: number | undefined, text: string): Buffer {
  const head = field === undefined ? 6 : 7;
  const key = Buffer.allocUnsafe(head + Buffer.byteLength(text));
  key[0] = family.segment;
  key.writeUInt32BE(segment, 1);
  key[5] = kind;
  if (field !== undefined) key[6] = field;
  key.write(text, head);
  return key;
}

/** Postings of a term in a field of a segment. */
export const postingsKey = (segment: number, field: number, term: string): Uint8Array =>
  segmentKey(segment, family.postings, field, term);

/** Long positions of a term in a field of a segment. */
export const positionsKey = (segment: number, field: number, term: string): Uint8Array =>
  segmentKey(segment, family.positions, field, term);

export const wordKey = (segment: number, word: string): Uint8Array =>
  segmentKey(segment, family.words, undefined, word);

export const segmentRange = (segment: number): KeyRange => ({
  gte: numbered(family.segment, segment),
  lt: numbered(family.segment, segment + 1),
});

const partRange = (segment: number, kind: number): KeyRange => ({
  gte: segmentKey(segment, kind, undefined, ''),
  lt: segmentKey(segment, kind + 1, undefined, ''),
});

export const postingsRange = (segment: number): KeyRange => partRange(segment, family.postings);
export const wordsRange = (segment: number): KeyRange => partRange(segment, family.words);

/** What follows the segment number and the part: field and term of postings, or a word. */
export const segmentSuffix = (key: Uint8Array): Uint8Array => key.subarray(6);

/** A postings key as the same term's key in another segment and part. */
export function movedKey(
  suffix: Uint8Array,
  segment: number,
  part: 'postings' | 'positions' | 'words',
): Uint8Array {
  const key = Buffer.allocUnsafe(6 + suffix.length);
  key[0] = family.segment;
  key.writeUInt32BE(segment, 1);
  key[5] = family[part];
  key.set(suffix, 6);
  return key;
}

/** Words of a segment that begin with `prefix`. */
export function wordPrefixRange(segment: number, prefix: string): KeyRange {
  const gte = wordKey(segment, prefix);
  // No UTF-8 byte is 255.
  return { gte, lt: Buffer.concat([gte, Buffer.from([255])]) };
}
