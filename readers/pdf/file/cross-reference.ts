import { PdfLexer } from './lexer.ts';
import {
  arrayOf,
  numberOf,
  type PdfDictionary,
  PdfKeyword,
  PdfName,
  type PdfStream,
  type PdfValue,
} from './values.ts';

/** Where an object lies: at a byte of the file, or as the nth of an object stream. */
export type Place =
  | { readonly offset: number; readonly generation: number }
  | { readonly container: number; readonly index: number };

/** Objects by number, and the trailer of the newest revision. */
export interface CrossReference {
  readonly places: Map<number, Place>;
  readonly trailer: PdfDictionary;
}

const maxSections = 1000;
const maxRows = 8_000_000;
const maxObjects = 4_000_000;
const tailSearched = 64 * 1024;

/** Reads the object at an offset of the file, with its filters undone when it is a stream. */
export type ReadStreamAt = (
  offset: number,
) => { readonly stream: PdfStream; readonly bytes: Uint8Array } | undefined;

/**
 * Follow `startxref` through tables and cross-reference streams (ISO 32000 section 7.5.4, 7.5.8), newest
 * first. Undefined when any part is malformed: then the file is searched for its objects. Each section is
 * read once, so a circle of them ends.
 */
export function readCrossReference(
  bytes: Uint8Array,
  base: number,
  readStreamAt: ReadStreamAt,
): CrossReference | undefined {
  const start = startOffset(bytes);
  if (start === undefined) return undefined;
  const places = new Map<number, Place>();
  const seen = new Set<number>();
  const waiting = [start + base];
  let trailer: PdfDictionary | undefined;
  const budget = { rows: maxRows };
  for (let offset = waiting.shift(); offset !== undefined; offset = waiting.shift()) {
    if (seen.has(offset) || seen.size >= maxSections) continue;
    seen.add(offset);
    if (offset < 0 || offset >= bytes.length) return undefined;
    const lexer = new PdfLexer(bytes, offset);
    const first = lexer.read();
    const section =
      first instanceof PdfKeyword && first.word === 'xref'
        ? readTable(lexer, base, places)
        : readSection(readStreamAt(offset), base, places, budget);
    if (section === undefined) return undefined;
    trailer ??= section;
    for (const key of ['XRefStm', 'Prev']) {
      const next = numberOf(section.get(key));
      if (next !== undefined) waiting.push(next + base);
    }
  }
  return trailer?.has('Root') ? { places, trailer } : undefined;
}

function startOffset(bytes: Uint8Array): number | undefined {
  const tail = Buffer.from(bytes.buffer, bytes.byteOffset, bytes.length).subarray(-tailSearched);
  const at = tail.lastIndexOf('startxref');
  if (at < 0) return undefined;
  return numberOf(new PdfLexer(tail, at + 9).read());
}

function readTable(lexer: PdfLexer, base: number, places: Map<number, Place>): PdfDictionary | undefined {
  for (;;) {
    const first = lexer.read();
    if (first instanceof PdfKeyword) {
      const trailer = first.word === 'trailer' ? lexer.read() : undefined;
      return trailer instanceof Map ? trailer : undefined;
    }
    const count = lexer.read();
    if (typeof first !== 'number' || typeof count !== 'number' || first < 0) return undefined;
    for (let at = 0; at < count; at++) {
      const offset = lexer.read();
      const generation = lexer.read();
      const kind = lexer.read();
      if (typeof offset !== 'number' || typeof generation !== 'number' || !(kind instanceof PdfKeyword))
        return undefined;
      if (kind.word === 'n' && !places.has(first + at) && places.size < maxObjects)
        places.set(first + at, { offset: offset + base, generation });
    }
  }
}

function readSection(
  read: { readonly stream: PdfStream; readonly bytes: Uint8Array } | undefined,
  base: number,
  places: Map<number, Place>,
  budget: { rows: number },
): PdfDictionary | undefined {
  if (read === undefined) return undefined;
  const { dictionary } = read.stream;
  const type = dictionary.get('Type');
  if (!(type instanceof PdfName) || type.name !== 'XRef') return undefined;
  const widths = arrayOf(dictionary.get('W')).map((width) => numberOf(width) ?? 0);
  const [kindWidth = 0, secondWidth = 0, thirdWidth = 0] = widths;
  const rowWidth = kindWidth + secondWidth + thirdWidth;
  if (widths.some((width) => width < 0 || width > 8 || width % 1 !== 0) || rowWidth === 0) return undefined;
  let at = 0;
  const field = (width: number, absent: number) => {
    if (width === 0) return absent;
    let value = 0;
    for (let left = width; left > 0; left--) value = value * 256 + (read.bytes[at++] ?? 0);
    return value;
  };
  for (const [first, count] of ranges(dictionary))
    for (let index = 0; index < count && at + rowWidth <= read.bytes.length && budget.rows > 0; index++) {
      budget.rows--;
      const kind = field(kindWidth, 1);
      const second = field(secondWidth, 0);
      const third = field(thirdWidth, 0);
      if (places.has(first + index) || places.size >= maxObjects) continue;
      if (kind === 1) places.set(first + index, { offset: second + base, generation: third });
      else if (kind === 2) places.set(first + index, { container: second, index: third });
    }
  return dictionary;
}

function ranges(dictionary: PdfDictionary): [first: number, count: number][] {
  const index: readonly PdfValue[] = arrayOf(dictionary.get('Index'));
  if (index.length < 2) return [[0, numberOf(dictionary.get('Size')) ?? 0]];
  const pairs: [number, number][] = [];
  for (let at = 0; at + 1 < index.length; at += 2)
    pairs.push([numberOf(index[at]) ?? 0, numberOf(index[at + 1]) ?? 0]);
  return pairs;
}
