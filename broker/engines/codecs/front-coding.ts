import { type ByteReader, type ByteWriter, failure } from '../../../kernel/index.ts';
import { engineErrors } from '../errors.ts';

// Sorted keys in sequence. The part that a key shares with the one before is not stored again.

/** The byte before a pair of numbers that does not fit into one byte. */
const pairInFull = 255;

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

/** Length of the common prefix of two keys, in bytes. */
export function sharedLength(a: Uint8Array, b: Uint8Array): number {
  const max = Math.min(a.length, b.length);
  let shared = 0;
  while (shared < max && a[shared] === b[shared]) shared++;
  return shared;
}

/** Write `bytes` as the length shared with `before` and the rest. */
export function writeAfter(writer: ByteWriter, before: Uint8Array, bytes: Uint8Array): void {
  const shared = sharedLength(before, bytes);
  writePair(writer, shared, bytes.length - shared);
  writer.bytes(bytes.subarray(shared));
}

/** Read the output of `writeAfter`. Throws ENGINE_DAMAGED. */
export function readAfter(reader: ByteReader, before: Uint8Array): Uint8Array {
  const [shared, own] = readPair(reader);
  if (shared > before.length)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a word shares more than the word before it has' });
  const rest = reader.bytes(own);
  const bytes = new Uint8Array(shared + rest.length);
  bytes.set(before.subarray(0, shared));
  bytes.set(rest, shared);
  return bytes;
}

/** Write a text's UTF-8 at `at`, where there is enough space. Returns its end. Short texts need no call. */
export function writeUtf8(bytes: Buffer, at: number, text: string): number {
  let end = at;
  for (let index = 0; index < text.length; index++) {
    const code = text.charCodeAt(index);
    if (code < 0x80) {
      bytes[end++] = code;
    } else if (code < 0x800) {
      bytes[end++] = 0xc0 | (code >> 6);
      bytes[end++] = 0x80 | (code & 63);
    } else if (code < 0xd800 || code > 0xdfff) {
      bytes[end++] = 0xe0 | (code >> 12);
      bytes[end++] = 0x80 | ((code >> 6) & 63);
      bytes[end++] = 0x80 | (code & 63);
    } else {
      return at + bytes.write(text, at);
    }
  }
  return end;
}
