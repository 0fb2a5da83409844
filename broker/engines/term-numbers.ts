import { defaultLanguage, type Language, termOf } from '../../query/index.ts';
import { WrittenWords } from './written-words.ts';

/** Stands as a term between two values of one object: where nothing that is looked for reaches across. */
export const valueEnd = '/';
/** Its number. */
export const valueEndNumber = 0;

/**
 * Numbers for the terms of a batch, so that a text is read with one look-up a token; and in how many objects each
 * word stands as it is written.
 */
export class TermNumbers {
  readonly #byLanguage = new Map<Language, LanguageWords>();
  #spoken = this.#in(defaultLanguage);
  readonly #terms = new Map<string, number>([[valueEnd, valueEndNumber]]);
  readonly #termOfWord: number[] = [];
  readonly #seenIn: number[] = [];
  readonly #objects: number[] = [];
  readonly #names: string[] = [valueEnd];

  /** How many terms there are. */
  get size(): number {
    return this.#names.length;
  }

  /** The words that follow are in this language. */
  speak(language: Language): void {
    this.#spoken = this.#in(language);
  }

  #in(language: Language): LanguageWords {
    const known = this.#byLanguage.get(language) ?? new LanguageWords(language);
    this.#byLanguage.set(language, known);
    return known;
  }

  /** The number of an ASCII word of a text in the language. */
  wordAt(text: string, start: number, end: number): number {
    return this.#spoken.written.number(text, start, end, this.#make);
  }

  readonly #make = (word: string) => this.word(word);

  /** The number of a normalised word of the language. */
  word(word: string): number {
    const { words, language } = this.#spoken;
    const known = words.get(word);
    if (known !== undefined) return known;
    const number = this.#termOfWord.length;
    const name = termOf(word, language);
    let term = this.#terms.get(name);
    if (term === undefined) {
      term = this.#names.length;
      this.#terms.set(name, term);
      this.#names.push(name);
    }
    words.set(word, number);
    this.#termOfWord.push(term);
    this.#seenIn.push(-1);
    this.#objects.push(0);
    return number;
  }

  termOf(word: number): number {
    return this.#termOfWord[word] as number;
  }

  name(term: number): string {
    return this.#names[term] as string;
  }

  /** A word stands in an object where bare words find it. */
  see(word: number, object: number): void {
    if (this.#seenIn[word] === object) return;
    this.#seenIn[word] = object;
    this.#objects[word] = (this.#objects[word] as number) + 1;
  }

  /** Every word, with the objects it was seen in. */
  counted(): Map<string, number> {
    const found = new Map<string, number>();
    for (const { words } of this.#byLanguage.values())
      for (const [word, number] of words)
        found.set(word, (this.#objects[number] as number) + (found.get(word) ?? 0));
    return found;
  }

  /** The words of each term. */
  groups(): Map<string, string[]> {
    const found = new Map<string, string[]>();
    for (const { words } of this.#byLanguage.values())
      for (const [word, number] of words) {
        const term = this.name(this.termOf(number));
        const known = found.get(term);
        if (known === undefined) found.set(term, [word]);
        else if (!known.includes(word)) known.push(word);
      }
    return found;
  }
}

/** Numbers of the words of one language. */
class LanguageWords {
  readonly language: Language;
  readonly written = new WrittenWords();
  readonly words = new Map<string, number>();

  constructor(language: Language) {
    this.language = language;
  }
}
