import type { ByteReader, ByteWriter } from './byte-codec.ts';

// Sorted keys one after the other: what each shares with the one before it is not written again.

const inFull = 255;

/** Two numbers, most often in one byte. */
export function writePair(writer: ByteWriter, first: number, second: number): void {
  if (first < 15 && second < 15) {
    writer.byte(first * 16 + second);
    return;
  }
  writer.byte(inFull);
  writer.varint(first);
  writer.varint(second);
}

export function readPair(reader: ByteReader): [first: number, second: number] {
  const byte = reader.byte();
  return byte === inFull ? [reader.varint(), reader.varint()] : [byte >>> 4, byte & 15];
}

/** How many bytes two keys share at their beginning. */
export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const most = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < most && a[shared] === b[shared]) shared++;
  return shared;
}
