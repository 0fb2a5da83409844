import { type Language, type ObjectTerms, termOf, type WordPlace } from '../../query/index.ts';

/** Numbers of words by attribute ('' for bare words), then by word or term. */
type Numbers<Value> = Map<string, Map<string, Value>>;

/** Numbers the words that queries require, and finds those that an object has in its own language. */
export class WordNumbers {
  readonly #byWord: Numbers<number> = new Map();
  /** The words of each term, by the languages seen in objects. One term's words may differ in another. */
  readonly #byTerm = new Map<Language, Numbers<number[]>>();
  #next = 0;

  /** The number of a word. A word without one gets the next number. */
  of({ word, attribute = '' }: WordPlace): number {
    const known = this.#byWord.get(attribute)?.get(word);
    if (known !== undefined) return known;
    const number = this.#next++;
    within(this.#byWord, attribute).set(word, number);
    for (const [language, terms] of this.#byTerm) note(terms, attribute, termOf(word, language), number);
    return number;
  }

  /** Call `see` with the number of each word that an object has, once. */
  visit(object: ObjectTerms, see: (number: number) => void): void {
    const seeAll = (numbers: readonly number[] | undefined) => {
      if (numbers !== undefined) for (const number of numbers) see(number);
    };
    for (const [attribute, terms] of this.#termsIn(object.language)) {
      const own = attribute === '' ? object.bare : object.named(attribute);
      if (own === undefined) continue;
      // Iterate over the smaller side.
      if (own.size <= terms.size) for (const term of own) seeAll(terms.get(term));
      else for (const [term, numbers] of terms) if (own.has(term)) seeAll(numbers);
    }
  }

  clear(): void {
    this.#byWord.clear();
    this.#byTerm.clear();
    this.#next = 0;
  }

  #termsIn(language: Language): Numbers<number[]> {
    const known = this.#byTerm.get(language);
    if (known !== undefined) return known;
    const terms: Numbers<number[]> = new Map();
    for (const [attribute, words] of this.#byWord)
      for (const [word, number] of words) note(terms, attribute, termOf(word, language), number);
    this.#byTerm.set(language, terms);
    return terms;
  }
}

function within<Value>(numbers: Numbers<Value>, attribute: string): Map<string, Value> {
  const known = numbers.get(attribute);
  if (known !== undefined) return known;
  const made = new Map<string, Value>();
  numbers.set(attribute, made);
  return made;
}

function note(terms: Numbers<number[]>, attribute: string, term: string, number: number): void {
  const own = within(terms, attribute);
  const numbers = own.get(term);
  if (numbers === undefined) own.set(term, [number]);
  else numbers.push(number);
}
