import { type ByteReader, ByteWriter, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';
import { BitReader, BitWriter, readerOf, riceFor } from './bit-codec.ts';

/** Number of impact slots of a posting list (FlexSearch's `resolution`). */
export const resolution = 32;

/** A posting list in docno order, each docno with its slot. */
export interface Postings {
  readonly docnos: Uint32Array;
  readonly slots: Uint8Array;
  /** Occurrences of the term in all of these objects together. */
  readonly occurrences: number;
}

export const noPostings: Postings = { docnos: new Uint32Array(), slots: new Uint8Array(), occurrences: 0 };

const bytes = new ByteWriter();
const bits = new BitWriter();
const slotBits = 5;
const widthBits = 3;

/**
 * Encode a posting list: the numbers of docnos and occurrences, the first docno (counted from `base`), then
 * bit by bit the Rice-coded gaps, each with its slot in as few bits as the range of slots needs.
 */
export function encodePostings({ docnos, slots, occurrences }: Postings, base: number): Uint8Array {
  const count = docnos.length;
  const first = docnos[0] as number;
  const more = occurrences - count;
  bytes.varint(2 * count + (more > 0 ? 1 : 0));
  if (more > 0) bytes.varint(more);
  bytes.varint(first - base);
  let min = resolution;
  let max = 0;
  for (const slot of slots) {
    if (slot < min) min = slot;
    if (slot > max) max = slot;
  }
  bits.bits(min, slotBits);
  if (count > 1) {
    const width = 32 - Math.clz32(max - min);
    const k = riceFor(((docnos[count - 1] as number) - first) / (count - 1) - 1);
    bits.bits(width, widthBits);
    bits.bits(k, 4);
    bits.bits((slots[0] as number) - min, width);
    let last = first;
    for (let index = 1; index < count; index++) {
      const docno = docnos[index] as number;
      bits.rice(docno - last - 1, k);
      bits.bits((slots[index] as number) - min, width);
      last = docno;
    }
  }
  bytes.bytes(bits.take());
  return bytes.take();
}

function readHead(reader: ByteReader) {
  const head = reader.varint();
  const count = head >>> 1;
  const occurrences = count + (head % 2 === 1 ? reader.varint() : 0);
  return { count, occurrences };
}

export function decodePostings(value: Uint8Array, base: number): Postings {
  const reader = readerOf(value);
  const { count, occurrences } = readHead(reader);
  // Each docno takes at least a bit, so this bounds the memory for a damaged count.
  if (count === 0 || count > value.length * 8) throw damaged();
  const docnos = new Uint32Array(count);
  const slots = new Uint8Array(count);
  docnos[0] = base + reader.varint();
  const packed = new BitReader(value, reader.at, value.length);
  const min = packed.bits(slotBits);
  slots[0] = min;
  if (count > 1) {
    const width = packed.bits(widthBits);
    const k = packed.bits(4);
    slots[0] = (min + packed.bits(width)) % resolution;
    packed.gaps({ k, width, min, mask: resolution - 1 }, docnos, slots);
  }
  packed.check();
  return { docnos, slots, occurrences };
}

/** A stored list with its docnos counted from a base that is lower by `shift`. */
export function rebasedPostings(value: Uint8Array, shift: number): Uint8Array {
  if (shift === 0) return value;
  const reader = readerOf(value);
  readHead(reader);
  const head = value.subarray(0, reader.at);
  const first = reader.varint();
  bytes.bytes(head);
  bytes.varint(first + shift);
  bytes.bytes(value.subarray(reader.at));
  return bytes.take();
}

const damaged = () => failure(engineErrors.ENGINE_DAMAGED, { what: 'a posting ends early' });

/** Join the lists of neighbouring segments. */
export function joinPostings(parts: readonly Postings[]): Postings {
  if (parts.length === 0) return noPostings;
  if (parts.length === 1) return parts[0] as Postings;
  let [count, occurrences, at] = [0, 0, 0];
  for (const part of parts) {
    count += part.docnos.length;
    occurrences += part.occurrences;
  }
  const docnos = new Uint32Array(count);
  const slots = new Uint8Array(count);
  for (const part of parts) {
    docnos.set(part.docnos, at);
    slots.set(part.slots, at);
    at += part.docnos.length;
  }
  return { docnos, slots, occurrences };
}

/** The docnos that `keep` accepts, with a proportional share of the occurrences, rounded. */
export function filteredPostings(postings: Postings, keep: (docno: number) => boolean): Postings {
  const { docnos, slots, occurrences } = postings;
  const indexes: number[] = [];
  for (let index = 0; index < docnos.length; index++) if (keep(docnos[index] as number)) indexes.push(index);
  if (indexes.length === docnos.length) return postings;
  return {
    docnos: Uint32Array.from(indexes, (index) => docnos[index] as number),
    slots: Uint8Array.from(indexes, (index) => slots[index] as number),
    occurrences: Math.max(indexes.length, Math.round((occurrences * indexes.length) / docnos.length)),
  };
}
