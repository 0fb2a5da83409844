import { type ByteReader, ByteWriter } from '../../../kernel/index.ts';
import type { Language } from '../../../query/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';

/** A value of an object whose words are indexed. */
export interface ValuePlace {
  /** The attribute, as named in the object. */
  readonly name: string;
  /** The position of its first token. Those of the next value begin at least two after its last. */
  readonly from: number;
}

/** The data of an object beside the places of its words. */
export interface ObjectValues {
  readonly language: Language;
  /** In the order of their positions. */
  readonly values: readonly ValuePlace[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

function writeText(writer: ByteWriter, text: string): void {
  const bytes = encoder.encode(text);
  writer.varint(bytes.length);
  writer.bytes(bytes);
}

const readText = (reader: ByteReader) => decoder.decode(reader.bytes(reader.varint()));

/** The language's code, then the name of each value with its distance to the one before. */
export function encodeValues({ language, values }: ObjectValues): Uint8Array {
  const writer = new ByteWriter();
  writeText(writer, language);
  let before = 0;
  for (const { name, from } of values) {
    writeText(writer, name);
    writer.varint(from - before);
    before = from;
  }
  return writer.take();
}

/** Decode the output of `encodeValues`. Throws ENGINE_DAMAGED. */
export function decodeValues(bytes: Uint8Array): ObjectValues {
  const reader = readerOf(bytes);
  const language = readText(reader) as Language;
  const values: ValuePlace[] = [];
  let from = 0;
  while (!reader.done) {
    const name = readText(reader);
    from += reader.varint();
    values.push({ name, from });
  }
  return { language, values };
}

/** The number of the value that contains a position. */
export function valueAt({ values }: ObjectValues, position: number): number {
  let [low, high] = [0, values.length];
  while (low < high) {
    const middle = (low + high) >> 1;
    if ((values[middle] as ValuePlace).from <= position) low = middle + 1;
    else high = middle;
  }
  return low - 1;
}
