import { failure } from '../../../kernel/index.ts';
import { DetailColumn, type DetailRows, type DetailView } from '../documents/doc-details.ts';
import { engineErrors } from '../errors.ts';
import type { ResultOrder, SearchRequest } from '../model/search-engine.ts';
import { bestOf } from '../scoring/best-scores.ts';

/** Max matches sorted by their titles or URLs, whose texts must be read for that. */
const maxSortedByText = 20_000;

/** The list of results: the matches that are hits, and their order. */
export interface ResultList {
  /** Indexes of the matches that are hits, ascending. */
  readonly hits: Uint32Array;
  /** Of every match: higher comes first, equal ones are in the order of their docnos. */
  readonly keys: Float64Array;
  /** The hash of a document's bytes, where results are folded. */
  readonly bytes: DetailView | undefined;
}

/** Keys for an order other than relevance. Throws ENGINE_SORT_TOO_WIDE. */
export async function orderKeys(
  { by, reversed }: ResultOrder,
  docnos: Uint32Array,
  details: DetailRows,
): Promise<Float64Array> {
  const sign = reversed ? -1 : 1;
  if (by === 'date' || by === 'size') {
    const value = await details.view(DetailColumn[by === 'date' ? 'modified' : 'size'], docnos);
    return Float64Array.from(docnos, (docno) => {
      const known = value(docno);
      return known === 0 ? Number.NEGATIVE_INFINITY : sign * known;
    });
  }
  const limit = maxSortedByText;
  if (docnos.length > limit)
    throw failure(engineErrors.ENGINE_SORT_TOO_WIDE, { by, matches: docnos.length, limit });
  const texts = await details.texts(by, docnos);
  const sorted = Uint32Array.from(texts.keys()).sort((a, b) => {
    const [first, second] = [texts[a] as string, texts[b] as string];
    return first === second ? a - b : first < second ? -sign : sign;
  });
  const keys = new Float64Array(docnos.length);
  for (const [place, index] of sorted.entries()) keys[index] = -place;
  return keys;
}

/** Fold and group matches (ascending) that `keys` orders. */
export async function listOf(
  docnos: Uint32Array,
  keys: Float64Array,
  sourceOf: (docno: number) => number,
  details: DetailRows,
  { fold = false, perSource }: Pick<SearchRequest, 'fold' | 'perSource'>,
): Promise<ResultList> {
  const bytes = fold ? await details.view(DetailColumn.bytes, docnos) : undefined;
  let hits = numbersTo(docnos.length);
  if (bytes !== undefined) hits = folded(docnos, keys, bytes);
  if (perSource !== undefined) hits = grouped(hits, docnos, keys, sourceOf, perSource);
  return { hits, keys, bytes };
}

/** 0, 1, 2 ...: an iterator would take ten times as long. */
function numbersTo(count: number): Uint32Array<ArrayBuffer> {
  const numbers = new Uint32Array(count);
  for (let number = 1; number < count; number++) numbers[number] = number;
  return numbers;
}

/** The first of the matches with the same bytes. Those with unknown bytes all stay. */
function folded(docnos: Uint32Array, keys: Float64Array, bytes: DetailView): Uint32Array<ArrayBuffer> {
  const first = new Map<number, number>();
  const hits: number[] = [];
  for (let index = 0; index < docnos.length; index++) {
    const mark = bytes(docnos[index] as number);
    if (mark === 0) {
      hits.push(index);
      continue;
    }
    const other = first.get(mark);
    if (other === undefined || (keys[index] as number) > (keys[other] as number)) first.set(mark, index);
  }
  for (const index of first.values()) hits.push(index);
  return Uint32Array.from(hits).sort();
}

/** The best of each source, at most `max` of one. */
function grouped(
  hits: Uint32Array,
  docnos: Uint32Array,
  keys: Float64Array,
  sourceOf: (docno: number) => number,
  max: number,
): Uint32Array<ArrayBuffer> {
  const bySource = new Map<number, number[]>();
  for (const index of hits) {
    const source = sourceOf(docnos[index] as number);
    const known = bySource.get(source);
    if (known === undefined) bySource.set(source, [index]);
    else known.push(index);
  }
  const best: number[] = [];
  for (const group of bySource.values()) best.push(...firstOf(Uint32Array.from(group), keys, max));
  return Uint32Array.from(best).sort();
}

/** The first `count` of these hits (ascending) in their order. */
export function firstOf(hits: Uint32Array, keys: Float64Array, count: number): Uint32Array {
  const own = hits.length === keys.length ? keys : Float64Array.from(hits, (index) => keys[index] as number);
  return bestOf(own, Math.min(count, hits.length)).map((at) => hits[at] as number);
}

/** The other matches with the same bytes as one of these: their indexes, by the hash of the bytes. */
export function othersOf(
  docnos: Uint32Array,
  shown: Iterable<number>,
  bytes: DetailView,
): ReadonlyMap<number, readonly number[]> {
  const others = new Map<number, number[]>();
  const own = new Set(shown);
  for (const index of own) {
    const mark = bytes(docnos[index] as number);
    if (mark !== 0) others.set(mark, []);
  }
  if (others.size > 0)
    for (let index = 0; index < docnos.length; index++)
      if (!own.has(index)) others.get(bytes(docnos[index] as number))?.push(index);
  return others;
}
