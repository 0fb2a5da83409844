import { ByteReader, type ByteWriter, pushVarint } from './byte-codec.ts';

/**
 * Where a term stands, object by object: (delta docno, length in bytes, delta positions)..., docnos counted from
 * the segment's base. The length lets a reader skip objects it does not ask about.
 */
export class PositionList {
  readonly bytes: number[] = [];
  #last: number;

  constructor(base: number) {
    this.#last = base;
  }

  /** Positions in one object, ascending; docnos must ascend from call to call. */
  add(docno: number, positions: readonly number[]): void {
    pushVarint(this.bytes, docno - this.#last);
    this.#last = docno;
    const encoded: number[] = [];
    let last = 0;
    for (const position of positions) {
      pushVarint(encoded, position - last);
      last = position;
    }
    pushVarint(this.bytes, encoded.length);
    for (const byte of encoded) this.bytes.push(byte);
  }
}

/** How many positions a list holds. */
export function countPositions(list: Uint8Array | readonly number[]): number {
  const reader = new ByteReader(list instanceof Uint8Array ? list : Uint8Array.from(list));
  let count = 0;
  while (!reader.done) {
    reader.varint();
    // The last byte of each number is the only one without the upper bit.
    for (const byte of reader.bytes(reader.varint())) if (byte < 0x80) count++;
  }
  return count;
}

/** The positions of a term in each wanted docno (ascending) that stands in a segment's list, by the docno's index. */
export function readPositions(
  value: Uint8Array,
  base: number,
  wanted: Uint32Array,
  found: (readonly number[] | undefined)[],
): void {
  const starts: (number[] | undefined)[] = new Array(wanted.length);
  readStarts(value, base, wanted, 0, undefined, starts);
  for (const [index, positions] of starts.entries()) if (positions !== undefined) found[index] = positions;
}

/** Append one segment's list to a merged one; returns the last docno written. */
export function appendPositions(
  merged: ByteWriter,
  lastWritten: number,
  value: Uint8Array,
  base: number,
  keep: (docno: number) => boolean,
): number {
  const reader = new ByteReader(value);
  let docno = base;
  let last = lastWritten;
  while (!reader.done) {
    docno += reader.varint();
    const positions = reader.bytes(reader.varint());
    if (!keep(docno)) continue;
    merged.varint(docno - last);
    merged.varint(positions.length);
    merged.bytes(positions);
    last = docno;
  }
  return last;
}

/**
 * Where a phrase may begin, given one of its terms: for each wanted docno (ascending) that stands in a segment's
 * list, the term's positions less `offset`, the term's place in the phrase. With `known` (what earlier terms left
 * of each wanted docno) only those that are known already. Written to `found`, by the docno's index.
 */
export function readStarts(
  value: Uint8Array,
  base: number,
  wanted: Uint32Array,
  offset: number,
  known: readonly (readonly number[] | undefined)[] | undefined,
  found: (number[] | undefined)[],
): void {
  const reader = new ByteReader(value);
  let docno = base;
  let index = 0;
  while (!reader.done && index < wanted.length) {
    docno += reader.varint();
    const end = reader.varint() + reader.at;
    while (index < wanted.length && (wanted[index] as number) < docno) index++;
    if (wanted[index] !== docno) {
      reader.bytes(end - reader.at);
      continue;
    }
    const before = known?.[index];
    const starts: number[] = [];
    let position = -offset;
    let at = 0;
    while (reader.at < end) {
      position += reader.varint();
      if (before === undefined) {
        starts.push(position);
        continue;
      }
      while (at < before.length && (before[at] as number) < position) at++;
      if (at === before.length) {
        reader.bytes(end - reader.at);
        break;
      }
      if (before[at] === position) starts.push(position);
    }
    if (starts.length > 0) found[index] = starts;
  }
}
