import type { IndexedObject } from '../documents/oid-tables.ts';
import { fieldNames } from '../index-database/index-fields.ts';
import { seek } from '../model/doc-set.ts';
import type {
  CollectionStatistics,
  ScoreExplanation,
  SignalScore,
  TermScore,
} from '../model/search-engine.ts';
import { slotWeight } from '../postings/impact.ts';
import type { TermFrequencies } from '../postings/term-frequencies.ts';
import { feedbackWeight } from '../scoring/feedback.ts';
import type { RankedTerm, Ranking } from '../scoring/ranking.ts';
import type { Signals } from '../scoring/score-signals.ts';
import { type Scoring, scoresOf } from '../scoring/scores.ts';
import { gainOf } from '../scoring/typed-titles.ts';
import type { Evaluation } from './evaluation.ts';

export async function statisticsOf(
  { terms }: Ranking,
  frequencies: TermFrequencies,
): Promise<CollectionStatistics> {
  return {
    objects: frequencies.objects,
    terms: await Promise.all(
      terms.map(async ({ field, term }) => ({
        field: fieldNames[field] as string,
        term,
        ...(await frequencies.alone(field, term)),
      })),
    ),
  };
}

/** Explain an object's score: the search is repeated, and its steps are observed. */
export async function explainScore(
  { docno, language }: IndexedObject,
  { matching, view, scoring }: Evaluation,
): Promise<Omit<ScoreExplanation, 'oid'>> {
  const docnos = matching.filter((one) => view.columns.isAlive(one));
  const own = scoring.ranking.readings.get(language)?.terms ?? [];
  const place = seek(docnos, docno, 0);
  if (docnos[place] !== docno)
    return {
      ...{ rank: undefined, total: docnos.length, score: 0 },
      terms: await termScores(docno, own, scoring, 1),
      ...{ nearness: 0, feedback: [], likeness: 0, signals: null, typed: null },
    };
  const after = new Map<string, number>();
  let shared: readonly RankedTerm[] = [];
  const scores = await scoresOf(docnos, scoring, (step, sums, terms) => {
    after.set(step, sums[place] as number);
    if (step === 'feedback') shared = terms;
  });
  const share = shared.length === 0 ? 1 : 1 - feedbackWeight;
  const score = scores[place] as number;
  const near = (after.get('nearness') ?? 0) - (after.get('terms') ?? 0);
  const typed = gainOf(docno, scoring.typed);
  let rank = 1;
  for (const [index, other] of scores.entries())
    if (other > score || (other === score && index < place)) rank++;
  return {
    ...{ rank, total: docnos.length, score },
    terms: await termScores(docno, own, scoring, share),
    nearness: share * near,
    feedback: (await termScores(docno, shared, scoring, 1)).filter(({ score: added }) => added > 0),
    likeness: after.has('likeness') ? (after.get('likeness') ?? 0) - (after.get('feedback') ?? 0) : 0,
    signals: await signalScore(
      docno,
      scoring,
      after.get('likeness') ?? after.get('nearness') ?? 0,
      after.get('signals') ?? 0,
    ),
    typed: typed === undefined ? null : { place: typed.place, score: typed.gain },
  };
}

/** The parts of the gain on the score `before`. */
async function signalScore(
  docno: number,
  { signals }: Scoring,
  before: number,
  score: number,
): Promise<SignalScore | null> {
  if (signals === undefined) return null;
  const [gain] = await signals.of(Uint32Array.of(docno));
  const { modifiedAt, linkingHosts, freshness, popularity } = gain as Signals;
  // Objects far down the list gain nothing.
  const counts = score === before ? 0 : before;
  return {
    modifiedAt: modifiedAt || null,
    freshness: counts * freshness,
    linkingHosts,
    popularity: counts * popularity,
  };
}

function termScores(
  docno: number,
  terms: readonly RankedTerm[],
  { reader, frequencies, groups }: Scoring,
  share: number,
): Promise<TermScore[]> {
  return Promise.all(
    terms.map(async ({ field, term, weight: whole }): Promise<TermScore> => {
      const { docnos, slots } = await reader.postings(field, term);
      const at = seek(docnos, docno, 0);
      const impact = docnos[at] === docno ? (slotWeight[slots[at] as number] as number) : 0;
      const inverseFrequency = await frequencies.inverse(field, term);
      const weight = share * whole;
      const group = await groups.explain(field, term, docno);
      return {
        ...{ field: fieldNames[field] as string, term, ...(await frequencies.of(field, term)) },
        ...{ weight, inverseFrequency, impact, score: weight * inverseFrequency * impact },
        ...(group && { group }),
      };
    }),
  );
}
