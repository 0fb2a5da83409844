import {
  type Language,
  maxWordLength,
  type TokenTest,
  termOf,
  termParts,
  termsIn,
} from '../../../query/index.ts';
import { wordBlocks } from './completion.ts';
import { formFilter, unbrokenPieces, vocabularyTest } from './form-filter.ts';
import { type GroupSource, groupsOf, scanGroups } from './group-reader.ts';
import { decodeWords } from './word-blocks.ts';
import type { WordGroup } from './word-groups.ts';

/** Terms of the index that a token of a query stands for. */
export interface FoundTerms {
  /** Every token with one of these passes. */
  readonly sure: readonly string[];
  /** Some tokens with one of these may pass: only the text tells. */
  readonly unsure: readonly string[];
}

/** More terms are not told apart: then any term may be meant. */
const maxTerms = 200_000;
// A token was cut at its bound, perhaps before what is looked for; a surrogate pair is not cut.
const cutLength = maxWordLength - 1;

/** How a token of a query is tested in each language. */
export type TokenTests = ReadonlyMap<Language, TokenTest>;

/** Finds the terms that tests of tokens stand for in the vocabulary of one moment of the index. */
export class TermFinder {
  readonly #source: GroupSource;
  readonly #languages: readonly Language[];
  readonly #signal: AbortSignal | undefined;

  constructor(source: GroupSource, languages: readonly Language[], signal?: AbortSignal) {
    this.#source = source;
    this.#languages = languages;
    this.#signal = signal;
  }

  /** The terms for a token whose tests differ by language in nothing but their texts; undefined: any term may be it. */
  async terms(tests: TokenTests): Promise<FoundTerms | undefined> {
    const [test] = tests.values();
    if (test === undefined) return { sure: [], unsure: [] };
    if (test.form === 'term' && [...tests.values()].every(({ errors }) => errors === 0))
      return { sure: [...new Set(Array.from(tests.values(), ({ term, text }) => term ?? text))], unsure: [] };
    const onWords = vocabularyTest(test);
    if (onWords === undefined) return undefined;
    const judged = test.form === 'written' ? this.#judge(onWords) : this.#judgeTests(tests);
    const found = await this.#collect(onWords, tests, judged);
    if (found === undefined || test.form !== 'written') return found;
    return { sure: [], unsure: [...found.sure, ...found.unsure] };
  }

