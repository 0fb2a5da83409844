import { detectedLength, detectLanguage, rarity } from '../../query/index.ts';
import { Coverage, coveringSentences } from './covering-sentences.ts';
import { phrasesOf } from './phrases.ts';
import { stopTerms } from './stop-terms.ts';
import { type ReadDocument, Reading, type Sentence, type Spelling } from './tokenised-document.ts';

// A term reaches half of its maximum weight after this many plain occurrences.
const saturation = 1.5;
/** A stop word counts this much of its weight. */
const stopShare = 0.05;
const shapeless = /^\d+$|^.$/u;
const kana = /^[\u3040-\u309f]+$/;

/** How significant each term of a document is, by identifier. */
interface TermScores {
  readonly scores: Float64Array;
  /** Stop words of the language, by identifier. */
  readonly stop: Uint8Array;
}

/**
 * Score every term: its weighted frequency, saturated, times its rarity. Numbers, single letters and pairs of hiragana
 * (mostly grammar) count less, stop words very little.
 */
function scoreTerms({ terms, weights }: Reading, language: string | undefined): TermScores {
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
  return { scores, stop };
}

/** The beginning of a document's text, as far as language detection reads. */
function openingOf({ blocks }: ReadDocument): string {
  let text = '';
  for (const block of blocks) {
    if (text.length >= detectedLength) break;
    text += `${block.text.slice(0, detectedLength)}\n`;
  }
  return text;
}

/** The most significant parts of a document, each spelled as in the document. */
export interface Condensed {
  /** Phrases, then words that neither the phrases nor the rest of the summary hold; each kind best first. */
  readonly keywords: readonly string[];
  /** In reading order, each once; empty at the level `terse`. */
  readonly headings: readonly string[];
  /** In reading order; empty at the level `terse`. */
  readonly sentences: readonly string[];
  /** ISO 639-1; undefined when it is neither detected nor declared. */
  readonly language: string | undefined;
  /** Whether the document has more words than are weighed. */
  readonly cut: boolean;
}

/** An amount: `base` plus `root` times the square root of the document's number of words. */
interface Budget {
  readonly base: number;
  readonly root: number;
}

interface Shape {
  /** UTF-16 units. */
  readonly headings: Budget;
  readonly sentences: Budget;
  /** Number. */
  readonly phrases: Budget;
  readonly words: Budget;
}

const nothing: Budget = { base: 0, root: 0 };

// A vocabulary grows roughly with the square root of the text's length (Heaps). Chosen from the curves of `npm run
// bench -- levels`.
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

/** A document whose words are counted and weighed. */
export interface Weighed extends TermScores {
  readonly document: ReadDocument;
  readonly reading: Reading;
  readonly language: string | undefined;
}

/** Count and weigh the words of a document, once for all levels. */
export function weigh(document: ReadDocument): Weighed {
  const reading = new Reading(document);
  const language = detectLanguage(openingOf(document)) ?? document.language?.slice(0, 2).toLowerCase();
  return { document, reading, language, ...scoreTerms(reading, language) };
}

/**
 * Choose the most significant parts of a document for a level: a small part that still answers the queries that the
 * whole document answers. `size` scales all amounts; 1 is the level's own. Deterministic. Time and memory are linear in
 * the text. The result grows with the square root of the text's length (under 200 kB for any document at size 1).
 */
export function condense(weighed: Weighed, level: 'terse' | 'selected', size = 1): Condensed {
  const { reading, language, scores, stop } = weighed;
  const { blocks } = weighed.document;
  const shape = shapes[level];
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
  // Sentences already hold the stop words that people type; a list of stop words is useless.
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

/** The spelling that represents each term: the most frequent one; among equals the shorter, then the earlier. */
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

/** At most `count` words of terms not yet covered, best first; a compound represents all its words. */
function coveringWords(reading: Reading, scores: Float64Array, coverage: Coverage, count: number): string[] {
  const best = spellingsOf(reading);
  // Terms of equal score keep the order of the document.
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
