import { isSearchedByBareWords, positiveLeaves, type QueryNode } from '../../query/index.ts';
import { allField, fieldOf, titleField } from './index-fields.ts';
import type { TermFrequencies, TermFrequency } from './term-frequencies.ts';

// How much a title's own match adds to that of the whole object.
const titleWeight = 0.2;

/** One posting list that adds to scores. */
export interface RankedTerm {
  readonly field: number;
  readonly term: string;
  readonly weight: number;
}

/** What a query is ranked by: posting lists, and its terms in bare words as they follow each other. */
export interface Ranking {
  readonly terms: readonly RankedTerm[];
  readonly sequence: readonly { readonly term: string; readonly weight: number }[];
}

interface Counted {
  readonly field: number;
  readonly term: string;
  /** Searched by bare words, in titles once more. */
  readonly bare: boolean;
  times: number;
}

/**
 * What ranks a query: the terms of its positive words and phrases, stop words left out where others are there. A term
 * that is said often where it is said at all is more of a topic than one of equal rarity that is not: it weighs
 * log2(1 + occurrences / objects), times how often the query has it. Weights add up to 1, so that scores of one
 * query are comparable whatever its length.
 */
export async function rankingOf(query: QueryNode, frequencies: TermFrequencies): Promise<Ranking> {
  const leaves = positiveLeaves(query);
  const telling = leaves.filter(({ stop }) => !stop);
  const counted = new Map<string, Counted>();
  const sequence: string[] = [];
  for (const { terms, attribute, weight } of telling.length === 0 ? leaves : telling) {
    const own = attribute === undefined ? allField : fieldOf(attribute);
    const field = own ?? (isSearchedByBareWords(attribute as string) ? allField : undefined);
    if (field === undefined) continue;
    for (const term of terms) {
      const key = `${field} ${attribute === undefined} ${term}`;
      const known = counted.get(key);
      if (known === undefined)
        counted.set(key, { field, term, bare: attribute === undefined, times: weight });
      else known.times += weight;
      // What was added to a query stands beside its words, not among them.
      if (attribute === undefined && weight === 1) sequence.push(term);
    }
  }
  const all = [...counted.values()];
  const counts = await Promise.all(all.map(({ field, term }) => frequencies.of(field, term)));
  const weights = all.map(({ times }, index) => times * burst(counts[index] as TermFrequency));
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
  const terms = all.flatMap(({ field, term, bare }, index): readonly RankedTerm[] => {
    const weight = (weights[index] as number) / sum;
    return bare ? bothFields(term, weight) : [{ field, term, weight }];
  });
  await Promise.all(terms.map(({ field, term }) => frequencies.of(field, term)));
  const weightOf = new Map(
    all.flatMap(({ term, bare }, index) => (bare ? [[term, (weights[index] as number) / sum]] : [])),
  );
  return { terms, sequence: sequence.map((term) => ({ term, weight: weightOf.get(term) ?? 0 })) };
}

/** A term of bare words: in the whole object, and in its title once more. */
export const bothFields = (term: string, weight: number): readonly RankedTerm[] => [
  { field: allField, term, weight },
  { field: titleField, term, weight: weight * titleWeight },
];

// Repeating a word a hundred times must not make it the topic of everything.
const mostBurst = 3;

function burst({ objects, occurrences }: TermFrequency): number {
  return objects === 0 ? 1 : Math.min(mostBurst, Math.log2(1 + occurrences / objects));
}

/** Indexes of the `count` highest scores, highest first; equal scores stand in the order of their indexes. */
export function bestOf(scores: Float64Array, count: number): Uint32Array {
  const before = (a: number, b: number) => (scores[b] as number) - (scores[a] as number) || a - b;
  if (count >= scores.length / 4) {
    return Uint32Array.from(scores.keys()).sort(before).subarray(0, Math.max(0, count));
  }
  // A heap with the worst of the best on top.
  const heap = new Uint32Array(count);
  let size = 0;
  const sink = () => {
    let at = 0;
    for (;;) {
      let worst = at;
      for (const child of [2 * at + 1, 2 * at + 2])
        if (child < size && before(heap[child] as number, heap[worst] as number) > 0) worst = child;
      if (worst === at) return;
      [heap[at], heap[worst]] = [heap[worst] as number, heap[at] as number];
      at = worst;
    }
  };
  for (let index = 0; index < scores.length && count > 0; index++) {
    if (size < count) {
      let at = size++;
      heap[at] = index;
      while (at > 0) {
        const parent = (at - 1) >> 1;
        if (before(heap[at] as number, heap[parent] as number) <= 0) break;
        [heap[at], heap[parent]] = [heap[parent] as number, heap[at] as number];
        at = parent;
      }
    } else if ((scores[index] as number) > (scores[heap[0] as number] as number)) {
      heap[0] = index;
      sink();
    }
  }
  return heap.sort(before);
}
