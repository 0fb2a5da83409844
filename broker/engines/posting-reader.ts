import { positionsKey, postingsKey } from './index-keys.ts';
import type { Segment } from './index-state.ts';
import type { PostingCache } from './posting-cache.ts';
import {
  decodeSlots,
  inlinePositions,
  occurrencesIn,
  type Postings,
  postingsOf,
  type Slots,
} from './posting-codec.ts';
import type { PostingDatabase } from './posting-database.ts';
import { PostingIndex } from './posting-index.ts';

/** One segment's stored positions of a term. */
export interface StoredPositions {
  readonly value: Uint8Array;
  readonly base: number;
}

/** What is worth keeping between searches: a term's postings or its positions, over all segments. */
export type CachedTerm = Postings | readonly StoredPositions[];

export function cachedBytes(value: CachedTerm): number {
  return 'docnos' in value
    ? value.docnos.byteLength + value.slots.byteLength
    : value.reduce((sum, part) => sum + part.value.byteLength + 50, 0);
}

/** Under which name a term's postings ('p') or positions ('q') are cached. */
export const cacheKey = (kind: 'p' | 'q', field: number, term: string) => `${kind}${field} ${term}`;

/**
 * Reads terms of one moment of the index (its list of segments), each at most once. The shared cache describes the
 * current moment only: it is passed by when `isCurrent` says that this one is past.
 */
export class PostingReader {
  readonly #database: PostingDatabase;
  readonly #segments: readonly Segment[];
  readonly #cache: PostingCache<CachedTerm>;
  readonly #isCurrent: () => boolean;
  readonly #indexes = new Map<number, PostingIndex>();
  readonly #read = new Map<string, Promise<CachedTerm>>();
  /** Beside the slots that FlexSearch hands back: it knows nothing else. */
  readonly #occurrences = new Map<string, number>();

  constructor(
    database: PostingDatabase,
    segments: readonly Segment[],
    cache: PostingCache<CachedTerm>,
    isCurrent: () => boolean,
  ) {
    this.#database = database;
    this.#segments = segments;
    this.#cache = cache;
    this.#isCurrent = isCurrent;
  }

  postings(field: number, term: string): Promise<Postings> {
    return this.#once(cacheKey('p', field, term), async () => {
      const slots = await this.#index(field).slots(term);
      return postingsOf(slots, this.#occurrences.get(cacheKey('p', field, term)) ?? 0);
    }) as Promise<Postings>;
  }

  positions(field: number, term: string): Promise<readonly StoredPositions[]> {
    return this.#once(cacheKey('q', field, term), () => this.#positions(field, term)) as Promise<
      readonly StoredPositions[]
    >;
  }

  #once(key: string, load: () => Promise<CachedTerm>): Promise<CachedTerm> {
    let reading = this.#read.get(key);
    if (reading === undefined) {
      reading = this.#cached(key, load);
      this.#read.set(key, reading);
    }
    return reading;
  }

  async #cached(key: string, load: () => Promise<CachedTerm>): Promise<CachedTerm> {
    const known = this.#isCurrent() ? this.#cache.get(key) : undefined;
    if (known !== undefined) return known;
    const value = await load();
    if (this.#isCurrent()) this.#cache.set(key, value);
    return value;
  }

  #index(field: number): PostingIndex {
    let index = this.#indexes.get(field);
    if (index === undefined) {
      index = new PostingIndex((term) => this.#slots(field, term));
      this.#indexes.set(field, index);
    }
    return index;
  }

  async #slots(field: number, term: string): Promise<Slots> {
    const slots: Slots = [];
    const values = await this.#values(this.#segments.map(({ id }) => postingsKey(id, field, term)));
    let occurrences = 0;
    for (const [index, value] of values.entries()) {
      if (value === undefined) continue;
      decodeSlots(value, (this.#segments[index] as Segment).from, slots);
      occurrences += occurrencesIn(value);
    }
    this.#occurrences.set(cacheKey('p', field, term), occurrences);
    return slots;
  }

  async #positions(field: number, term: string): Promise<readonly StoredPositions[]> {
    const values = await this.#values(this.#segments.map(({ id }) => postingsKey(id, field, term)));
    const parts = this.#segments.map(({ from }, index) => {
      const value = values[index];
      return {
        base: from,
        stored: value !== undefined,
        value: value === undefined ? undefined : inlinePositions(value),
      };
    });
    const apart = parts.flatMap(({ stored, value }, index) => (stored && value === undefined ? [index] : []));
    const found = await this.#values(
      apart.map((index) => positionsKey((this.#segments[index] as Segment).id, field, term)),
    );
    for (const [order, index] of apart.entries())
      (parts[index] as (typeof parts)[number]).value = found[order];
    return parts.flatMap(({ base, value }) => (value === undefined ? [] : [{ base, value }]));
  }

  async #values(keys: readonly Uint8Array[]): Promise<(Uint8Array | undefined)[]> {
    return keys.length === 0 ? [] : this.#database.getMany(keys);
  }
}
