import { ByteReader, ByteWriter } from './byte-codec.ts';
import { countPositions } from './position-codec.ts';

/** How many impact slots a posting list has (FlexSearch's `resolution`). */
export const resolution = 32;

/** FlexSearch's form of a posting list: for each slot, best first, the docnos filed there. */
export type Slots = (number[] | undefined)[];

/** A posting list in docno order, each docno with its slot. */
export interface Postings {
  readonly docnos: Uint32Array;
  readonly slots: Uint8Array;
  /** How often the term stands in these objects in all. */
  readonly occurrences: number;
}

export const noPostings: Postings = { docnos: new Uint32Array(), slots: new Uint8Array(), occurrences: 0 };

// Positions of a term ride along in its posting value while they are short; longer ones have a key of their own.
const maxInlinePositions = 96;

/** What one term of one segment is stored as. */
export interface EncodedTerm {
  /**
   * varint of twice the length of the slots, plus 1 where positions ride along; the slots; then the positions, or, where
   * they have a key of their own, a varint of how many there are.
   */
  readonly postings: Uint8Array;
  /** The positions when they are not. */
  readonly positions: Uint8Array | undefined;
}

const writer = new ByteWriter();

/** Encode a term's slots ((slot, count, delta docnos)...; docnos counted from `base`) and its positions. */
export function encodeTerm(
  slots: Slots,
  positions: Uint8Array | readonly number[],
  base: number,
): EncodedTerm {
  for (let slot = 0; slot < slots.length; slot++) {
    const docnos = slots[slot];
    if (docnos === undefined || docnos.length === 0) continue;
    writer.varint(slot);
    writer.varint(docnos.length);
    let last = base;
    for (const docno of docnos) {
      writer.varint(docno - last);
      last = docno;
    }
  }
  const body = writer.take();
  const inline = positions.length <= maxInlinePositions;
  writer.varint(2 * body.length + (inline ? 1 : 0));
  writer.bytes(body);
  if (inline) writer.bytes(positions);
  else writer.varint(countPositions(positions));
  return { postings: writer.take(), positions: inline ? undefined : Uint8Array.from(positions) };
}

/** Add a stored value's docnos to `slots`; docnos that `keep` refuses are left out. */
export function decodeSlots(
  value: Uint8Array,
  base: number,
  slots: Slots,
  keep?: (docno: number) => boolean,
): void {
  const reader = new ByteReader(value);
  const length = Math.floor(reader.varint() / 2);
  const body = new ByteReader(value, reader.at, Math.min(value.length, reader.at + length));
  while (!body.done) {
    const slot = body.varint() % resolution;
    const count = body.varint();
    let docno = base;
    slots[slot] ??= [];
    const list = slots[slot];
    for (let index = 0; index < count; index++) {
      docno += body.varint();
      if (keep === undefined || keep(docno)) list.push(docno);
    }
  }
}

/** The positions that ride along in a stored value, or undefined when they have a key of their own. */
export function inlinePositions(value: Uint8Array): Uint8Array | undefined {
  const reader = new ByteReader(value);
  const head = reader.varint();
  return head % 2 === 1 ? value.subarray(reader.at + Math.floor(head / 2)) : undefined;
}

/** How often a stored term stands in its segment's objects, those that died since included. */
export function occurrencesIn(value: Uint8Array): number {
  const reader = new ByteReader(value);
  const head = reader.varint();
  const at = reader.at + Math.floor(head / 2);
  if (head % 2 === 1) return countPositions(value.subarray(at));
  return at < value.length ? new ByteReader(value, at).varint() : 0;
}

/** Turn slots into docno order. */
export function postingsOf(slots: Slots, occurrences: number): Postings {
  let count = 0;
  let least = Number.POSITIVE_INFINITY;
  let most = 0;
  for (const list of slots) {
    if (list === undefined || list.length === 0) continue;
    count += list.length;
    for (const docno of list) {
      if (docno < least) least = docno;
      if (docno > most) most = docno;
    }
  }
  if (count === 0) return noPostings;
  const docnos = new Uint32Array(count);
  const order = new Uint8Array(count);
  const range = most - least + 1;
  let at = 0;
  if (range <= count * 32) {
    // Dense: drop each docno's slot into its place and sweep.
    const placed = new Uint8Array(range);
    slots.forEach((list, slot) => {
      for (const docno of list ?? []) placed[docno - least] = slot + 1;
    });
    for (let offset = 0; offset < range; offset++) {
      const slot = placed[offset] as number;
      if (slot === 0) continue;
      docnos[at] = least + offset;
      order[at++] = slot - 1;
    }
    return at === count
      ? { docnos, slots: order, occurrences }
      : { docnos: docnos.slice(0, at), slots: order.slice(0, at), occurrences };
  }
  const packed = new Float64Array(count);
  slots.forEach((list, slot) => {
    for (const docno of list ?? []) packed[at++] = docno * 64 + slot;
  });
  packed.sort();
  for (let index = 0; index < count; index++) {
    const value = packed[index] as number;
    docnos[index] = Math.floor(value / 64);
    order[index] = value % 64;
  }
  return { docnos, slots: order, occurrences };
}
