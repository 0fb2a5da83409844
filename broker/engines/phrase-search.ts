import { intersect } from './doc-set.ts';
import { readPositions } from './position-codec.ts';
import type { PostingReader } from './posting-reader.ts';

/**
 * The docnos in which the terms follow each other in a field, among `within` when it is given. Postings narrow
 * first; then positions are read term by term, rarest first, and only of objects that are still possible.
 */
export async function phraseDocnos(
  reader: PostingReader,
  field: number,
  terms: readonly string[],
  within: Uint32Array | undefined,
): Promise<Uint32Array> {
  const postings = await Promise.all(terms.map((term) => reader.postings(field, term)));
  const order = terms.map((_, index) => index).sort((a, b) => lengthOf(a) - lengthOf(b));
  function lengthOf(index: number): number {
    return postings[index]?.docnos.length ?? 0;
  }
  let docnos = within;
  for (const index of order) {
    const own = postings[index]?.docnos ?? new Uint32Array();
    docnos = docnos === undefined ? own : intersect(docnos, own);
    if (docnos.length === 0) return docnos;
  }
  let starts: (number[] | undefined)[] | undefined;
  for (const index of order) {
    const possible: Uint32Array = docnos ?? new Uint32Array();
    const found = await startsIn(reader, field, terms[index] as string, index, possible, starts);
    const kept = found.flatMap((list, at) => (list === undefined || list.length === 0 ? [] : [at]));
    docnos = Uint32Array.from(kept, (at) => possible[at] as number);
    starts = kept.map((at) => found[at]);
    if (docnos.length === 0) break;
  }
  return docnos ?? new Uint32Array();
}

/** For each docno, where the phrase may begin given this term's positions and what was found so far. */
async function startsIn(
  reader: PostingReader,
  field: number,
  term: string,
  offset: number,
  docnos: Uint32Array,
  known: readonly (number[] | undefined)[] | undefined,
): Promise<(number[] | undefined)[]> {
  const found = new Array<number[] | undefined>(docnos.length);
  for (const { value, base } of await reader.positions(field, term)) {
    readPositions(value, base, docnos, (at, positions) => {
      const begins = positions.map((position) => position - offset);
      const before = known?.[at];
      found[at] = before === undefined ? begins : common(before, begins);
    });
  }
  return found;
}

function common(a: readonly number[], b: readonly number[]): number[] {
  const both: number[] = [];
  let at = 0;
  for (const value of a) {
    while (at < b.length && (b[at] as number) < value) at++;
    if (b[at] === value) both.push(value);
  }
  return both;
}
