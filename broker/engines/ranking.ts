import { isSearchedByBareWords, positiveLeaves, type QueryNode } from '../../query/index.ts';
import { allField, fieldOf, titleField } from './index-fields.ts';
import type { Postings } from './posting-codec.ts';
import type { PostingReader } from './posting-reader.ts';

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
export async function rankingOf(query: QueryNode, reader: PostingReader): Promise<Ranking> {
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
  const postings = await Promise.all(all.map(({ field, term }) => reader.postings(field, term)));
  const weights = all.map(({ times }, index) => times * burst(postings[index] as Postings));
  const sum = weights.reduce((total, weight) => total + weight, 0) || 1;
  const terms = all.flatMap(({ field, term, bare }, index): RankedTerm[] => {
    const weight = (weights[index] as number) / sum;
    const whole = { field, term, weight };
    return bare ? [whole, { field: titleField, term, weight: weight * titleWeight }] : [whole];
  });
  await Promise.all(terms.map(({ field, term }) => reader.postings(field, term)));
  const weightOf = new Map(
    all.flatMap(({ term, bare }, index) => (bare ? [[term, (weights[index] as number) / sum]] : [])),
  );
  return { terms, sequence: sequence.map((term) => ({ term, weight: weightOf.get(term) ?? 0 })) };
}

// Repeating a word a hundred times must not make it the topic of everything.
const mostBurst = 3;

function burst({ docnos, occurrences }: Postings): number {
  return docnos.length === 0 ? 1 : Math.min(mostBurst, Math.log2(1 + occurrences / docnos.length));
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
