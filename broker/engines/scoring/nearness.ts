import { readPositions } from '../codecs/position-codec.ts';
import { allField } from '../index-database/index-fields.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import type { TermFrequencies } from '../postings/term-frequencies.ts';
import type { Ranking, Reading, SequenceTerm } from './ranking.ts';

interface NearnessSource {
  readonly ranking: Ranking;
  readonly reader: PostingReader;
  readonly frequencies: TermFrequencies;
}

// Words that are adjacent or near in the query and in a text are meant together. For long queries this adds
// nothing to the words themselves.
const maxWords = 6;
/** Number of objects checked, the best by their words alone. */
export const nearnessDepth = 100;
const weight = 0.1;
const window = 8;
const k1 = 0.9;

const saturated = (times: number) => ((k1 + 1) * times) / (times + k1);

/**
 * The max gain of an object by nearness, as a multiple of the inverse frequencies of all terms. The smaller weight of a
 * pair is 0.5 or less, and a term is in at most five pairs, with half of its inverse frequency in each. The same words may
 * be pairs in two languages.
 */
export const maxNearness = 2 * weight * 2 * (k1 + 1) * 0.5 * ((maxWords - 1) / 2);

const isCounted = ({ sequence }: Reading) => sequence.length > 1 && sequence.length <= maxWords;

/** Whether any object can gain from nearness. */
export const isNearnessCounted = ({ readings }: Ranking): boolean => [...readings.values()].some(isCounted);

/** The contribution of nearness to the scores of these objects (docnos ascending). */
export async function nearnessOf(
  docnos: Uint32Array,
  { ranking, reader, frequencies: counted }: NearnessSource,
): Promise<Float64Array> {
  const added = new Float64Array(docnos.length);
  if (!reader.hasPositions) return added;
  const positions = new Map<string, (readonly number[] | undefined)[]>();
  const frequencies = new Map<string, number>();
  // Readings that several languages share count once.
  const seen = new Set<string>();
  for (const reading of ranking.readings.values()) {
    if (!isCounted(reading)) continue;
    const { sequence } = reading;
    for (const { term } of sequence) {
      if (frequencies.has(term)) continue;
      frequencies.set(term, await counted.inverse(allField, term));
      if ((await reader.postings(allField, term)).docnos.length === 0) continue;
      const found: (readonly number[] | undefined)[] = new Array(docnos.length);
      for (const stored of await reader.positions(allField, term)) readPositions(stored, docnos, found);
      positions.set(term, found);
    }
    addPairs(added, sequence, positions, frequencies, seen);
  }
  return added;
}

function addPairs(
  added: Float64Array,
  sequence: readonly SequenceTerm[],
  positions: ReadonlyMap<string, readonly (readonly number[] | undefined)[]>,
  frequencies: ReadonlyMap<string, number>,
  seen: Set<string>,
): void {
  for (let at = 1; at < sequence.length; at++) {
    const [left, right] = [sequence[at - 1], sequence[at]];
    if (left === undefined || right === undefined || left.term === right.term) continue;
    const pair = `${left.term} ${right.term}`;
    if (seen.has(pair)) continue;
    seen.add(pair);
    const mean = ((frequencies.get(left.term) ?? 0) + (frequencies.get(right.term) ?? 0)) / 2;
    const factor = Math.min(left.weight, right.weight) * mean * weight;
    const [lefts, rights] = [positions.get(left.term), positions.get(right.term)];
    if (lefts === undefined || rights === undefined) continue;
    for (let index = 0; index < added.length; index++) {
      const [a, b] = [lefts[index], rights[index]];
      if (a === undefined || b === undefined) continue;
      const { ordered, near } = meetings(a, b);
      added[index] = (added[index] as number) + factor * (saturated(ordered) + saturated(near));
    }
  }
}

/** How often the second term directly follows the first, and how often they are less than a window apart. */
function meetings(
  a: readonly number[],
  b: readonly number[],
): { readonly ordered: number; readonly near: number } {
  let [ordered, near, from] = [0, 0, 0];
  for (const x of a) {
    while (from < b.length && (b[from] as number) <= x - window) from++;
    for (let at = from; at < b.length && (b[at] as number) < x + window; at++) {
      near++;
      if (b[at] === x + 1) ordered++;
    }
  }
  return { ordered, near };
}
