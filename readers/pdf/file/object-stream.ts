import { PdfLexer } from './lexer.ts';
import { numberOf, type PdfDictionary, type PdfValue } from './values.ts';

const maxObjects = 100_000;

/** An object stream with its filters undone (ISO 32000 section 7.5.7): objects without their `obj` around them. */
export class ObjectStream {
  readonly numbers: readonly number[];
  readonly #offsets: readonly number[];
  readonly #bytes: Uint8Array;
  /** The offset of a number in the list. */
  readonly #index: ReadonlyMap<number, number>;

  constructor(dictionary: PdfDictionary, bytes: Uint8Array) {
    const count = Math.min(numberOf(dictionary.get('N')) ?? 0, maxObjects);
    const first = numberOf(dictionary.get('First')) ?? 0;
    const header = new PdfLexer(bytes.subarray(0, Math.max(0, first)));
    const numbers: number[] = [];
    const offsets: number[] = [];
    for (let at = 0; at < count; at++) {
      const number = header.read();
      const offset = header.read();
      if (typeof number !== 'number' || typeof offset !== 'number') break;
      numbers.push(number);
      offsets.push(first + offset);
    }
    this.numbers = numbers;
    this.#offsets = offsets;
    this.#bytes = bytes;
    this.#index = new Map(numbers.map((number, at) => [number, at]));
  }

  /** Bytes it holds. */
  get size(): number {
    return this.#bytes.length;
  }

  /** The object of the given number, searched first at `index`, its place by the cross-reference. */
  read(number: number, index: number): PdfValue {
    const at = this.numbers[index] === number ? index : this.#index.get(number);
    const offset = at === undefined ? undefined : this.#offsets[at];
    if (offset === undefined || offset >= this.#bytes.length) return null;
    return new PdfLexer(this.#bytes, offset).read();
  }
}
