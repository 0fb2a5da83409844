import type { Postings } from '../codecs/posting-codec.ts';
import { seek } from '../model/doc-set.ts';
import { slotWeight } from '../postings/impact.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import type { TermFrequencies } from '../postings/term-frequencies.ts';
import { bestOf } from './best-scores.ts';
import { companyDepth, feedbackDepth, feedbackWeight, smoothedScores, termsOfBest } from './feedback.ts';
import type { GroupLists } from './group-lists.ts';
import { isNearnessCounted, nearnessDepth, nearnessOf } from './nearness.ts';
import { bothFields, minLongQuery, type RankedTerm, type Ranking } from './ranking.ts';
import type { ScoreSignals } from './score-signals.ts';
import type { TopicVectors } from './topic-vectors.ts';
import { addGains, type TypedGain } from './typed-titles.ts';

export interface Scoring {
  readonly ranking: Ranking;
  readonly reader: PostingReader;
  readonly frequencies: TermFrequencies;
  /** The groups of terms that the ranking names. */
  readonly groups: GroupLists;
  /** Topic vectors of objects, for queries with feedback; undefined: no feedback. */
  readonly vectors: TopicVectors | undefined;
  /** Signals from outside the text, where any count. */
  readonly signals: ScoreSignals | undefined;
  /** The gains of titles and headings that are the query, largest first. */
  readonly typed: readonly TypedGain[];
}

/** Called with the scores after each step, and with the terms that the step has searched. */
export type ScoreObserver = (
  step: 'terms' | 'nearness' | 'feedback' | 'likeness' | 'signals' | 'typed',
  scores: Float64Array,
  terms: readonly RankedTerm[],
) => void;

// Feedback costs some 30 posting lists more: worth it for long queries, in an index of moderate size.
const maxFeedbackObjects = 100_000;

/** Only this many of the best gain by signals. They are already first, so none of the others passes them. */
const signalDepth = 200;

/**
 * Scores of `docnos` (ascending): weight, inverse frequency and impact (BM25, quantised), summed over terms.
 * The best gain by nearness or, for long queries, by terms that the best have in common.
 */
export async function scoresOf(
  docnos: Uint32Array,
  scoring: Scoring,
  observe: ScoreObserver = () => {},
): Promise<Float64Array> {
  const { ranking, frequencies, vectors } = scoring;
  const scores = new Float64Array(docnos.length);
  await addTerms(scores, docnos, ranking.terms, scoring);
  observe('terms', scores, ranking.terms);
  if (isNearnessCounted(ranking)) await addNearness(scores, docnos, scoring);
  observe('nearness', scores, []);
  const words = Math.max(
    ...Array.from(
      ranking.readings.values(),
      ({ sequence }) => new Set(sequence.map(({ term }) => term)).size,
    ),
  );
  if (
    vectors !== undefined &&
    words >= minLongQuery &&
    frequencies.objects <= maxFeedbackObjects &&
    docnos.length > 1
  )
    await addFeedback(scores, docnos, scoring, vectors, observe);
  if (scoring.signals !== undefined) await addSignals(scores, docnos, scoring.signals, observe);
  addGains(scores, docnos, scoring.typed);
  observe('typed', scores, []);
  return scores;
}

async function addNearness(scores: Float64Array, docnos: Uint32Array, scoring: Scoring): Promise<void> {
  const best = bestOf(scores, Math.min(nearnessDepth, docnos.length)).sort();
  const near = await nearnessOf(
    Uint32Array.from(best, (index) => docnos[index] as number),
    scoring,
  );
  for (const [order, index] of best.entries())
    scores[index] = (scores[index] as number) + (near[order] as number);
}

/** Add a bounded part of each score to it, so that good matches stay before poor ones. */
async function addSignals(
  scores: Float64Array,
  docnos: Uint32Array,
  signals: ScoreSignals,
  observe: ScoreObserver,
): Promise<void> {
  const best = bestOf(scores, Math.min(signalDepth, docnos.length)).sort();
  const gains = await signals.of(Uint32Array.from(best, (index) => docnos[index] as number));
  for (const [order, { freshness, popularity }] of gains.entries()) {
    const index = best[order] as number;
    scores[index] = (scores[index] as number) * (1 + freshness + popularity);
  }
  observe('signals', scores, []);
}

async function addFeedback(
  scores: Float64Array,
  docnos: Uint32Array,
  scoring: Scoring,
  vectors: TopicVectors,
  observe: ScoreObserver,
): Promise<void> {
  const scoreOf = (index: number) => scores[index] as number;
  const pool = bestOf(scores, Math.min(companyDepth, docnos.length));
  const topics = await vectors.of(Uint32Array.from(pool, (index) => docnos[index] as number));
  const best = Array.from(pool.subarray(0, feedbackDepth), scoreOf);
  const shared = await termsOfBest(best, topics, scoring.frequencies);
  for (const index of scores.keys()) scores[index] = (1 - feedbackWeight) * scoreOf(index);
  const terms = shared.flatMap(({ term, weight }) => bothFields(term, feedbackWeight * weight));
  await addTerms(scores, docnos, terms, scoring);
  observe('feedback', scores, terms);
  const company = bestOf(scores, Math.min(companyDepth, docnos.length));
  const near = await vectors.of(Uint32Array.from(company, (index) => docnos[index] as number));
  for (const [order, score] of smoothedScores(Array.from(company, scoreOf), near).entries())
    scores[company[order] as number] = score;
  observe('likeness', scores, []);
}

async function addTerms(
  scores: Float64Array,
  docnos: Uint32Array,
  terms: readonly RankedTerm[],
  { reader, frequencies }: Scoring,
): Promise<void> {
  // All are requested before the first is awaited, so that they are read together.
  const lists = terms.map(async ({ field, term, weight }) => ({
    postings: reader.held(field, term) ?? (await reader.postings(field, term)),
    factor: weight * (await frequencies.inverse(field, term)),
  }));
  for (const { postings, factor } of await Promise.all(lists)) add(scores, docnos, postings, factor);
}

function add(scores: Float64Array, docnos: Uint32Array, postings: Postings, factor: number): void {
  const listed = postings.docnos;
  let at = 0;
  if (listed.length < docnos.length / 8) {
    for (let index = 0; index < listed.length; index++) {
      const docno = listed[index] as number;
      at = seek(docnos, docno, at);
      if (at === docnos.length) return;
      if (docnos[at] === docno) addAt(scores, at, postings.slots[index] as number, factor);
    }
    return;
  }
  const sparse = docnos.length < listed.length / 8;
  for (let index = 0; index < docnos.length; index++) {
    const docno = docnos[index] as number;
    if (sparse) at = seek(listed, docno, at);
    else while (at < listed.length && (listed[at] as number) < docno) at++;
    if (at === listed.length) return;
    if (listed[at] === docno) addAt(scores, index, postings.slots[at] as number, factor);
  }
}

function addAt(scores: Float64Array, index: number, slot: number, factor: number): void {
  scores[index] = (scores[index] as number) + factor * (slotWeight[slot] as number);
}
