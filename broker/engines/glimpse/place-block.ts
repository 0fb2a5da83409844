import { ByteWriter } from '../../../kernel/index.ts';
import { termParts } from '../../../query/index.ts';
import { readerOf } from '../codecs/bit-codec.ts';
import { readAfter, writeAfter } from '../codecs/front-coding.ts';

/** A written form of a token and its places: objects and the positions in them, both ascending. */
export interface PlacedForm {
  /** Normalised, not stemmed. */
  readonly word: string;
  /** The form compared with case; undefined for one that is too long to be stored. */
  readonly written: string | undefined;
  /** Encoded (`encodePlaces`). */
  readonly places: Uint8Array;
}

/** A term with its forms in the objects of one chunk. */
export interface PlacedTerm {
  readonly term: string;
  readonly forms: readonly PlacedForm[];
}

export interface ObjectPlaces {
  readonly docno: number;
  readonly positions: readonly number[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

const writer = new ByteWriter();

/**
 * Encode objects, counted from `base`. Each has twice its distance from the docno before, plus 1 when it has
 * one position; the number of positions when it has more; then the positions as differences.
 */
export function encodePlaces(objects: Iterable<ObjectPlaces>, base: number): Uint8Array {
  let before = base;
  for (const { docno, positions } of objects) {
    writer.varint(2 * (docno - before) + (positions.length === 1 ? 1 : 0));
    if (positions.length !== 1) writer.varint(positions.length);
    let last = 0;
    for (const position of positions) {
      writer.varint(position - last);
      last = position;
    }
    before = docno;
  }
  return writer.take();
}

/** The objects of an encoded list. Throws ENGINE_DAMAGED. */
export function* decodePlaces(places: Uint8Array, base: number): Generator<ObjectPlaces> {
  const reader = readerOf(places);
  let docno = base;
  while (!reader.done) {
    const head = reader.varint();
    docno += head >>> 1;
    const positions: number[] = [];
    let last = 0;
    for (let count = head % 2 === 1 ? 1 : reader.varint(); count > 0; count--) {
      last += reader.varint();
      positions.push(last);
    }
    yield { docno, positions };
  }
}

const styles: readonly ((word: string) => string)[] = [
  (word) => word,
  (word) => word.slice(0, 1).toUpperCase() + word.slice(1),
  (word) => word.toUpperCase(),
];
const otherStyle = 3;
const tooLong = 4;

function styleOf({ word, written }: PlacedForm): number {
  if (written === undefined) return tooLong;
  const style = styles.findIndex((styled) => styled(word) === written);
  return style < 0 ? otherStyle : style;
}

/**
 * Encode terms, sorted by their bytes. Each has: the term, front-coded after the one before; the number of
 * forms; for each form its kind of spelling, the word, front-coded after the one before (the first after the
 * stem), the written form where the kind does not imply it, the byte length of its places, and the places.
 */
export function encodePlaced(terms: readonly PlacedTerm[]): Uint8Array {
  const block = new ByteWriter();
  let last: Uint8Array = new Uint8Array();
  for (const { term, forms } of terms) {
    const bytes = encoder.encode(term);
    writeAfter(block, last, bytes);
    block.varint(forms.length);
    let before: Uint8Array = encoder.encode(termParts(term)[1]);
    for (const form of forms) {
      const style = styleOf(form);
      block.byte(style);
      const word = encoder.encode(form.word);
      writeAfter(block, before, word);
      if (style === otherStyle) writeAfter(block, word, encoder.encode(form.written));
      block.varint(form.places.length);
      block.bytes(form.places);
      before = word;
    }
    last = bytes;
  }
  return block.take();
}

/** The terms of a stored value. Their places are parts of it. Throws ENGINE_DAMAGED. */
export function* decodePlaced(value: Uint8Array): Generator<PlacedTerm> {
  const reader = readerOf(value);
  let last: Uint8Array = new Uint8Array();
  while (!reader.done) {
    last = readAfter(reader, last);
    const term = decoder.decode(last);
    const forms: PlacedForm[] = [];
    let before: Uint8Array = encoder.encode(termParts(term)[1]);
    for (let count = reader.varint(); count > 0; count--) {
      const style = reader.byte();
      before = readAfter(reader, before);
      const word = decoder.decode(before);
      const written =
        style === otherStyle ? decoder.decode(readAfter(reader, before)) : styles[style]?.(word);
      forms.push({ word, written, places: reader.bytes(reader.varint()) });
    }
    yield { term, forms };
  }
}
