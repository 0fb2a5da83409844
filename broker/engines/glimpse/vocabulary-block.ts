import { failure } from '../../../kernel/index.ts';
import { ByteReader, ByteWriter } from '../byte-codec.ts';
import { engineErrors } from '../errors.ts';

/** A normalised word, not stemmed. */
export interface VocabularyWord {
  readonly word: string;
  /** Every time it stands in a text it is written there in ASCII letters and digits, so that bytes can be compared. */
  readonly plain: boolean;
}

/** A term, the words that have it, and the blocks of objects in which one of them stands. */
export interface VocabularyEntry {
  readonly term: string;
  readonly words: readonly VocabularyWord[];
  /** Ascending. */
  readonly blocks: readonly number[];
}

/** Entries in one stored value. */
export const entriesPerValue = 64;

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const none = new Uint8Array();

function writeAfter(writer: ByteWriter, before: Uint8Array, bytes: Uint8Array): void {
  let shared = 0;
  while (shared < before.length && shared < bytes.length && before[shared] === bytes[shared]) shared++;
  writer.varint(shared);
  writer.varint(bytes.length - shared);
  writer.bytes(bytes.subarray(shared));
}

function readAfter(reader: ByteReader, before: Uint8Array): Uint8Array {
  const shared = reader.varint();
  if (shared > before.length)
    throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a word begins like none before it' });
  const rest = reader.bytes(reader.varint());
  const bytes = new Uint8Array(shared + rest.length);
  bytes.set(before.subarray(0, shared));
  bytes.set(rest, shared);
  return bytes;
}

/**
 * Encode entries, sorted by the bytes of their terms; blocks count from `base`. For each: the term after the one before;
 * twice the number of words, plus 1 where the term is one of them and plain; each other word after the term, with twice
 * its length of rest and a bit for plain; then the blocks as differences.
 */
export function encodeEntries(entries: readonly VocabularyEntry[], base: number): Uint8Array {
  const writer = new ByteWriter();
  let last: Uint8Array = none;
  for (const { term, words, blocks } of entries) {
    const bytes = encoder.encode(term);
    writeAfter(writer, last, bytes);
    const itself = words.some(({ word, plain }) => word === term && plain);
    const others = words.filter(({ word, plain }) => !(word === term && plain));
    writer.varint(2 * others.length + (itself ? 1 : 0));
    for (const { word, plain } of others) {
      writer.varint(plain ? 1 : 0);
      writeAfter(writer, bytes, encoder.encode(word));
    }
    writer.varint(blocks.length);
    let before = base;
    for (const block of blocks) {
      writer.varint(block - before);
      before = block;
    }
    last = bytes;
  }
  return writer.take();
}

/** The entries of a stored value. Throws ENGINE_DAMAGED. */
export function* decodeEntries(value: Uint8Array, base: number): Generator<VocabularyEntry> {
  const reader = new ByteReader(value);
  let last: Uint8Array = none;
  while (!reader.done) {
    last = readAfter(reader, last);
    const term = decoder.decode(last);
    const head = reader.varint();
    const words: VocabularyWord[] = head % 2 === 1 ? [{ word: term, plain: true }] : [];
    for (let count = head >>> 1; count > 0; count--) {
      const plain = reader.varint() === 1;
      words.push({ word: decoder.decode(readAfter(reader, last)), plain });
    }
    const blocks: number[] = [];
    let block = base;
    for (let count = reader.varint(); count > 0; count--) {
      block += reader.varint();
      blocks.push(block);
    }
    yield { term, words, blocks };
  }
}
