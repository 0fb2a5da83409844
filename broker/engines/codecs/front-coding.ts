import { type ByteReader, type ByteWriter, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

// Sorted keys one after the other: what each shares with the one before it is not written again.

/** The byte before a pair of numbers that does not fit into one byte. */
const pairInFull = 255;

/** Two numbers, most often in one byte. */
export function writePair(writer: ByteWriter, first: number, second: number): void {
  if (first < 15 && second < 15) {
    writer.byte(first * 16 + second);
    return;
  }
  writer.byte(pairInFull);
  writer.varint(first);
  writer.varint(second);
}

export function readPair(reader: ByteReader): [first: number, second: number] {
  const byte = reader.byte();
  return byte === pairInFull ? [reader.varint(), reader.varint()] : [byte >>> 4, byte & 15];
}

/** How many bytes two keys share at their beginning. */
export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const max = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < max && a[shared] === b[shared]) shared++;
  return shared;
}

/** Write `bytes` as what it shares with `before` and the rest. */
export function writeAfter(writer: ByteWriter, before: Uint8Array, bytes: Uint8Array): void {
  const shared = sharedLength(before, bytes);
  writePair(writer, shared, bytes.length - shared);
  writer.bytes(bytes.subarray(shared));
}

/** Read what `writeAfter` wrote. Throws ENGINE_DAMAGED. */
export function readAfter(reader: ByteReader, before: Uint8Array): Uint8Array {
  const [shared, own] = readPair(reader);
  if (shared > before.length)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a word begins like none before it' });
  const rest = reader.bytes(own);
  const bytes = new Uint8Array(shared + rest.length);
  bytes.set(before.subarray(0, shared));
  bytes.set(rest, shared);
  return bytes;
}
