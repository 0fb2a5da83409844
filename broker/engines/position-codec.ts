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

/** Visit the positions of the wanted docnos (ascending) that stand in one segment's list. */
export function readPositions(
  value: Uint8Array,
  base: number,
  wanted: Uint32Array,
  visit: (index: number, positions: number[]) => void,
): void {
  const reader = new ByteReader(value);
  let docno = base;
  let index = 0;
  while (!reader.done && index < wanted.length) {
    docno += reader.varint();
    const length = reader.varint();
    while (index < wanted.length && (wanted[index] as number) < docno) index++;
    if (wanted[index] !== docno) {
      reader.bytes(length);
      continue;
    }
    const end = reader.at + length;
    const positions: number[] = [];
    let position = 0;
    while (reader.at < end) {
      position += reader.varint();
      positions.push(position);
    }
    visit(index, positions);
  }
}
