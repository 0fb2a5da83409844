import { seek } from './doc-set.ts';
import { inverseFrequency, slotWeight } from './impact.ts';
import { nearnessDepth, nearnessOf } from './nearness.ts';
import type { Postings } from './posting-codec.ts';
import type { PostingReader } from './posting-reader.ts';
import { bestOf, type Ranking } from './ranking.ts';

/**
 * Scores of `docnos` (ascending): the sum over terms of weight, inverse frequency and impact (BM25, quantised), and for
 * the best of them what the nearness of the query's words adds.
 */
export async function scoresOf(
  docnos: Uint32Array,
  ranking: Ranking,
  reader: PostingReader,
  objects: number,
): Promise<Float64Array> {
  const scores = new Float64Array(docnos.length);
  for (const { field, term, weight } of ranking.terms) {
    const postings = await reader.postings(field, term);
    add(scores, docnos, postings, weight * inverseFrequency(objects, postings.docnos.length));
  }
  const best = bestOf(scores, Math.min(nearnessDepth, docnos.length)).sort();
  const near = await nearnessOf(
    Uint32Array.from(best, (index) => docnos[index] as number),
    ranking,
    reader,
    objects,
  );
  for (const [order, index] of best.entries())
    scores[index] = (scores[index] as number) + (near[order] as number);
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
