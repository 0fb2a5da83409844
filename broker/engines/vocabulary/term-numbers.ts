import type { Pacing } from '../../../kernel/index.ts';
import {
  defaultLanguage,
  hashed,
  hashOf,
  hashStart,
  type Language,
  languages,
  maxWordLength,
  termOf,
  typedTerm,
} from '../../../query/index.ts';
import { writeUtf8 } from '../codecs/front-coding.ts';
import { sortedByUtf8 } from './word-blocks.ts';
import { WordTable } from './word-table.ts';

/** Used as a term between two values of one object, which no search spans. */
export const valueEnd = '/';
/** Its number. */
export const valueEndNumber = 0;

// The language's index in `languages`, then the word's UTF-8.
const wordAt = 1;
const maxWordBytes = wordAt + 3 * maxWordLength;

/** Numbers for a batch's words and terms: one look-up a token; and the number of objects with each word. */
export class TermNumbers {
  /** Buffer for a word to look up, after the language's byte. */
  readonly word = Buffer.alloc(maxWordBytes);
  /** Offset of its UTF-8 in `word`. */
  readonly wordAt: number = wordAt;
  #spoken: Language = defaultLanguage;
  #ofLanguage: number[] = [];
  #hash = hashStart;
  readonly #words = new WordTable();
  readonly #written: string[] = [];
  readonly #byLanguage = new Map<Language, number[]>();
  #termOfWord = new Int32Array(1024);
  #typedOfWord = new Int32Array(1024);
  #seenIn = new Int32Array(1024).fill(-1);
  #objects = new Int32Array(1024);
  readonly #terms = new Map<string, number>([[valueEnd, valueEndNumber]]);
  readonly #names: string[] = [valueEnd];

  constructor() {
    this.speak(defaultLanguage);
  }

  get size(): number {
    return this.#names.length;
  }

  /** The following words are in this language. */
  speak(language: Language): void {
    this.#spoken = language;
    this.#ofLanguage = this.#byLanguage.get(language) ?? [];
    this.#byLanguage.set(language, this.#ofLanguage);
    this.word[0] = languages.indexOf(language);
    this.#hash = hashed(hashStart, this.word[0]);
  }

  /** The initial hash of a word of the language, before its UTF-8. */
  get hash(): number {
    return this.#hash;
  }

  /** The number of the normalised word of the language in `word` before `end`. */
  numberAt(end: number, hash: number): number {
    const known = this.#words.find(this.word, end, hash);
    return known >= 0 ? known : this.#add(end, hash);
  }

  /** The number of a normalised word of the language. */
  number(word: string): number {
    const end = writeUtf8(this.word, wordAt, word);
    return this.numberAt(end, hashOf(this.word, wordAt, end, this.#hash));
  }

  #add(length: number, hash: number): number {
    const number = this.#words.add(this.word, length, hash);
    if (number === this.#termOfWord.length) this.#grow();
    const word = this.word.toString('utf8', wordAt, length);
    const name = termOf(word, this.#spoken);
    const typed = typedTerm(word);
    this.#written.push(word);
    this.#ofLanguage.push(number);
    this.#termOfWord[number] = this.#named(name);
    this.#typedOfWord[number] = typed === undefined ? valueEndNumber : this.#named(typed);
    return number;
  }

  #named(name: string): number {
    const known = this.#terms.get(name);
    if (known !== undefined) return known;
    this.#terms.set(name, this.#names.length);
    return this.#names.push(name) - 1;
  }

  #grow(): void {
    const size = this.#termOfWord.length * 2;
    const [terms, seenIn, objects] = [new Int32Array(size), new Int32Array(size), new Int32Array(size)];
    const typed = new Int32Array(size);
    typed.set(this.#typedOfWord);
    this.#typedOfWord = typed;
    terms.set(this.#termOfWord);
    seenIn.fill(-1).set(this.#seenIn);
    objects.set(this.#objects);
    [this.#termOfWord, this.#seenIn, this.#objects] = [terms, seenIn, objects];
  }

  termOf(word: number): number {
    return this.#termOfWord[word] as number;
  }

  /** The term of the word's typed form; `valueEndNumber` where it has none. */
  typedOf(word: number): number {
    return this.#typedOfWord[word] as number;
  }

  name(term: number): string {
    return this.#names[term] as string;
  }

  /** Record a word in an object where bare words find it. */
  see(word: number, object: number): void {
    if (this.#seenIn[word] === object) return;
    this.#seenIn[word] = object;
    this.#objects[word] = (this.#objects[word] as number) + 1;
  }

  /** Every word, with its number of objects. */
  counted(): Map<string, number> {
    const found = new Map<string, number>();
    for (const number of this.#numbers()) {
      const word = this.#written[number] as string;
      found.set(word, (this.#objects[number] as number) + (found.get(word) ?? 0));
    }
    return found;
  }

  /** The terms in the order of their names' UTF-8, with `valueEnd` among them. */
  async sorted(pacing: Pacing): Promise<Int32Array> {
    const sorted = new Int32Array(this.#names.length);
    let count = 0;
    for await (const names of sortedByUtf8(this.#names, pacing))
      for (const name of names) sorted[count++] = this.#terms.get(name) as number;
    return sorted;
  }

  /** The words of each term, by its number. `valueEnd` has none. */
  groups(): (readonly string[] | undefined)[] {
    const found: (string[] | undefined)[] = new Array(this.#names.length).fill(undefined);
    for (const number of this.#numbers()) {
      const word = this.#written[number] as string;
      const term = this.termOf(number);
      const known = found[term];
      if (known === undefined) found[term] = [word];
      else if (!known.includes(word)) known.push(word);
    }
    return found;
  }

  /** Every word's number, language by language. */
  *#numbers(): Generator<number> {
    for (const numbers of this.#byLanguage.values()) yield* numbers;
  }
}
