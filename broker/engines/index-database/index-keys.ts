import { type Oid, oidBytes } from '../../../soif/index.ts';

// i                       the state of the index (one record)
// c <chunk>               columns of 1024 docnos: source and type of each
// a <column> <chunk>      details of 256 docnos, by which results are ordered, counted and folded
// d <docno>               OID of a docno
// e <docno>               sort keys of its title and URL; packed: e <chunk>, of 128 docnos
// o <OID>                 docno of an OID, or the docnos of OIDs with this beginning
// v <kind> <id>           value of a source, a type, or a counted attribute
// l o <docno>             mark of its page: a hash of its URL
// l f <docno>             marks of its host and of the pages of other hosts to which it links
// l p <page> <host>       how many objects of a host link to a page
// l t <page>              how many other hosts link to a page
// s <segment> b <block>   terms of all fields in the order of field and term, about 4 KiB in a block
// s <segment> d <row>     the first key of each block
// s <segment> f <row>     a filter of the terms
// s <segment> p <block> <number>   postings of the block's nth term, where they are long
// s <segment> q <block> <number>   its positions, where they are long
// s <segment> w <word>    words as written, with the number of objects in which bare words find them
// s <segment> g <term>    terms, each with the words that have it
const family = {
  state: 105,
  detail: 97,
  column: 99,
  docno: 100,
  order: 101,
  oid: 111,
  value: 118,
  segment: 115,
  link: 108,
  linkOwn: 111,
  linkFrom: 102,
  linkPair: 112,
  linkTo: 116,
  blocks: 98,
  directory: 100,
  filter: 102,
  postings: 112,
  positions: 113,
  words: 119,
  groups: 103,
};

function numbered(kind: number, number: number): Buffer {
  const key = Buffer.allocUnsafe(5);
  key[0] = kind;
  key.writeUInt32BE(number, 1);
  return key;
}

/** A range of keys: from `gte` to `lt`, exclusive. */
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

/** Bytes of an OID in a key, where OIDs with the same beginning can be distinguished otherwise. */
const oidBeginning = 5;
export const oidBeginningKey = (oid: Oid): Uint8Array => oidKey(oid).subarray(0, 1 + oidBeginning);
export const oidRange = familyRange(family.oid);
export const valueRange = familyRange(family.value);
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

/** The key of value number `id` of a column: 0 for sources, 1 for types, then counted attributes. */
export function valueKey(kind: number, id: number): Uint8Array {
  const key = Buffer.allocUnsafe(4);
  key[0] = family.value;
  key[1] = kind;
  key.writeUInt16BE(id, 2);
  return key;
}

/** The number in a key after its family byte, or at another offset. */
export const keyNumber = (key: Uint8Array, at = 1): number =>
  new DataView(key.buffer, key.byteOffset).getUint32(at);

function linkedKey(kind: number, rest: Uint8Array): Uint8Array {
  return Buffer.concat([Buffer.of(family.link, kind), rest]);
}

function linkedDocno(kind: number, docno: number): Uint8Array {
  const key = Buffer.allocUnsafe(6);
  key[0] = family.link;
  key[1] = kind;
  key.writeUInt32BE(docno, 2);
  return key;
}

export const pageKey = (docno: number): Uint8Array => linkedDocno(family.linkOwn, docno);
export const linksKey = (docno: number): Uint8Array => linkedDocno(family.linkFrom, docno);
/** By the marks of page and host. */
export const linkKey = (marks: Uint8Array): Uint8Array => linkedKey(family.linkPair, marks);
/** By the mark of a page. */
export const hostsKey = (page: Uint8Array): Uint8Array => linkedKey(family.linkTo, page);

function segmentKey(segment: number, kind: number, length: number): Buffer {
  const key = Buffer.allocUnsafe(6 + length);
  key[0] = family.segment;
  key.writeUInt32BE(segment, 1);
  key[5] = kind;
  return key;
}

function numberedKey(segment: number, kind: number, number: number): Uint8Array {
  const key = segmentKey(segment, kind, 4);
  key.writeUInt32BE(number, 6);
  return key;
}

function longKey(segment: number, kind: number, block: number, number: number): Uint8Array {
  const key = segmentKey(segment, kind, 6);
  key.writeUInt32BE(block, 6);
  key.writeUInt16BE(number, 10);
  return key;
}

/** Terms are ordered by field, then by their UTF-8. */
export function termKey(field: number, term: string): Uint8Array {
  const key = Buffer.allocUnsafe(1 + Buffer.byteLength(term));
  key[0] = field;
  key.write(term, 1);
  return key;
}

const decoder = new TextDecoder();
export const termOfKey = (key: Uint8Array): string => decoder.decode(key.subarray(1));

export const blockKey = (segment: number, block: number): Uint8Array =>
  numberedKey(segment, family.blocks, block);

export const directoryKey = (segment: number, row: number): Uint8Array =>
  numberedKey(segment, family.directory, row);

export const filterKey = (segment: number, row: number): Uint8Array =>
  numberedKey(segment, family.filter, row);

/** Postings of term number `number` of a block, where they are long. */
export const postingsKey = (segment: number, block: number, number: number): Uint8Array =>
  longKey(segment, family.postings, block, number);

/** Positions of term number `number` of a block, where they are long. */
export const positionsKey = (segment: number, block: number, number: number): Uint8Array =>
  longKey(segment, family.positions, block, number);

function textKey(segment: number, kind: number, text: string): Uint8Array {
  const key = segmentKey(segment, kind, Buffer.byteLength(text));
  key.write(text, 6);
  return key;
}

export const wordKey = (segment: number, word: string): Uint8Array => textKey(segment, family.words, word);

/** The key of a block of word groups, by its first term. */
export const groupKey = (segment: number, term: string): Uint8Array => textKey(segment, family.groups, term);

export const segmentRange = (segment: number): KeyRange => ({
  gte: numbered(family.segment, segment),
  lt: numbered(family.segment, segment + 1),
});

const partRange = (segment: number, kind: number): KeyRange => ({
  gte: segmentKey(segment, kind, 0),
  lt: segmentKey(segment, kind + 1, 0),
});

/** Blocks of a segment, from block `from` on. */
export const blockRange = (segment: number, from = 0): KeyRange => ({
  gte: blockKey(segment, from),
  lt: segmentKey(segment, family.blocks + 1, 0),
});

export const wordsRange = (segment: number): KeyRange => partRange(segment, family.words);
export const groupsRange = (segment: number): KeyRange => partRange(segment, family.groups);

/** Words of a segment that begin with `prefix`. */
export function wordPrefixRange(segment: number, prefix: string): KeyRange {
  const gte = wordKey(segment, prefix);
  // No UTF-8 byte is 255.
  return { gte, lt: Buffer.concat([gte, Buffer.from([255])]) };
}
