import { readWords, type WordSink } from '../../../query/index.ts';
import type { TermNumbers } from './term-numbers.ts';

/** Terms read at once; more only for a longer stretch that is not ASCII. */
const termsAtOnce = 16 * 1024;
const firstTerms = 1024;

export class TermReader implements WordSink {
  readonly word: Buffer;
  readonly wordAt: number;
  readonly #numbers: TermNumbers;
  /** The object whose words are recorded; -1: none. */
  #object = -1;
  #terms = new Int32Array(firstTerms);
  #typed = new Int32Array(firstTerms);
  #count = 0;

  constructor(numbers: TermNumbers) {
    this.#numbers = numbers;
    this.word = numbers.word;
    this.wordAt = numbers.wordAt;
  }

  /**
   * Read UTF-8 from byte `from` to `to` at most, exclusive, where no token may be cut. Returns the offset
   * reached. With an object, its words are recorded as found by bare words.
   */
  read(text: Buffer, from: number, to: number, object: number | undefined): number {
    this.#object = object ?? -1;
    this.#count = 0;
    return readWords(text, from, to, this);
  }

  /** The terms last read. The next reading overwrites them. */
  get terms(): Int32Array {
    return this.#terms.subarray(0, this.#count);
  }

  /** The terms of their typed forms, in the same order. */
  get typed(): Int32Array {
    return this.#typed.subarray(0, this.#count);
  }

  get hash(): number {
    return this.#numbers.hash;
  }

  get full(): boolean {
    return this.#count >= termsAtOnce;
  }

  take(end: number, hash: number): void {
    this.#note(this.#numbers.numberAt(end, hash));
  }

  takeWord(word: string): void {
    this.#note(this.#numbers.number(word));
  }

  #note(word: number): void {
    if (this.#object >= 0) this.#numbers.see(word, this.#object);
    if (this.#count === this.#terms.length) {
      const [terms, typed] = [new Int32Array(this.#count * 2), new Int32Array(this.#count * 2)];
      terms.set(this.#terms);
      typed.set(this.#typed);
      [this.#terms, this.#typed] = [terms, typed];
    }
    this.#typed[this.#count] = this.#numbers.typedOf(word);
    this.#terms[this.#count++] = this.#numbers.termOf(word);
  }
}
