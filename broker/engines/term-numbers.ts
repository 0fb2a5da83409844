import { termOf } from '../../query/index.ts';
import { WrittenWords } from './written-words.ts';

/** Words offered as completions: they begin with a letter and are neither a sign nor a hash. */
const completable = /^\p{L}.{1,31}$/u;

/**
 * Numbers for the terms of a batch, so that a text is read with one look-up a token; and in how many objects each
 * word stands as it is written.
 */
export class TermNumbers {
  readonly #written = new WrittenWords();
  readonly #words = new Map<string, number>();
  readonly #terms = new Map<string, number>();
  readonly #termOfWord: number[] = [];
  readonly #seenIn: number[] = [];
  readonly #objects: number[] = [];
  readonly #names: string[] = [];

  /** How many terms there are. */
  get size(): number {
    return this.#names.length;
  }

  /** The number of an ASCII word of a text. */
  wordAt(text: string, start: number, end: number): number {
    return this.#written.number(text, start, end, this.#make);
  }

  readonly #make = (word: string) => this.word(word);

  /** The number of a normalised word. */
  word(word: string): number {
    const known = this.#words.get(word);
    if (known !== undefined) return known;
    const number = this.#termOfWord.length;
    const name = termOf(word);
    let term = this.#terms.get(name);
    if (term === undefined) {
      term = this.#names.length;
      this.#terms.set(name, term);
      this.#names.push(name);
    }
    this.#words.set(word, number);
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

  /** A word stands in an object where completions are taken from. */
  see(word: number, object: number): void {
    if (this.#seenIn[word] === object) return;
    this.#seenIn[word] = object;
    this.#objects[word] = (this.#objects[word] as number) + 1;
  }

  /** Words that completions may offer, with the objects they were seen in. */
  completable(): Map<string, number> {
    const found = new Map<string, number>();
    for (const [word, number] of this.#words) {
      const objects = this.#objects[number] as number;
      if (objects > 0 && completable.test(word)) found.set(word, objects);
    }
    return found;
  }
}
