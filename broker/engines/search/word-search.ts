import {
  type Language,
  type NearNode,
  nearLeaves,
  type RegexLiterals,
  tokenTests,
  type WordLeaf,
} from '../../../query/index.ts';
import { DocBits } from '../model/doc-bits.ts';
import { intersect, unite, uniteAll } from '../model/doc-set.ts';
import { type Places, placesOf, runStarts } from '../postings/place-positions.ts';
import type { PostingReader } from '../postings/posting-reader.ts';
import type { FoundTerms, TermFinder } from '../vocabulary/term-finder.ts';
import { valueEnd } from '../vocabulary/term-numbers.ts';

/** The index's answer to a leaf: docnos that match for certain, and all that may match, including those. */
export interface IndexAnswer {
  readonly sure: Uint32Array;
  /** Undefined: any docno may match. */
  readonly possible: Uint32Array | undefined;
}

export interface WordSource {
  readonly reader: PostingReader;
  readonly finder: TermFinder;
  readonly languages: readonly Language[];
  readonly signal: AbortSignal | undefined;
}

/** The terms of each token of a run; undefined: any term may match. */
type Run = readonly (FoundTerms | undefined)[];

const none = new Uint32Array();
// Number of objects whose positions are in memory at a time.
const objectsAtOnce = 2048;
const allOf = ({ sure, unsure }: FoundTerms) => (unsure.length === 0 ? sure : [...sure, ...unsure]);
const isUnsure = (run: Run) => run.some((place) => place === undefined || place.unsure.length > 0);

/** Finds words by any comparison, runs of them, and NEAR, in one field; dead docnos included. */
export class WordSearch {
  readonly #source: WordSource;
  readonly #field: number;
  readonly #unions = new Map<string, Promise<Uint32Array>>();

  constructor(source: WordSource, field: number) {
    this.#source = source;
    this.#field = field;
  }

