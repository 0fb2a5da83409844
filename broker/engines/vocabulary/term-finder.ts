import { type Language, type TokenTest, termOf, termParts, termsIn } from '../../../query/index.ts';
import { wordBlocks } from './completion.ts';
import { formFilter, isCut, unbrokenPieces, vocabularyTest } from './form-filter.ts';
import { type GroupSource, groupsOf, scanGroups } from './group-reader.ts';
import { decodeWords } from './word-blocks.ts';
import type { WordGroup } from './word-groups.ts';

/** Terms of the index that match a token of a query. */
export interface FoundTerms {
  /** Every token with one of these passes. */
  readonly sure: readonly string[];
  /** Some tokens with one of these may pass. Only the text decides. */
  readonly unsure: readonly string[];
}

/** With more terms than this, any term may match. */
const maxTerms = 200_000;

/** The test of a query's token in each language. */
export type TokenTests = ReadonlyMap<Language, TokenTest>;

/** Finds the terms that pass tests of tokens in the vocabulary of one moment of the index. */
export class TermFinder {
  readonly #source: GroupSource;
  readonly #languages: readonly Language[];
  readonly #signal: AbortSignal | undefined;

  constructor(source: GroupSource, languages: readonly Language[], signal?: AbortSignal) {
    this.#source = source;
    this.#languages = languages;
    this.#signal = signal;
  }

  /** Terms for a token whose tests differ by language only in their texts; undefined: any term. */
  async terms(tests: TokenTests): Promise<FoundTerms | undefined> {
    const [test] = tests.values();
    if (test === undefined) return { sure: [], unsure: [] };
    if (test.form === 'term' && [...tests.values()].every(({ errors }) => errors === 0))
      return { sure: [...new Set(Array.from(tests.values(), ({ term, text }) => term ?? text))], unsure: [] };
    if (test.form === 'word' && test.own !== undefined) return { sure: [test.own], unsure: [] };
    const onWords = vocabularyTest(test);
    if (onWords === undefined) return undefined;
    const judged = test.form === 'written' ? this.#judge(onWords) : this.#judgeTests(tests);
    const found = await this.#collect(onWords, tests, judged);
    if (found === undefined || test.form !== 'written') return found;
    return { sure: [], unsure: [...found.sure, ...found.unsure] };
  }

  /** For each piece, the terms with words that contain it or were cut; none for pieces of too many. */
  async termsWith(pieces: readonly string[]): Promise<ReadonlyMap<string, readonly string[]>> {
    const found = new Map(pieces.map((piece) => [piece, new Set<string>()]));
    let count = 0;
    await this.#scan(undefined, ({ term, words }) => {
      const hasCut = words.some(isCut);
      for (const [piece, terms] of found) {
        if (terms.has(term) || !(hasCut || words.some((word) => word.includes(piece)))) continue;
        terms.add(term);
        if (++count > maxTerms) count -= dropLargest(found);
      }
    });
    return new Map(Array.from(found, ([piece, terms]) => [piece, [...terms]]));
  }

  /** At most `max` terms with words that contain a piece and pass; if none pass, that contain a piece. */
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
    // A verdict that is certain in one segment may not be in another.
    const verdicts = new Map<string, Verdict>();
    const note = (group: WordGroup) => {
      const verdict = judge(group);
      const known = verdicts.get(group.term);
      verdicts.set(group.term, known === undefined || known === verdict ? verdict : 'some');
    };
    if (test.place === 'inside' || test.form === 'term') {
      const pieces = piecesOf(test, tests);
      await this.#scan(pieces, note);
      // A line without a piece means that no token of its segment passes.
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

  /** Whether the words of a group pass, in any language. */
  #judge(test: TokenTest): (group: WordGroup) => Verdict {
    const holds = formFilter(test);
    const mayContinue = test.place === 'inside' ? isCut : () => false;
    return ({ words }) => verdictOf(words.map((word) => holds(word) || mayContinue(word)));
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

/** Drop the piece with the most terms. Returns their number. */
function dropLargest(found: Map<string, ReadonlySet<string>>): number {
  let largest = { piece: '', size: -1 };
  for (const [piece, { size }] of found) if (size > largest.size) largest = { piece, size };
  found.delete(largest.piece);
  return largest.size;
}

/** The tokens of a term that pass. */
type Verdict = 'all' | 'some' | 'none';

function verdictOf(passed: readonly boolean[]): Verdict {
  if (!passed.includes(true)) return 'none';
  return passed.includes(false) ? 'some' : 'all';
}

const keysWith = (verdicts: ReadonlyMap<string, Verdict>, verdict: Verdict): string[] =>
  Array.from(verdicts).flatMap(([term, one]) => (one === verdict ? [term] : []));

/** Texts of which every group with passing words contains one; undefined where none are known. */
function piecesOf(test: TokenTest, tests: TokenTests): readonly string[] | undefined {
  // Tokens as written may have been cut before the sought part.
  if (test.form !== 'term' && test.place === 'inside' && [...tests.values()][0]?.form === 'written')
    return undefined;
  const pieces = Array.from(tests.values(), unbrokenPieces);
  return pieces.some((one) => one.length === 0) ? undefined : [...new Set(pieces.flat())];
}
