import {
  isStopWord,
  type Language,
  languageOfObject,
  scanWords,
  searchedValues,
  termOf,
} from '../../../query/index.ts';
import type { SummaryObject } from '../../../soif/index.ts';
import { allField } from '../index-database/index-fields.ts';
import type { TermFrequencies } from '../postings/term-frequencies.ts';

/** Topics of some objects: the heaviest terms of each, as a unit vector over the shared terms. */
export interface Topics {
  readonly terms: readonly string[];
  readonly vectors: readonly Float32Array[];
}

/** Objects by docno, as far as they are still stored. */
export type ObjectsOf = (
  docnos: Uint32Array,
) => AsyncIterable<readonly [docno: number, object: SummaryObject]>;

const decoder = new TextDecoder();
/** Tokens read of each object: its beginning shows its topic. */
const maxTokens = 1_000;
const maxBytes = 16 * 1024;
/** Number of shared terms that are weighed. Terms of only one of the objects do not count. */
const maxTermsWeighed = 400;
const vectorTerms = 50;
const k1 = 1.2;
const b = 0.75;

interface Counts {
  readonly terms: ReadonlyMap<string, number>;
  readonly length: number;
}

const nothing: Counts = { terms: new Map(), length: 0 };

function countTerms(object: SummaryObject, fallback: Language): Counts {
  const language = languageOfObject(object, fallback);
  const terms = new Map<string, number>();
  let [length, passed, bytes] = [0, 0, 0];
  for (const { value } of searchedValues(object, undefined)) {
    if (passed >= maxTokens || bytes >= maxBytes) break;
    const text =
      typeof value === 'string'
        ? value.slice(0, maxBytes - bytes)
        : decoder.decode(value.subarray(0, maxBytes - bytes));
    bytes += value.length;
    scanWords(text, (word) => {
      passed++;
      if (!isStopWord(word, language)) {
        const term = termOf(word, language);
        terms.set(term, (terms.get(term) ?? 0) + 1);
        length++;
      }
      return passed >= maxTokens;
    });
  }
  return { terms, length };
}

/** Terms of several of these objects, the most frequent first. */
function sharedTerms(counts: Iterable<Counts>): string[] {
  const sums = new Map<string, { objects: number; weight: number }>();
  for (const { terms } of counts)
    for (const [term, times] of terms) {
      const sum = sums.get(term) ?? { objects: 0, weight: 0 };
      sums.set(term, { objects: sum.objects + 1, weight: sum.weight + times / (times + k1) });
    }
  return [...sums]
    .filter(([, { objects }]) => objects > 1)
    .sort(([s, x], [t, y]) => y.weight - x.weight || (s < t ? -1 : 1))
    .slice(0, maxTermsWeighed)
    .map(([term]) => term);
}

/** Makes topic vectors of objects that are examined together, reading each object once. */
export class TopicVectors {
  readonly #frequencies: TermFrequencies;
  readonly #objectsOf: ObjectsOf;
  readonly #fallback: Language;
  readonly #counts = new Map<number, Counts>();

  /** `fallback` is the language of objects that do not name theirs. */
  constructor(frequencies: TermFrequencies, objectsOf: ObjectsOf, fallback: Language) {
    this.#fallback = fallback;
    this.#frequencies = frequencies;
    this.#objectsOf = objectsOf;
  }

  /** The topics of these docnos. A deleted object has a vector of zeros. */
  async of(docnos: Uint32Array): Promise<Topics> {
    const missing = docnos.filter((docno) => !this.#counts.has(docno));
    for await (const [docno, object] of this.#objectsOf(missing))
      this.#counts.set(docno, countTerms(object, this.#fallback));
    const counts = Array.from(docnos, (docno) => this.#counts.get(docno) ?? nothing);
    const average = Math.max(1, counts.reduce((sum, { length }) => sum + length, 0) / counts.length);
    const terms = sharedTerms(counts);
    const frequencies = await Promise.all(terms.map((term) => this.#frequencies.inverse(allField, term)));
    const vectors = counts.map((one) => vectorOf(one, terms, frequencies, average));
    return { terms, vectors };
  }
}

function vectorOf(
  { terms: times, length }: Counts,
  terms: readonly string[],
  frequencies: readonly number[],
  average: number,
): Float32Array {
  const vector = new Float32Array(terms.length);
  const norm = k1 * (1 - b + (b * length) / average);
  for (let index = 0; index < terms.length; index++) {
    const count = times.get(terms[index] as string);
    if (count !== undefined) vector[index] = ((frequencies[index] as number) * count) / (count + norm);
  }
  const min = vector.toSorted().at(-vectorTerms) ?? 0;
  let square = 0;
  for (let index = 0; index < vector.length; index++) {
    const weight = vector[index] as number;
    if (weight < min) vector[index] = 0;
    else square += weight * weight;
  }
  const size = Math.sqrt(square) || 1;
  return vector.map((weight) => weight / size);
}

/** The cosine of two vectors of length 1. */
export function cosine(a: Float32Array, b: Float32Array): number {
  let sum = 0;
  for (let index = 0; index < a.length; index++) sum += (a[index] as number) * (b[index] as number);
  return sum;
}
