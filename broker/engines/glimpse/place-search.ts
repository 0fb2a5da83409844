import {
  isNamed,
  type Language,
  nearAny,
  passes,
  type TokenSpan,
  type TokenTest,
  termParts,
} from '../../../query/index.ts';
import { chunkOf, chunkStart } from './glimpse-keys.ts';
import { type ObjectValues, valueAt } from './object-values.ts';
import { decodePlaces, type PlacedForm } from './place-block.ts';
import type { PlaceReader } from './place-reader.ts';
import type { VocabularyKind } from './vocabulary-writer.ts';

/** A token of a query as some languages read it. */
export interface ReadToken {
  readonly test: TokenTest;
  readonly languages: readonly Language[];
}

/** A token of a query with the terms of the text tokens that pass, in any language. */
export interface PlacedToken {
  readonly readings: readonly ReadToken[];
  readonly terms: ReadonlySet<string>;
}

/** Tokens that follow each other. */
export type PlacedRun = readonly PlacedToken[];

/** The sought runs: one of `runs` or, with a second list, one of each within some distance in tokens. */
export interface Placed {
  readonly kind: VocabularyKind;
  /** In lower case. */
  readonly attribute: string | undefined;
  readonly runs: readonly PlacedRun[];
  readonly near?: { readonly runs: readonly PlacedRun[]; readonly distance: number };
}

/** Objects that match for certain, and others that may, with tokens too long to be stored. */
export interface PlacedObjects {
  readonly matching: readonly number[];
  readonly doubtful: readonly number[];
}

/** The places of one token: positions by docno, and objects with tokens whose written form is not stored. */
interface Places {
  readonly positions: Map<number, number[]>;
  readonly doubtful: Set<number>;
}

/** Whether a form of a term passes; undefined where the written form is not stored. */
function passesForm({ test }: ReadToken, term: string, { word, written }: PlacedForm): boolean | undefined {
  if (test.form === 'term') return passes(termParts(term)[1], test);
  if (test.form === 'word') return passes(word, test);
  return written === undefined ? undefined : passes(written, test);
}

/** Finds objects in which words occur as a query requires, by their places alone. */
export class PlaceSearch {
  readonly #reader: PlaceReader;
  readonly #pause: () => Promise<void>;

  /** `pause` is called between chunks of objects: it yields to other work, or throws. */
  constructor(reader: PlaceReader, pause: () => Promise<void>) {
    this.#reader = reader;
    this.#pause = pause;
  }

  /** Of these objects (ascending), each of which has all words, those that match by the words' places. */
  async of(placed: Placed, candidates: Uint32Array): Promise<PlacedObjects> {
    const matching: number[] = [];
    const doubtful: number[] = [];
    for (let at = 0; at < candidates.length; ) {
      const chunk = chunkOf(candidates[at] as number);
      let end = at;
      while (end < candidates.length && chunkOf(candidates[end] as number) === chunk) end++;
      const docnos = Array.from(candidates.subarray(at, end));
      const found = await this.#inChunk(placed, chunk, docnos);
      for (const docno of found.matching) matching.push(docno);
      for (const docno of found.doubtful) doubtful.push(docno);
      await this.#pause();
      at = end;
    }
    return { matching, doubtful };
  }

  async #inChunk(placed: Placed, chunk: number, docnos: readonly number[]): Promise<PlacedObjects> {
    const { kind, attribute, near } = placed;
    const all = [...placed.runs, ...(near?.runs ?? [])];
    const needsValues =
      attribute !== undefined ||
      near !== undefined ||
      all.some((run) => run.some(({ readings }) => readings.length > 1));
    const values = needsValues ? await this.#reader.values(docnos) : undefined;
    const placesOf: Places[][] = [];
    for (const run of all) {
      const own: Places[] = [];
      for (const token of run) own.push(await this.#placesOf(kind, token, chunk, docnos, values));
      placesOf.push(own);
    }
    const matching: number[] = [];
    const doubtful: number[] = [];
    for (const docno of docnos) {
      const known = values?.get(docno);
      const stretches = placesOf.map((run) => stretchesOf(run, docno, attribute, known));
      const matches =
        near === undefined
          ? stretches.some(({ length }) => length > 0)
          : areNear(stretches, placed.runs.length, near.distance, known);
      if (matches) matching.push(docno);
      else if (placesOf.some((run) => run.some((token) => token.doubtful.has(docno)))) doubtful.push(docno);
    }
    return { matching, doubtful };
  }

  /** The places of a token in these objects, each read in its language's way. */
  async #placesOf(
    kind: VocabularyKind,
    { readings, terms }: PlacedToken,
    chunk: number,
    docnos: readonly number[],
    values: ReadonlyMap<number, ObjectValues> | undefined,
  ): Promise<Places> {
    const base = chunkStart(chunk);
    const wanted = new Set(docnos);
    const positions = new Map<number, number[]>();
    const doubtful = new Set<number>();
    const [from, to] = [docnos[0] as number, docnos.at(-1) as number];
    for await (const { term, forms } of this.#reader.terms({ number: chunk, from, to }, kind, terms))
      for (const form of forms) {
        const verdicts = readings.map((reading) => passesForm(reading, term, form));
        if (verdicts.every((verdict) => verdict === false)) continue;
        for (const object of decodePlaces(form.places, base)) {
          const { docno } = object;
          if (!wanted.has(docno)) continue;
          const language = values?.get(docno)?.language;
          const reading =
            readings.length === 1
              ? 0
              : readings.findIndex(({ languages }) => languages.includes(language as Language));
          const verdict = verdicts[reading];
          if (verdict === undefined) doubtful.add(docno);
          if (verdict !== true) continue;
          const known = positions.get(docno);
          if (known === undefined) positions.set(docno, [...object.positions]);
          else for (const position of object.positions) known.push(position);
        }
      }
    return { positions, doubtful };
  }
}

/** The places of consecutive tokens in an object, within values of an attribute when one is given. */
function stretchesOf(
  run: readonly Places[],
  docno: number,
  attribute: string | undefined,
  values: ObjectValues | undefined,
): readonly TokenSpan[] {
  const [head, ...rest] = run.map(({ positions }) => positions.get(docno) ?? []);
  if (head === undefined || head.length === 0 || rest.some(({ length }) => length === 0)) return [];
  const after = rest.map((positions) => new Set(positions));
  const last = run.length - 1;
  const isInAttribute = (position: number) => {
    if (attribute === undefined || values === undefined) return attribute === undefined;
    const value = values.values[valueAt(values, position)];
    return value !== undefined && isNamed(value.name, attribute);
  };
  return head
    .filter((first) => after.every((set, index) => set.has(first + index + 1)) && isInAttribute(first))
    .map((first) => ({ first, last: first + last }));
}

/** Whether, in some value, one of the first `lefts` runs is within `distance` tokens of one of the others. */
function areNear(
  stretches: readonly (readonly TokenSpan[])[],
  lefts: number,
  distance: number,
  values: ObjectValues | undefined,
): boolean {
  if (values === undefined) return false;
  // Values are moved far apart, so that near tokens are in the same value.
  const apart = ({ first, last }: TokenSpan): TokenSpan => {
    const moved = valueAt(values, first) * (distance + 1);
    return { first: first + moved, last: last + moved };
  };
  const [left, right] = [stretches.slice(0, lefts), stretches.slice(lefts)];
  return left
    .flat()
    .map(apart)
    .some(nearAny(right.flat().map(apart), distance));
}
