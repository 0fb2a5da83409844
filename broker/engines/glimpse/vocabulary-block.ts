import { ByteReader, ByteWriter } from '../byte-codec.ts';
import { readAfter, writeAfter } from '../front-coding.ts';

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
