/** A name such as /Type; a class, since strings have another meaning in PDF. */
export class PdfName {
  readonly name: string;

  constructor(name: string) {
    this.name = name;
  }
}

/** An indirect reference, `12 0 R`. */
export class PdfReference {
  readonly number: number;
  readonly generation: number;

  constructor(number: number, generation: number) {
    this.number = number;
    this.generation = generation;
  }
}

/** A bare word: an operator, `obj`, `endobj`, `xref`. */
export class PdfKeyword {
  readonly word: string;

  constructor(word: string) {
    this.word = word;
  }
}

/** A dictionary by key without its slash. */
export type PdfDictionary = Map<string, PdfValue>;

/** A stream as it lies in the file: filters and encryption not yet undone. */
export class PdfStream {
  readonly dictionary: PdfDictionary;
  readonly raw: Uint8Array;
  /** The object it is; encryption depends on it. */
  readonly owner: PdfReference;

  constructor(dictionary: PdfDictionary, raw: Uint8Array, owner: PdfReference) {
    this.dictionary = dictionary;
    this.raw = raw;
    this.owner = owner;
  }
}

/** Any object of ISO 32000 section 7.3; strings are Latin-1, one unit per byte. */
export type PdfValue =
  | number
  | boolean
  | null
  | string
  | PdfName
  | PdfReference
  | PdfKeyword
  | PdfDictionary
  | PdfStream
  | readonly PdfValue[];

/** The number a value is, or undefined. */
export function numberOf(value: PdfValue | undefined): number | undefined {
  return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
}

/** The name a value is, without slash, or undefined. */
export function nameOf(value: PdfValue | undefined): string | undefined {
  return value instanceof PdfName ? value.name : undefined;
}

/** The array of a value, or an empty one. */
export function arrayOf(value: PdfValue | undefined): readonly PdfValue[] {
  return Array.isArray(value) ? (value as readonly PdfValue[]) : [];
}

/** The dictionary a value is or, of a stream, has. */
export function dictionaryOf(value: PdfValue | undefined): PdfDictionary | undefined {
  if (value instanceof Map) return value;
  return value instanceof PdfStream ? value.dictionary : undefined;
}
