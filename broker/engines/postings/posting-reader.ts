import { failure } from '../../../kernel/index.ts';
import { BatchedReads } from '../../../store/index.ts';
import type { StoredPositions } from '../codecs/position-codec.ts';
import { decodePostings, joinPostings, noPostings, type Postings } from '../codecs/posting-codec.ts';
import { engineErrors } from '../errors.ts';
import { termKey } from '../index-database/index-keys.ts';
import type { Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { PostingCache } from './posting-cache.ts';
import { memoised } from './posting-cache.ts';
import { PostingIndex } from './posting-index.ts';
import { SegmentDirectory } from './segment-directory.ts';
import { enumerateTerms } from './term-enumeration.ts';
import { TermFilter } from './term-filter.ts';
import { type FoundTerm, findTerm, positionsOfFound, postingsOfFound, termsPresent } from './term-lookup.ts';
import { type RangeSweep, type Sweep, sweepRange, sweepTerms } from './term-sweep.ts';

/** Data cached between searches of a segment, which never changes: terms, its directory and its filter. */
export type CachedPart = Postings | Uint8Array | SegmentDirectory | TermFilter;

export function cachedBytes(value: CachedPart): number {
  return 'docnos' in value ? value.docnos.byteLength + value.slots.byteLength : value.byteLength;
}

/** One segment's postings of a term; `found` where they were not in the cache. */
interface TermPart {
  readonly segment: Segment;
  readonly postings: Postings;
  readonly found: FoundTerm | undefined;
}

/** Reads terms of one moment of the index (its list of segments), each at most once. */
export class PostingReader {
  readonly #database: PostingDatabase;
  readonly #gathered: BatchedReads;
  readonly #segments: readonly Segment[];
  /** Whether the index has positions. */
  readonly hasPositions: boolean;
  readonly #cache: PostingCache<CachedPart>;
  readonly #indexes = new Map<number, PostingIndex>();
  /** Parts of segments that are read as wholes. */
  readonly #whole = new Map<string, Promise<SegmentDirectory | TermFilter>>();
  readonly #parts = new Map<string, Promise<readonly TermPart[]>>();
  readonly #postings = new Map<string, Promise<Postings>>();
  readonly #held = new Map<string, Postings>();
  /** Names the list of segments. */
  readonly #moment: string;
  readonly #positions = new Map<string, Promise<readonly StoredPositions[]>>();

  constructor(
    database: PostingDatabase,
    { segments, positions }: { readonly segments: readonly Segment[]; readonly positions: boolean },
    cache: PostingCache<CachedPart>,
  ) {
    this.#database = database;
    this.#gathered = new BatchedReads(database);
    this.#segments = segments;
    const ids = segments.map(({ id }) => id);
    // With one segment its list is the whole list, and is cached once.
    this.#moment = ids.length === 1 ? `p${ids[0]}` : `j${ids.join('+')}`;
    this.hasPositions = positions;
    this.#cache = cache;
  }

  /** The highest docno; 0 in an empty index. */
  get lastDocno(): number {
    return this.#segments.reduce((last, { to }) => Math.max(last, to), 0);
  }

  /** A term's postings over all segments. */
  postings(field: number, term: string): Promise<Postings> {
    const name = `${field} ${term}`;
    return memoised(this.#postings, name, async () => {
      const held = this.held(field, term);
      if (held !== undefined) return held;
      const postings = await this.#index(field).postings(term);
      this.#cache.set(this.#joinedName(name), postings);
      this.#held.set(name, postings);
      return postings;
    });
  }

  /** The same where it needs no reading. A promise would take most of the time. */
  held(field: number, term: string): Postings | undefined {
    const name = `${field} ${term}`;
    const own = this.#held.get(name);
    if (own !== undefined) return own;
    const postings =
      (this.#cache.get(this.#joinedName(name)) as Postings | undefined) ?? this.#join(field, term);
    if (postings !== undefined) this.#held.set(name, postings);
    return postings;
  }

  #join(field: number, term: string): Postings | undefined {
    const known = this.#known(field, term);
    if (known === undefined) return undefined;
    // Absent terms are found absent faster than the cache would return them.
    if (known.length === 0) return noPostings;
    const postings = joinPostings(known);
    this.#cache.set(this.#joinedName(`${field} ${term}`), postings);
    return postings;
  }

  /** Whether the filter in memory shows that a segment does not have a term (its key). */
  #isAbsent(segment: number, key: Uint8Array): boolean {
    const filter = this.#cache.get(filterName(segment)) as TermFilter | undefined;
    return filter !== undefined && !filter.mayHave(key);
  }

  /** A joined list is valid for the same list of segments. */
  #joinedName(name: string): string {
    return `${this.#moment} ${name}`;
  }

  /** Each segment's postings of a term, where none of them must be read. */
  #known(field: number, term: string): readonly Postings[] | undefined {
    const name = `${field} ${term}`;
    const known: Postings[] = [];
    let key: Uint8Array | undefined;
    for (const { id } of this.#segments) {
      const postings = this.#cache.get(`p${id} ${name}`) as Postings | undefined;
      if (postings === undefined) {
        key ??= termKey(field, term);
        if (!this.#isAbsent(id, key)) return undefined;
      } else if (postings.docnos.length > 0) known.push(postings);
    }
    return known;
  }

  /** Store this list under a name that no term has. */
  file(field: number, name: string, postings: Postings): void {
    this.#held.set(`${field} ${name}`, postings);
  }

  /** A term's positions, segment by segment. */
  positions(field: number, term: string): Promise<readonly StoredPositions[]> {
    return memoised(this.#positions, `${field} ${term}`, () => this.#loadPositions(field, term));
  }

  /** The terms that some segment has, for dead objects too. Many cost little more than one. */
  async present(field: number, terms: Iterable<string>): Promise<ReadonlySet<string>> {
    const wanted = [...new Set(terms)].map((term) => ({ term, key: termKey(field, term) }));
    wanted.sort((a, b) => Buffer.compare(a.key, b.key));
    const filters = await Promise.all(this.#segments.map(({ id }) => this.#filter(id)));
    const likely = wanted.filter(({ key }) => filters.some((filter) => filter.mayHave(key)));
    const isThere = await termsPresent(
      this.#database,
      this.#segments.map(({ id }) => id),
      (id) => this.#directory(id),
      likely.map(({ key }) => key),
    );
    return new Set(likely.filter((_, at) => isThere[at]).map(({ term }) => term));
  }

  /** Read many terms of a field, near ones together. The lists are not cached. */
  async sweep(
    field: number,
    terms: readonly string[],
    wanted: Pick<Sweep, 'visit' | 'positions' | 'signal'>,
  ): Promise<void> {
    const segments = await this.#withDirectories();
    await sweepTerms({ database: this.#database, segments, field, terms, ...wanted });
  }

  /** Visit the lists of all terms of a field from one to another, inclusive; of each segment `max` at most. */
  async sweepRange(
    field: number,
    [from, to]: readonly [from: string, to: string],
    visit: (term: string, postings: Postings) => void,
    bounds: Pick<RangeSweep, 'signal' | 'max'> = {},
  ): Promise<void> {
    const segments = await this.#withDirectories();
    const keys = { from: termKey(field, from), to: termKey(field, to) };
    await sweepRange({ database: this.#database, segments, ...bounds }, keys, visit);
  }

  #withDirectories(): Promise<(readonly [segment: Segment, directory: SegmentDirectory])[]> {
    return Promise.all(
      this.#segments.map(async (segment) => [segment, await this.#directory(segment.id)] as const),
    );
  }

  /** Terms of a field from `from` on, ascending, in batches (`enumerateTerms`). */
  async *terms(field: number, from: string): AsyncGenerator<readonly string[], undefined> {
    const segments = await Promise.all(
      this.#segments.map(async ({ id }) => [id, await this.#directory(id)] as const),
    );
    yield* enumerateTerms(this.#database, segments, field, from);
  }

  #index(field: number): PostingIndex {
    let index = this.#indexes.get(field);
    if (index === undefined) {
      index = new PostingIndex(async (term) => {
        const parts = await this.#partsOf(field, term);
        return joinPostings(parts.map(({ postings }) => postings));
      });
      this.#indexes.set(field, index);
    }
    return index;
  }

  /** Each segment's data of a term. Segments without it are left out. */
  #partsOf(field: number, term: string): Promise<readonly TermPart[]> {
    const name = `${field} ${term}`;
    return memoised(this.#parts, name, async () => {
      const cached = this.#segments.map(
        ({ id }) => this.#cache.get(`p${id} ${name}`) as Postings | undefined,
      );
      const missing = this.#segments.filter((_, index) => cached[index] === undefined);
      const loaded = missing.length === 0 ? [] : await this.#load(missing, field, term);
      const next = loaded.values();
      const parts = this.#segments.map((segment, index): TermPart => {
        const postings = cached[index];
        return postings === undefined
          ? (next.next().value as TermPart)
          : { segment, postings, found: undefined };
      });
      return parts.filter(({ postings }) => postings.docnos.length > 0);
    });
  }

  async #load(segments: readonly Segment[], field: number, term: string): Promise<TermPart[]> {
    const key = termKey(field, term);
    const all = await this.#find(segments, key);
    const present = all.filter((found) => found !== undefined);
    const values = (await postingsOfFound(this.#gathered, present)).values();
    return segments.map((segment, index) => {
      const found = all[index];
      const postings =
        found === undefined ? noPostings : decodePostings(whole(values.next().value), segment.from);
      // A result known from the filter need not be cached.
      if (found !== undefined || !this.#isAbsent(segment.id, key))
        this.#cache.set(`p${segment.id} ${field} ${term}`, postings);
      return { segment, postings, found };
    });
  }

  async #find(segments: readonly Segment[], key: Uint8Array): Promise<(FoundTerm | undefined)[]> {
    const filters = await Promise.all(segments.map(({ id }) => this.#filter(id)));
    const likely = segments.filter((_, index) => filters[index]?.mayHave(key));
    const found = await findTerm(
      this.#gathered,
      likely.map(({ id }) => id),
      (id) => this.#directory(id),
      key,
    );
    return segments.map((segment) => found[likely.indexOf(segment)]);
  }

  #filter(segment: number): Promise<TermFilter> {
    return this.#cachedPart(filterName(segment), () => TermFilter.load(this.#gathered, segment));
  }

  #directory(segment: number): Promise<SegmentDirectory> {
    return this.#cachedPart(`d${segment}`, () => SegmentDirectory.load(this.#gathered, segment));
  }

  #cachedPart<Part extends SegmentDirectory | TermFilter>(
    name: string,
    load: () => Promise<Part>,
  ): Promise<Part> {
    return memoised(this.#whole as Map<string, Promise<Part>>, name, async () => {
      const known = this.#cache.get(name);
      if (known !== undefined) return known as Part;
      const loaded = await load();
      this.#cache.set(name, loaded);
      return loaded;
    });
  }

  async #loadPositions(field: number, term: string): Promise<StoredPositions[]> {
    const parts = await this.#partsOf(field, term);
    const name = ({ segment }: TermPart) => `q${segment.id} ${field} ${term}`;
    const values = parts.map((part) => this.#cache.get(name(part)) as Uint8Array | undefined);
    const missing = parts.filter((_, index) => values[index] === undefined);
    const unknown = missing.filter(({ found }) => found === undefined);
    const looked = (
      await this.#find(
        unknown.map(({ segment }) => segment),
        termKey(field, term),
      )
    ).values();
    const places = missing.map(({ found }) => whole(found ?? looked.next().value));
    const loaded = (await positionsOfFound(this.#gathered, places)).values();
    return parts.map((part, index) => {
      const { postings } = part;
      const known = values[index];
      if (known !== undefined) return { postings, value: known };
      // A copy, because a part of a block would keep all of it in memory.
      const value = Uint8Array.from(whole(loaded.next().value));
      this.#cache.set(name(part), value);
      return { postings, value };
    });
  }
}

const filterName = (segment: number) => `f${segment}`;

function whole<Value>(value: Value | undefined): Value {
  if (value === undefined) throw failure(engineErrors.ENGINE_DAMAGED, { what: 'a row of a term is missing' });
  return value;
}
