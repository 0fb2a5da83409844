import { readPositions } from '../codecs/position-codec.ts';
import type { PostingReader } from './posting-reader.ts';

/** Positions in each of some docnos, ascending; undefined where there are none. */
export type Places = readonly (readonly number[] | undefined)[];

/** The positions of any of the terms in these docnos (ascending). */
export async function placesOf(
  reader: PostingReader,
  field: number,
  terms: readonly string[],
  docnos: Uint32Array,
  signal?: AbortSignal,
): Promise<Places> {
  const found: (readonly number[] | undefined)[] = new Array(docnos.length).fill(undefined);
  const unordered = new Set<number>();
  await reader.sweep(field, terms, {
    signal,
    visit: (_, postings) => holdsAny(postings.docnos, docnos),
    positions: (_, postings, value) => {
      const own: (readonly number[] | undefined)[] = [];
      readPositions({ postings, value }, docnos, own);
      own.forEach((places, index) => {
        const known = found[index];
        if (places === undefined) return;
        found[index] = known === undefined ? places : [...known, ...places];
        if (known !== undefined) unordered.add(index);
      });
    },
  });
  for (const index of unordered) found[index] = [...(found[index] ?? [])].sort((a, b) => a - b);
  return found;
}

/** Whether the bounds of two ascending lists overlap: a cheap check that avoids most reading. */
const holdsAny = (a: Uint32Array, b: Uint32Array) =>
  a.length > 0 &&
  b.length > 0 &&
  (a[0] as number) <= (b.at(-1) as number) &&
  (b[0] as number) <= (a.at(-1) as number);

/** The starts of runs whose tokens follow each other, the first of `places` for the first token. */
export function runStarts(places: readonly Places[], docnos: number): Places {
  const [first, ...rest] = places;
  return Array.from({ length: docnos }, (_, index) => {
    let starts = first?.[index];
    for (const [offset, next] of rest.entries()) {
      const there = next[index];
      if (starts === undefined || there === undefined) return undefined;
      starts = shared(starts, there, offset + 1);
    }
    return starts === undefined || starts.length === 0 ? undefined : starts;
  });
}

/** The starts with one of the others `offset` after them. */
function shared(starts: readonly number[], others: readonly number[], offset: number): number[] {
  const found: number[] = [];
  let at = 0;
  for (const start of starts) {
    while (at < others.length && (others[at] as number) < start + offset) at++;
    if (at === others.length) break;
    if (others[at] === start + offset) found.push(start);
  }
  return found;
}
