import { isSearchedByBareWords, positiveLeaves, type QueryNode } from '../../query/index.ts';
import { seek } from './doc-set.ts';
import { inverseFrequency, slotWeight } from './impact.ts';
import { allField, fieldOf, titleField } from './index-fields.ts';
import type { Postings } from './posting-codec.ts';
import type { PostingReader } from './posting-reader.ts';

// How much a title's own match adds to that of the whole object.
const titleWeight = 0.3;

/** One posting list that adds to scores. */
export interface RankedTerm {
  readonly field: number;
  readonly term: string;
  readonly weight: number;
}

/** The posting lists that rank a query: those of its positive words and of the words of its positive phrases. */
export function rankedTerms(query: QueryNode): RankedTerm[] {
  const ranked: RankedTerm[] = [];
  for (const { terms, attribute } of positiveLeaves(query)) {
    const own = attribute === undefined ? allField : fieldOf(attribute);
    const field = own ?? (isSearchedByBareWords(attribute as string) ? allField : undefined);
    if (field === undefined) continue;
    for (const term of terms) {
      ranked.push({ field, term, weight: 1 });
      if (attribute === undefined) ranked.push({ field: titleField, term, weight: titleWeight });
    }
  }
  return ranked;
}

/** Scores of `docnos`: the sum over terms of inverse frequency times impact (BM25, quantised). */
export async function scoresOf(
  docnos: Uint32Array,
  terms: readonly RankedTerm[],
  reader: PostingReader,
  objects: number,
): Promise<Float64Array> {
  const scores = new Float64Array(docnos.length);
  for (const { field, term, weight } of terms) {
    const postings = await reader.postings(field, term);
    add(scores, docnos, postings, weight * inverseFrequency(objects, postings.docnos.length));
  }
  return scores;
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
