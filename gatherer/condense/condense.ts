import { rarity } from './background.ts';
import { Coverage } from './coverage.ts';
import { coveringSentences } from './covering-sentences.ts';
import { languageOf, stopTerms } from './language.ts';
import { phrasesOf } from './phrases.ts';
import type { ReadDocument } from './read-document.ts';
import { Reading, type Sentence, type Spelling } from './tokenised-document.ts';

// Half the worth of a word that is repeated for ever is reached after this many plain occurrences.
const saturation = 1.5;
/** A stop word that a title or heading holds keeps this much. */
const stopShare = 0.05;
const shapeless = /^\d+$|^.$/u;
const kana = /^[\u3040-\u309f]+$/;

/** How much each term of a document tells about it, by identifier, with the language that was found. */
interface TermScores {
  readonly scores: Float64Array;
  /** Stop words of the language, by identifier. */
  readonly stop: Uint8Array;
  readonly language: string | undefined;
}

/**
 * Score every term: its weighted frequency, saturated, times its rarity at large. Numbers, single letters and pairs
 * of hiragana (grammar, mostly) count less, stop words hardly at all.
 */
function scoreTerms(reading: Reading, declared: string | undefined): TermScores {
  const { terms, weights } = reading;
  const language = languageOf(countsOf(reading), declared);
  const stops = stopTerms(language);
  const scores = new Float64Array(terms.length);
  const stop = new Uint8Array(terms.length);
  for (let id = 0; id < terms.length; id++) {
    const term = terms[id] as string;
    const weight = weights[id] as number;
    let score = (weight / (weight + saturation)) * (1 + rarity(term));
    if (stops.has(term)) {
      stop[id] = 1;
      score *= stopShare;
    } else if (shapeless.test(term) || kana.test(term)) score *= 0.3;
    scores[id] = score;
  }
  return { scores, stop, language };
}

function* countsOf({ terms, weights }: Reading): Generator<readonly [string, number]> {
  for (let id = 0; id < terms.length; id++) yield [terms[id] as string, weights[id] as number];
}

/** What a document comes to. Every entry is a piece of the document as it is written there. */
export interface Condensed {
  /** Phrases, then words that neither they nor the rest of the summary hold; each kind best first. */
  readonly keywords: readonly string[];
  /** In reading order, each once; empty at the level `terse`. */
  readonly headings: readonly string[];
  /** In reading order; empty at the level `terse`. */
  readonly sentences: readonly string[];
  /** ISO 639-1, as far as stop words tell. */
  readonly language: string | undefined;
  /** Whether the document has more words than are looked at. */
  readonly cut: boolean;
}

/** How much is kept: so much of everything, and so much more for each root of the document's number of words. */
interface Budget {
  readonly base: number;
  readonly root: number;
}

interface Shape {
  /** UTF-16 units. */
  readonly headings: Budget;
  readonly sentences: Budget;
  /** How many. */
  readonly phrases: Budget;
  readonly words: Budget;
}

const nothing: Budget = { base: 0, root: 0 };

// A vocabulary grows with the root of a text or so (Heaps). Chosen from the curves of `npm run bench -- levels`.
const shapes: Readonly<Record<'terse' | 'selected', Shape>> = {
  terse: {
    headings: nothing,
    sentences: nothing,
    phrases: { base: 4, root: 0.5 },
    words: { base: 8, root: 0.8 },
  },
  selected: {
    headings: { base: 400, root: 60 },
    sentences: { base: 300, root: 30 },
    phrases: { base: 4, root: 0.8 },
    words: { base: 16, root: 3.4 },
  },
};

/**
 * Choose what of a document is worth keeping at a level: the smallest part that still answers the queries which the
 * whole would. `size` scales all budgets, 1 is the level's own. Deterministic; time and memory are linear in the
 * text, what comes out is bounded by the root of it (under 200 kB for any document at size 1).
 */
export function condense(document: ReadDocument, level: 'terse' | 'selected', size = 1): Condensed {
  const { blocks } = document;
  const shape = shapes[level];
  const reading = new Reading(document);
  const { scores, stop, language } = scoreTerms(reading, document.language);
  const root = Math.sqrt(reading.tokenCount);
  const amount = (budget: Budget) => Math.ceil(size * (budget.base + budget.root * root));
  const coverage = new Coverage(reading.terms.length);
  const textOf = ({ block, start, stop: end }: Sentence) => blocks[block]?.text.slice(start, end) ?? '';
  const isHeading = (sentence: Sentence) => blocks[sentence.block]?.role === 'heading';

  const headings = new Set<string>();
  let left = amount(shape.headings);
  for (const sentence of reading.sentences) {
    if (!isHeading(sentence)) continue;
    const text = textOf(sentence);
    if (headings.has(text) || text.length >= left) continue;
    left -= text.length + 1;
    headings.add(text);
    coverage.add(reading.termsOf(sentence));
  }
  const length = amount(shape.sentences);
  const body = (sentence: Sentence) => !isHeading(sentence);
  const sentences = length === 0 ? [] : coveringSentences(reading, scores, coverage, body, length);
  const isStop = (term: number) => stop[term] === 1;
  const phrases = phrasesOf(reading, blocks, scores, isStop, amount(shape.phrases));
  for (const { terms } of phrases) coverage.add(terms);
  // Sentences bring the stop words that people type; a list of them would say nothing.
  for (let term = 0; term < stop.length; term++) if (isStop(term)) coverage.held[term] = 1;
  const words = coveringWords(reading, scores, coverage, amount(shape.words));
  return {
    keywords: [...phrases.map(({ text }) => text), ...words],
    headings: [...headings],
    sentences: sentences.map((index) => textOf(reading.sentences[index] as Sentence)),
    language,
    cut: reading.cut,
  };
}

/** The spelling that stands for each term: the most frequent one; of equals the shorter, then the earlier. */
function spellingsOf(reading: Reading): readonly (Spelling | undefined)[] {
  const best = new Array<Spelling | undefined>(reading.terms.length).fill(undefined);
  for (const spelling of reading.spellings) {
    for (const term of spelling.terms) {
      const other = best[term];
      const better =
        other === undefined ||
        spelling.count > other.count ||
        (spelling.count === other.count && spelling.text.length < other.text.length);
      if (better) best[term] = spelling;
    }
  }
  return best;
}

/**
 * At most `count` words that stand for terms not yet covered, best first: a document's vocabulary without its
 * repetitions, which is what retrieval by word needs. A compound stands for all its words.
 */
function coveringWords(reading: Reading, scores: Float64Array, coverage: Coverage, count: number): string[] {
  const best = spellingsOf(reading);
  // Equal ones keep the order in which the document brings them.
  const order = Uint32Array.from(scores.keys()).sort(
    (a, b) => (scores[b] as number) - (scores[a] as number) || a - b,
  );
  const chosen: string[] = [];
  for (const term of order) {
    if (chosen.length >= count || scores[term] === 0) break;
    const spelling = best[term];
    if (coverage.held[term] === 1 || spelling === undefined) continue;
    chosen.push(spelling.text);
    coverage.add(spelling.terms);
  }
  return chosen;
}
