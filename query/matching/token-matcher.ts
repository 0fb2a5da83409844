import { maxNearDistance, passes, type TokenTest, writtenForm } from '../syntax/index.ts';
import {
  type Language,
  scanWords,
  stemOf,
  type TermPlaces,
  type TextMatcher,
  type TokenVisitor,
  variantsOf,
  WantedTerms,
} from '../words/index.ts';

interface Place {
  /** Which run, and which token of it. */
  readonly run: number;
  readonly token: number;
}

/** Called for each match of a run; `position` is that of its last token. Return true to end the search. */
export type RunVisitor = (run: number, start: number, end: number, position: number) => boolean;

/** Max cached tokens with their results: texts repeat their words. */
const maxJudged = 4096;

// Variants are apart from the text and from each other: no phrase and no NEAR spans two.
const firstVariant = 1_000_000_000;
const betweenVariants = 2 * maxNearDistance;

/** With more terms than this, reading the text is faster. */
const maxRequested = 16;

const laterTokensFirst = (a: Place, b: Place) => b.token - a.token;

/** Finds runs of tokens in texts of one language: run `i` where its tests pass for tokens in a row. */
export class TokenMatcher implements TextMatcher {
  readonly #lengths: readonly number[];
  /** Indexes of the tests that a token with this term passes. */
  readonly #byTerm = new Map<string, Place[]>();
  readonly #others: { readonly test: TokenTest; readonly place: Place }[] = [];
  readonly #byWriting: boolean;
  readonly #judged = new Map<string, readonly Place[]>();
  readonly #firsts: Uint8Array | undefined;
  /** Made when places are first needed. */
  #wanted: WantedTerms | undefined;
  readonly #language: Language;

  constructor(runs: readonly (readonly TokenTest[])[], language: Language) {
    this.#language = language;
    this.#lengths = runs.map((tests) => tests.length);
    runs.forEach((tests, run) => {
      // Later tokens first, so that a repeated term does not follow itself.
      for (let token = tests.length - 1; token >= 0; token--) {
        const test = tests[token] as TokenTest;
        const place = { run, token };
        if (test.form !== 'term' || test.place !== 'whole' || test.errors > 0) {
          this.#others.push({ test, place });
          continue;
        }
        const places = this.#byTerm.get(test.text);
        if (places === undefined) this.#byTerm.set(test.text, [place]);
        else places.push(place);
      }
    });
    this.#byWriting = this.#others.some(({ test }) => test.form === 'written');
    // Only an English stem is certain to begin as its word does.
    if (this.#others.length === 0 && language === 'en') this.#firsts = firstsOf(this.#byTerm.keys());
  }

  /**
   * Visit every match in `text`, in the order of their ends, then those in its variants, each at the stretch that
   * it was made from. Offsets are UTF-16 units of `text`.
   */
  search(text: string, visit: RunVisitor, known?: TermPlaces): void {
    if (this.#byTerm.size === 0 && this.#others.length === 0) return;
    const visitToken = this.#tokenVisitor(text, visit);
    let isEnded = false;
    const visitWord: TokenVisitor = (...token) => {
      isEnded = visitToken(...token);
      return isEnded;
    };
    if (known === undefined || this.#others.length > 0 || this.#byTerm.size > maxRequested) {
      scanWords(text, visitWord, this.#firsts);
    } else {
      this.#wanted ??= new WantedTerms(this.#byTerm.keys());
      known.visit(this.#wanted, visitWord);
    }
    if (!isEnded) this.#searchVariants(text, visit);
  }

  /** A visitor of the tokens of one text that recognises runs. */
  #tokenVisitor(text: string, visit: RunVisitor): TokenVisitor {
    // For each run and token: the position its beginning has reached there, and where that began.
    const reached = this.#lengths.map((length) => new Int32Array(length).fill(-2));
    const began = this.#lengths.map((length) => new Int32Array(length));
    return (found, position, start, end) => {
      const places = this.#placesOf(found, text, start, end);
      if (places === undefined) return false;
      for (const { run, token } of places) {
        const reach = reached[run] as Int32Array;
        const from = began[run] as Int32Array;
        if (token > 0 && reach[token - 1] !== position - 1) continue;
        reach[token] = position;
        from[token] = token === 0 ? start : (from[token - 1] as number);
        if (token === reach.length - 1 && visit(run, from[token] as number, end, position)) return true;
      }
      return false;
    };
  }

  #searchVariants(text: string, visit: RunVisitor): void {
    let first = firstVariant;
    for (const { text: variant, start, end } of variantsOf(text)) {
      let isEnded = false;
      const own = first;
      const visitToken = this.#tokenVisitor(variant, (run, _from, _to, position) => {
        isEnded = visit(run, start, end, own + position);
        return isEnded;
      });
      scanWords(variant, visitToken, this.#firsts);
      if (isEnded) return;
      first += betweenVariants;
    }
  }

  /** Whether any of the runs is in `text`. */
  test(text: string, known?: TermPlaces): boolean {
    let found = false;
    const visit = () => {
      found = true;
      return true;
    };
    this.search(text, visit, known);
    return found;
  }

  #placesOf(word: string, text: string, start: number, end: number): readonly Place[] | undefined {
    if (this.#others.length === 0) return this.#byTerm.get(stemOf(word, this.#language));
    const key = this.#byWriting ? text.slice(start, end) : word;
    const known = this.#judged.get(key);
    if (known !== undefined) return known;
    const term = stemOf(word, this.#language);
    const written = this.#byWriting ? writtenForm(key) : '';
    const places = [...(this.#byTerm.get(term) ?? [])];
    for (const { test, place } of this.#others)
      if (passes(test.form === 'term' ? term : test.form === 'word' ? word : written, test))
        places.push(place);
    places.sort(laterTokensFirst);
    if (this.#judged.size >= maxJudged) this.#judged.clear();
    this.#judged.set(key, places);
    return places;
  }
}

/** The first ASCII letters of these terms: words with other ASCII letters can be skipped. */
function firstsOf(terms: Iterable<string>): Uint8Array {
  const firsts = new Uint8Array(128);
  for (const term of terms) {
    const first = term.charCodeAt(0);
    if (first < 128) firsts[first] = 1;
  }
  return firsts;
}