  async run(leaf: WordLeaf, within: Uint32Array | undefined): Promise<IndexAnswer> {
    const run = await this.#read(leaf);
    const [only] = run;
    if (run.length === 0) return { sure: none, possible: none };
    if (run.length === 1) {
      if (only === undefined) return { sure: none, possible: undefined };
      const sure = await this.#holding(only.sure);
      if (only.unsure.length === 0) return { sure, possible: sure };
      return { sure, possible: uniteAll([sure, await this.#holding(only.unsure)]) };
    }
    const together = await this.#together([run], within);
    if (together === undefined || !this.#source.reader.hasPositions || run.includes(undefined))
      return { sure: none, possible: together };
    const sure: number[] = [];
    const possible: number[] = [];
    for (const docnos of parts(together)) {
      const places = new PlacesOfRuns(this.#source, this.#field, docnos);
      const mayBegin = await places.starts(run, false);
      const begins = isUnsure(run) ? await places.starts(run, true) : mayBegin;
      for (const [index, docno] of docnos.entries()) {
        if (mayBegin[index] !== undefined) possible.push(docno);
        if (begins[index] !== undefined) sure.push(docno);
      }
    }
    return knownOf(sure, possible);
  }

  async near({ operands, distance }: NearNode, within: Uint32Array | undefined): Promise<IndexAnswer> {
    const sides: Run[][] = [];
    for (const operand of operands) {
      const side: Run[] = [];
      for (const leaf of nearLeaves(operand)) {
        const run = await this.#read(leaf);
        if (run.length > 0) side.push(run);
      }
      sides.push(side);
    }
    let together = within;
    for (const side of sides) {
      const found = await this.#together(side, together);
      if (found !== undefined) together = found;
    }
    const isOpen = sides.some((side) => side.some((run) => run.includes(undefined)));
    if (together === undefined || !this.#source.reader.hasPositions || isOpen)
      return { sure: none, possible: together };
    const unsure = sides.some((side) => side.some(isUnsure));
    const sure: number[] = [];
    const possible: number[] = [];
    for (const docnos of parts(together)) {
      const places = new PlacesOfRuns(this.#source, this.#field, docnos);
      const ends = await places.terms([valueEnd]);
      const placed = await Promise.all(
        (unsure ? [false, true] : [false]).map((isSure) =>
          Promise.all(sides.map((side) => placedRuns(places, side, isSure))),
        ),
      );
      const isNear = (which: number, index: number) => {
        const [lefts, rights] = (placed[which] ?? []).map((of) => of(index)) as [PlacedRun[], PlacedRun[]];
        return areNear(lefts, rights, distance, ends[index] ?? []);
      };
      for (const [index, docno] of docnos.entries()) {
        if (!isNear(0, index)) continue;
        possible.push(docno);
        if (!unsure || isNear(1, index)) sure.push(docno);
      }
    }
    return knownOf(sure, possible);
  }

  /** The docnos of words with the pieces that an expression requires. */
  async literals({ pieces, combine }: RegexLiterals): Promise<IndexAnswer> {
    const terms = await this.#source.finder.termsWith(pieces);
    const holders = new Map<string, Uint32Array>();
    for (const [piece, holding] of terms) holders.set(piece, await this.#holding(holding));
    return { sure: none, possible: combine((piece) => holders.get(piece), { intersect, unite }) };
  }

  /** The tokens of a leaf. Every language has the same number. */
  async #read(leaf: WordLeaf): Promise<Run> {
    const { languages, finder } = this.#source;
    const readings = languages.map((language) => [language, tokenTests(leaf, language)] as const);
    const run: (FoundTerms | undefined)[] = [];
    for (const token of (readings[0]?.[1] ?? []).keys())
      run.push(
        await finder.terms(
          new Map(
            readings.flatMap(([language, tests]) => {
              const test = tests[token];
              return test === undefined ? [] : [[language, test] as const];
            }),
          ),
        ),
      );
    return run;
  }

  /** The docnos that have all the words of one of these runs, in any order; undefined: any docno may. */
  async #together(runs: readonly Run[], within: Uint32Array | undefined): Promise<Uint32Array | undefined> {
    const sets: Uint32Array[] = [];
    for (const run of runs) {
      let found = within;
      for (const place of run) {
        if (place === undefined) continue;
        const set = await this.#holding(allOf(place));
        found = found === undefined ? set : intersect(found, set);
      }
      if (found === undefined) return undefined;
      sets.push(found);
    }
    return uniteAll(sets);
  }

  #holding(terms: readonly string[]): Promise<Uint32Array> {
    const key = terms.join(' ');
    const known = this.#unions.get(key) ?? this.#union(terms);
    this.#unions.set(key, known);
    return known;
  }

  async #union(terms: readonly string[]): Promise<Uint32Array> {
    const { reader, signal } = this.#source;
    const [only] = terms;
    if (only === undefined) return none;
    if (terms.length === 1) return (await reader.postings(this.#field, only)).docnos;
    const bits = new DocBits(reader.lastDocno + 1);
    await reader.sweep(this.#field, terms, {
      signal,
      visit: (_, { docnos }) => {
        for (const docno of docnos) bits.add(docno);
        return false;
      },
    });
    return bits.docnos();
  }
}

/** Both sets of one leaf. All sure docnos are among the possible ones. */
function knownOf(sure: readonly number[], possible: readonly number[]): IndexAnswer {
  const all = Uint32Array.from(possible);
  return { sure: sure.length === possible.length ? all : Uint32Array.from(sure), possible: all };
}

function* parts(docnos: Uint32Array): Generator<Uint32Array> {
  for (let at = 0; at < docnos.length; at += objectsAtOnce) yield docnos.subarray(at, at + objectsAtOnce);
}

/** The places of runs in some objects. Each term is read once. */
class PlacesOfRuns {
  readonly #source: WordSource;
  readonly #field: number;
  readonly #docnos: Uint32Array;
  readonly #known = new Map<string, Promise<Places>>();

  constructor(source: WordSource, field: number, docnos: Uint32Array) {
    this.#source = source;
    this.#field = field;
    this.#docnos = docnos;
  }

  terms(terms: readonly string[]): Promise<Places> {
    const { reader, signal } = this.#source;
    const key = terms.join(' ');
    const known = this.#known.get(key) ?? placesOf(reader, this.#field, terms, this.#docnos, signal);
    this.#known.set(key, known);
    return known;
  }

  /** The starts of the run, for certain or possibly. */
  async starts(run: Run, isSure: boolean): Promise<Places> {
    const places: Places[] = [];
    for (const place of run)
      places.push(place === undefined ? [] : await this.terms(isSure ? place.sure : allOf(place)));
    return runStarts(places, this.#docnos.length);
  }
}

/** For each object, the runs of one operand. */
async function placedRuns(
  places: PlacesOfRuns,
  runs: readonly Run[],
  isSure: boolean,
): Promise<(index: number) => PlacedRun[]> {
  const found = await Promise.all(
    runs.map(async (run) => ({ length: run.length, starts: await places.starts(run, isSure) })),
  );
  return (index) =>
    found.flatMap(({ length, starts }) =>
      (starts[index] ?? []).map((first) => ({ first, last: first + length - 1 })),
    );
}

/** A run of tokens in one object, by the positions of its first and last tokens. */
interface PlacedRun {
  readonly first: number;
  readonly last: number;
}

/**
 * Whether runs of both sides are in one value, without overlap, with at most `distance` tokens between
 * them; `ends` (ascending) are between values. Time n log n in the number of runs.
 */
function areNear(
  lefts: readonly PlacedRun[],
  rights: readonly PlacedRun[],
  distance: number,
  ends: readonly number[],
): boolean {
  const lasts = Int32Array.from(rights, ({ last }) => last).sort();
  const firsts = Int32Array.from(rights, ({ first }) => first).sort();
  const breaks = Int32Array.from(ends);
  const gap = distance + 1;
  return lefts.some(({ first, last }) => {
    const at = lowerBound(breaks, first);
    const from = (breaks[at - 1] ?? -1) + 1;
    const to = (breaks[at] ?? Number.MAX_SAFE_INTEGER) - 1;
    return (
      holdsBetween(lasts, Math.max(from, first - gap), first - 1) ||
      holdsBetween(firsts, last + 1, Math.min(to, last + gap))
    );
  });
}

/** The index of the first number that is not below `min`. */
function lowerBound(numbers: Int32Array, min: number): number {
  let [from, to] = [0, numbers.length];
  while (from < to) {
    const middle = (from + to) >> 1;
    if ((numbers[middle] as number) < min) from = middle + 1;
    else to = middle;
  }
  return from;
}

function holdsBetween(numbers: Int32Array, low: number, high: number): boolean {
  const at = lowerBound(numbers, low);
  return at < numbers.length && (numbers[at] as number) <= high;
}
