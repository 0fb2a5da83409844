import { readStarts } from '../codecs/position-codec.ts';
import { intersect } from '../model/doc-set.ts';
import type { PostingReader } from '../postings/posting-reader.ts';

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
  const { order, docnos: together } = await docnosOfAll(reader, field, terms, within);
  let docnos = together;
  if (docnos.length === 0) return docnos;
  let starts: (number[] | undefined)[] | undefined;
  for (const index of order) {
    const possible: Uint32Array = docnos;
    const found = new Array<number[] | undefined>(possible.length);
    for (const stored of await reader.positions(field, terms[index] as string))
      readStarts(stored, possible, index, starts, found);
    const kept: number[] = [];
    for (const [at, list] of found.entries()) if (list !== undefined) kept.push(at);
    docnos = Uint32Array.from(kept, (at) => possible[at] as number);
    starts = kept.map((at) => found[at]);
    if (docnos.length === 0) break;
  }
  return docnos;
}

/** The docnos that have all the terms, whatever their order, and the terms' places, rarest first. */
export async function docnosOfAll(
  reader: PostingReader,
  field: number,
  terms: readonly string[],
  within: Uint32Array | undefined,
): Promise<{ readonly docnos: Uint32Array; readonly order: readonly number[] }> {
  const postings = await Promise.all(terms.map((term) => reader.postings(field, term)));
  const lengthOf = (index: number) => postings[index]?.docnos.length ?? 0;
  const order = terms.map((_, index) => index).sort((a, b) => lengthOf(a) - lengthOf(b));
  let docnos = within;
  for (const index of order) {
    const own = postings[index]?.docnos ?? new Uint32Array();
    docnos = docnos === undefined ? own : intersect(docnos, own);
    if (docnos.length === 0) break;
  }
  return { docnos: docnos ?? new Uint32Array(), order };
}
