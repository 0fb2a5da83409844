import { brotliCompressSync, brotliDecompressSync, constants } from 'node:zlib';
import { type ByteReader, ByteWriter, failure } from '../../../kernel/index.ts';
import { termParts } from '../../../query/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';
import { readPair, sharedLength, writeAfter, writePair } from '../codecs/front-coding.ts';
import { engineErrors } from '../errors.ts';
import { encodeLists, type ObjectList, type ObjectSpan, StoredLists } from './object-lists.ts';

/** A normalised word, not stemmed. */
export interface VocabularyWord {
  readonly word: string;
  /** Every occurrence is written in ASCII letters and digits, so that bytes can be compared. */
  readonly plain: boolean;
}

export interface TermWords {
  readonly term: string;
  readonly words: readonly VocabularyWord[];
}

/** A term, the words that have it, and the objects of these. */
export interface VocabularyEntry extends TermWords {
  readonly list: ObjectList;
}

/** Entries in one stored value. */
export const entriesPerValue = 512;

/** Max size of a value's unpacked terms and words. */
const maxTextBytes = 32 * 1024 * 1024;

/** Fewer bytes are not packed, because packing would cost more than it saves. */
const minPacked = 512;

const compression = {
  params: { [constants.BROTLI_PARAM_QUALITY]: 9, [constants.BROTLI_PARAM_LGWIN]: 14 },
};

const encoder = new TextEncoder();
const decoder = new TextDecoder();
const none = new Uint8Array();

/** Whether and how a term's stem is one of its words. */
const Itself = { none: 0, plain: 1, otherwise: 2 } as const;
const itselfKinds = 3;

function itselfOf(stem: string, words: readonly VocabularyWord[]): number {
  const itself = words.find(({ word }) => word === stem);
  if (itself === undefined) return Itself.none;
  return itself.plain ? Itself.plain : Itself.otherwise;
}

/**
 * Terms, sorted by their bytes, with their words, as columns: the terms, front-coded; three times the number
 * of words besides the stem, plus the stem's kind; for each such word whether it is plain, the bytes of the
 * stem that it drops, and those that it adds.
 */
function encodeTexts(entries: readonly TermWords[]): Uint8Array {
  const [terms, counts, plain, forms, endings] = Array.from({ length: 5 }, () => new ByteWriter()) as [
    ...[ByteWriter, ByteWriter, ByteWriter, ByteWriter, ByteWriter],
  ];
  let last = none;
  for (const { term, words } of entries) {
    const bytes = encoder.encode(term);
    writeAfter(terms, last, bytes);
    last = bytes;
    const stem = termParts(term)[1];
    const stemBytes = encoder.encode(stem);
    const others = words.filter(({ word }) => word !== stem);
    counts.varint(itselfKinds * others.length + itselfOf(stem, words));
    for (const other of others) {
      const word = encoder.encode(other.word);
      const shared = sharedLength(stemBytes, word);
      plain.byte(other.plain ? 1 : 0);
      writePair(forms, stemBytes.length - shared, word.length - shared);
      endings.bytes(word.subarray(shared));
    }
  }
  const columns = [terms, counts, plain, forms, endings].map((column) => column.take());
  const all = new ByteWriter();
  for (const column of columns) all.varint(column.length);
  for (const column of columns) all.bytes(column);
  return all.take();
}

const damaged = (cause?: unknown) =>
  failure(engineErrors.ENGINE_DAMAGED, { what: 'words cannot be read' }, cause);

function unpacked(packed: Uint8Array): Uint8Array {
  try {
    return brotliDecompressSync(packed, { maxOutputLength: maxTextBytes });
  } catch (cause) {
    throw damaged(cause);
  }
}

/**
 * Encode entries, sorted by the bytes of their terms: their number; twice the byte length of their texts, plus 1
 * where these are packed; the texts; the lists.
 */
export function encodeEntries(entries: readonly VocabularyEntry[], span: ObjectSpan): Uint8Array {
  const writer = new ByteWriter();
  const plain = encodeTexts(entries);
  const isPacked = plain.length >= minPacked;
  const texts = isPacked ? brotliCompressSync(plain, compression) : plain;
  writer.varint(entries.length);
  writer.varint(2 * texts.length + (isPacked ? 1 : 0));
  writer.bytes(texts);
  writer.bytes(
    encodeLists(
      entries.map(({ list }) => list),
      span,
    ),
  );
  return writer.take();
}

/** Stored entries. Each part is read when it is needed. Every method throws ENGINE_DAMAGED. */
export class VocabularyBlock {
  readonly lists: StoredLists;
  readonly #count: number;
  readonly #texts: Uint8Array;
  readonly #isPacked: boolean;

  constructor(value: Uint8Array, span: ObjectSpan) {
    const reader = readerOf(value);
    this.#count = reader.varint();
    if (this.#count > entriesPerValue) throw damaged();
    const length = reader.varint();
    this.#isPacked = length % 2 === 1;
    this.#texts = reader.bytes(length >>> 1);
    // A copy: lists are kept, the value is not.
    this.lists = new StoredLists(value.slice(reader.at), this.#count, span);
  }

  /** Terms and words, without their objects. */
  *texts(): Generator<TermWords> {
    const all = readerOf(this.#isPacked ? unpacked(this.#texts) : this.#texts);
    const lengths = Array.from({ length: 5 }, () => all.varint());
    const [terms, counts, plain, forms, endings] = lengths.map((length) => readerOf(all.bytes(length))) as [
      ...[ByteReader, ByteReader, ByteReader, ByteReader, ByteReader],
    ];
    let last: Uint8Array = none;
    for (let at = 0; at < this.#count; at++) {
      const [shared, own] = readPair(terms);
      last = extended(last, shared, terms.bytes(own));
      const term = decoder.decode(last);
      const stem = termParts(term)[1];
      const stemBytes = stem === term ? last : encoder.encode(stem);
      const count = counts.varint();
      const itself = count % itselfKinds;
      const words: VocabularyWord[] =
        itself === Itself.none ? [] : [{ word: stem, plain: itself === Itself.plain }];
      for (let left = Math.floor(count / itselfKinds); left > 0; left--) {
        const isPlain = plain.byte() === 1;
        const [dropped, more] = readPair(forms);
        const word = extended(stemBytes, stemBytes.length - dropped, endings.bytes(more));
        words.push({ word: decoder.decode(word), plain: isPlain });
      }
      yield { term, words };
    }
  }

  *entries(): Generator<VocabularyEntry> {
    const lists = this.lists.all();
    for (const texts of this.texts()) {
      const next = lists.next();
      if (next.done === true) return;
      yield { ...texts, list: next.value };
    }
  }

  find(term: string): VocabularyEntry | undefined {
    let at = 0;
    for (const texts of this.texts()) {
      if (texts.term === term) return { ...texts, list: this.lists.at(at) };
      at++;
    }
    return undefined;
  }
}

/** The first bytes of `before`, then these. */
function extended(before: Uint8Array, shared: number, rest: Uint8Array): Uint8Array {
  if (shared < 0 || shared > before.length) throw damaged();
  const bytes = new Uint8Array(shared + rest.length);
  bytes.set(before.subarray(0, shared));
  bytes.set(rest, shared);
  return bytes;
}