  /** For each of these pieces the terms with words that hold it, or that were cut; pieces of too many are left out. */
  async termsWith(pieces: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map(pieces.map((piece) => [piece, new Set<string>()]));
    let kept = 0;
    await this.#scan(undefined, ({ term, words }) => {
      const isCut = words.some((word) => word.length >= cutLength);
      for (const [piece, terms] of found) {
        if (terms.has(term) || !(isCut || words.some((word) => word.includes(piece)))) continue;
        terms.add(term);
        if (++kept > maxTerms) kept -= dropLargest(found);
      }
    });
    return new Map(Array.from(found, ([piece, terms]) => [piece, [...terms]]));
  }

  /** Terms with words that hold one of these pieces and pass, `most` of them; where none pass, those that hold a piece. */
  async termsPassing(
    pieces: readonly string[],
    passes: (word: string) => boolean,
    max: number,
  ): Promise<readonly string[]> {
    const [holding, passing] = [new Set<string>(), new Set<string>()];
    await this.#scan(pieces, ({ term, words }) => {
      if (passing.size >= max || !words.some((word) => pieces.some((piece) => word.includes(piece)))) return;
      if (words.some(passes)) passing.add(term);
      else if (holding.size < max) holding.add(term);
    });
    return [...(passing.size > 0 ? passing : holding)];
  }

  async #collect(
    test: TokenTest,
    tests: TokenTests,
    judge: (group: WordGroup) => Verdict,
  ): Promise<FoundTerms | undefined> {
    // What one segment is sure of another may not be.
    const verdicts = new Map<string, Verdict>();
    const note = (group: WordGroup) => {
      const verdict = judge(group);
      const known = verdicts.get(group.term);
      verdicts.set(group.term, known === undefined || known === verdict ? verdict : 'some');
    };
    if (test.place === 'inside' || test.form === 'term') {
      const pieces = piecesOf(test, tests);
      await this.#scan(pieces, note);
      // A line that holds no piece says of its segment that no token there passes.
      if (pieces !== undefined) await this.#lookUp(keysWith(verdicts, 'all'), note);
    } else {
      const words = test.place === 'whole' ? [test.text] : await this.#wordsFrom(test.text);
      await this.#lookUp(new Set(words.flatMap((word) => termsIn(word, this.#languages))), note);
    }
    const [sure, unsure] = [keysWith(verdicts, 'all'), keysWith(verdicts, 'some')];
    return sure.length + unsure.length > maxTerms ? undefined : { sure, unsure };
  }

  async #lookUp(terms: Iterable<string>, note: (group: WordGroup) => void): Promise<void> {
    for await (const group of groupsOf(this.#source, terms)) {
      this.#signal?.throwIfAborted();
      note(group);
    }
  }

  #scan(pieces: readonly string[] | undefined, visit: (group: WordGroup) => void): Promise<void> {
    return scanGroups(this.#source, pieces, visit, this.#signal);
  }

  async #wordsFrom(prefix: string): Promise<string[]> {
    const { database, segments } = this.#source;
    const found = new Set<string>();
    for (const segment of segments)
      for await (const block of wordBlocks(database, segment, prefix)) {
        this.#signal?.throwIfAborted();
        for (const [word] of decodeWords(block)) if (word.startsWith(prefix)) found.add(word);
      }
    return [...found];
  }

  /** Whether the words of a group pass, whatever language they are in. */
  #judge(test: TokenTest): (group: WordGroup) => Verdict {
    const holds = formFilter(test);
    const isCut = (word: string) => test.place === 'inside' && word.length >= cutLength;
    return ({ words }) => verdictOf(words.map((word) => holds(word) || isCut(word)));
  }

  /** Whether they pass in the languages in which they have that term. */
  #judgeTests(tests: TokenTests): (group: WordGroup) => Verdict {
    // Most languages read a token alike.
    const byText = new Map(Array.from(tests.values(), (test) => [test.text, formFilter(test)]));
    const different = [...byText.values()];
    const filters = new Map(Array.from(tests, ([language, { text }]) => [language, byText.get(text)]));
    const onStems = [...tests.values()][0]?.form === 'term';
    return ({ term, words }) => {
      const [carried, stem] = termParts(term);
      if (!different.some((holds) => (onStems ? holds(stem) : words.some(holds)))) return 'none';
      const among = carried === '' ? this.#languages : this.#languages.filter((one) => one === carried);
      const passed: boolean[] = [];
      for (const language of among) {
        const holds = filters.get(language);
        for (const word of words)
          if (termOf(word, language) === term) passed.push(holds?.(onStems ? stem : word) === true);
      }
      return verdictOf(passed);
    };
  }
}

/** Forget the piece that most terms have; answers how many these were. */
function dropLargest(found: Map<string, ReadonlySet<string>>): number {
  let largest = { piece: '', size: -1 };
  for (const [piece, { size }] of found) if (size > largest.size) largest = { piece, size };
  found.delete(largest.piece);
  return largest.size;
}

/** Which tokens of a term pass. */
type Verdict = 'all' | 'some' | 'none';

function verdictOf(passed: readonly boolean[]): Verdict {
  if (!passed.includes(true)) return 'none';
  return passed.includes(false) ? 'some' : 'all';
}

const keysWith = (verdicts: ReadonlyMap<string, Verdict>, verdict: Verdict): string[] =>
  Array.from(verdicts).flatMap(([term, one]) => (one === verdict ? [term] : []));

/** Texts of which a group whose words pass holds one; undefined where none are known. */
function piecesOf(test: TokenTest, tests: TokenTests): readonly string[] | undefined {
  // Tokens as they are written may have been cut before what is looked for.
  if (test.form !== 'term' && test.place === 'inside' && [...tests.values()][0]?.form === 'written')
    return undefined;
  const pieces = Array.from(tests.values(), unbrokenPieces);
  return pieces.some((one) => one.length === 0) ? undefined : [...new Set(pieces.flat())];
}
