import { failure, Pacing } from '../../../kernel/index.ts';
import {
  type Language,
  normalisePrefix,
  printQuery,
  type QueryNode,
  resolveBest,
} from '../../../query/index.ts';
import type { Oid } from '../../../soif/index.ts';
import type { GlimpseSize } from '../../settings.ts';
import type { DocColumns } from '../documents/doc-columns.ts';
import { countedAttributes } from '../documents/facet-attributes.ts';
import { readingStore } from '../documents/objects-in.ts';
import { engineErrors } from '../errors.ts';
import { presentLanguages } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { DocBits } from '../model/doc-bits.ts';
import type {
  EngineAnswer,
  MatchRequest,
  PartialReading,
  ScanReport,
  SearchEngine,
  SearchRequest,
  WordCount,
} from '../model/search-engine.ts';
import { PostingCache } from '../postings/posting-cache.ts';
import { answerOf, type FoundObjects, listOfAll } from '../results/result-page.ts';
import { maxWideTrials } from '../search/object-verifier.ts';
import { IndexedEngine } from '../segments/indexed-engine.ts';
import type { IndexView } from '../segments/segment-content.ts';
import { oidsOf, SegmentedIndex, type SegmentedMomentRows } from '../segments/segmented-index.ts';
import { blockBits, keepsPlaces } from '../settings.ts';
import { CandidateSearch } from './candidates.ts';
import { completedWords } from './completed-words.ts';
import { glimpseContent } from './glimpse-content.ts';
import { PlaceReader } from './place-reader.ts';
import { PlaceSearch } from './place-search.ts';
import type { SegmentWords } from './segment-words.ts';
import { Verifier } from './verifier.ts';
import { indexedWords, VocabularyReader } from './vocabulary-reader.ts';

export interface GlimpseOptions {
  /** Owned by the engine alone. It stays open when the engine is disposed. */
  readonly database: PostingDatabase;
  /** The stored bodies (`encodeObject`) of objects; undefined for deleted ones. */
  readonly bodiesOf: (oids: readonly Oid[]) => Promise<readonly (Uint8Array | undefined)[]>;
  readonly size?: GlimpseSize;
  /**
   * Attributes whose values are counted, besides source, type and time; at most 4. A changed list refills the
   * index.
   */
  readonly facetAttributes?: readonly string[];
  /** Language of objects that name none; a change rebuilds the index. Absent: the index's own, or English. */
  readonly language?: Language;
  /** Max bytes of vocabulary cached for scans. Default 64 MiB. */
  readonly cacheBytes?: number;
  /** Max objects that one query may read. Default 200,000. */
  readonly maxObjectsRead?: number;
}

/** Objects read and verified in one batch. */
const objectsAtOnce = 64;

let verifiedQueries = 0;

interface IndexAnswer {
  /** Docnos that match, and those that must be read. */
  readonly sure: Uint32Array;
  readonly unsure: Uint32Array;
  readonly needed: readonly (readonly string[])[];
}

interface Matched extends FoundObjects {
  readonly scanned: ScanReport;
}

/**
 * Glimpse (Manber and Wu 1994): a small index of the blocks of objects that contain a word, and a scan of the
 * stored objects of these blocks for the parts of a query that the index alone does not decide. Unranked:
 * hits are in the order in which they were put.
 */
export class GlimpseEngine extends IndexedEngine implements SearchEngine {
  readonly name = 'glimpse';
  readonly capabilities = { phrases: true, ranked: false };
  readonly #options: GlimpseOptions;
  readonly #bodiesOf: GlimpseOptions['bodiesOf'];
  readonly #blockBits: number;
  readonly #cache: PostingCache<SegmentWords>;
  readonly #verifier = new Verifier();
  #alive: { readonly columns: DocColumns; readonly bits: DocBits } | undefined;

  private constructor(options: GlimpseOptions, index: SegmentedIndex, cache: PostingCache<SegmentWords>) {
    super(index, options.facetAttributes);
    this.#options = options;
    this.#bodiesOf = readingStore(options.bodiesOf);
    this.#blockBits = blockBits[options.size ?? 'small'];
    this.#cache = cache;
  }

  /** Open an index, or start an empty one. An index of another size or layout is cleared. */
  static async open(options: GlimpseOptions): Promise<GlimpseEngine> {
    const { database, size = 'small', cacheBytes = 64 * 1024 * 1024 } = options;
    const cache = new PostingCache<SegmentWords>(cacheBytes, ({ bytes }) => bytes);
    const counted = countedAttributes(options.facetAttributes);
    const content = glimpseContent(database, size, counted, () => cache.clear());
    const index = await SegmentedIndex.open(database, content, options.language);
    return new GlimpseEngine(options, index, cache);
  }

  search(request: SearchRequest): Promise<EngineAnswer> {
    return this.index.atOneMoment(async (moment) => {
      const partial: PartialReading[] | undefined =
        request.partial === true && request.whole !== true ? [] : undefined;
      const { scanned, ...found } = await this.#matched({ ...request, partial }, moment);
      return { ...(await answerOf(found, request, moment)), scanned, ...(partial?.length && { partial }) };
    });
  }

  matches(request: MatchRequest): Promise<Iterable<Oid>> {
    return this.index.atOneMoment(async (moment) =>
      listOfAll(await this.#matched(request, moment), request, moment),
    );
  }

  complete(prefix: string, limit: number): Promise<readonly string[]> {
    return this.index.reading(async ({ view }) => {
      const normal = normalisePrefix(prefix);
      if (normal === '') return [];
      return completedWords(this.#vocabulary(view), view.columns, normal, limit);
    });
  }

  vocabulary(): AsyncIterable<WordCount> {
    return this.index.listed((rows, segments) => indexedWords(rows, segments, this.#blockBits));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.index[Symbol.asyncDispose]();
    await this.#verifier[Symbol.asyncDispose]();
    this.#cache.clear();
  }

  #vocabulary({ moment }: IndexView): VocabularyReader {
    return new VocabularyReader(this.index.database, moment.segments, this.#blockBits, this.#cache);
  }

  #places({ moment }: IndexView, signal: AbortSignal | undefined): PlaceSearch | undefined {
    if (!keepsPlaces(this.#options.size ?? 'small')) return undefined;
    const pacing = new Pacing(1);
    return new PlaceSearch(new PlaceReader(this.index.database, moment.segments), async () => {
      signal?.throwIfAborted();
      await pacing.pause(1);
    });
  }

  async #matched(
    {
      query: typed,
      signal,
      reads = { objects: 0 },
      partial,
    }: MatchRequest & { readonly partial?: PartialReading[] | undefined },
    moment: SegmentedMomentRows,
  ): Promise<Matched> {
    const { view } = moment;
    let read = 0;
    const limit = this.#options.maxObjectsRead ?? 200_000;
    let last: { readonly tried: QueryNode; readonly docnos: Uint32Array } | undefined;
    const matchedBy = async (tried: QueryNode) => {
      if (tried === last?.tried) return last.docnos;
      if (partial !== undefined) partial.length = 0;
      const found = await this.#candidates(tried, view, signal);
      const { length } = found.unsure;
      const room = Math.max(0, Math.min(limit, maxWideTrials * limit - reads.objects));
      if (length > room) {
        const part = printQuery(tried);
        if (partial === undefined) throw failure(engineErrors.ENGINE_QUERY_TOO_WIDE, { part, limit });
        partial.push({ part, read: room, of: length });
      }
      const unsure = found.unsure.subarray(Math.max(0, length - room));
      read += unsure.length;
      reads.objects += unsure.length;
      last = { tried, docnos: await this.#verified(tried, { ...found, unsure }, moment, signal) };
      return last.docnos;
    };
    const query = await resolveBest(typed, async (tried) => (await matchedBy(tried)).length > 0);
    const matching = await matchedBy(query);
    return { matching, columns: view.columns, scanned: { read, of: view.moment.count } };
  }

  /** The living objects of a moment, cached until another moment is requested. */
  #living({ columns, moment }: IndexView): DocBits {
    if (this.#alive?.columns !== columns) {
      const bits = new DocBits(moment.nextDocno);
      for (const docno of columns.alive(moment.count)) bits.add(docno);
      this.#alive = { columns, bits };
    }
    return this.#alive.bits;
  }

  async #candidates(
    query: QueryNode,
    view: IndexView,
    signal: AbortSignal | undefined,
  ): Promise<IndexAnswer> {
    const size = view.moment.nextDocno;
    const all = this.#living(view);
    const alive = () => all.copy();
    const vocabulary = this.#vocabulary(view);
    const languages = presentLanguages(view.moment);
    const places = this.#places(view, signal);
    const search = new CandidateSearch({ vocabulary, size, languages, alive, places });
    const { sure, possible } = await search.of(query);
    sure.intersect(all);
    possible.intersect(all);
    possible.subtract(sure);
    return { sure: sure.docnos(), unsure: possible.docnos(), needed: search.needed };
  }

  /** The sure docnos, and the others that match when read. A read object may be newer than the index. */
  async #verified(
    query: QueryNode,
    { sure, unsure, needed }: IndexAnswer,
    { view, rows }: SegmentedMomentRows,
    signal: AbortSignal | undefined,
  ): Promise<Uint32Array> {
    const verified = { number: ++verifiedQueries, query, needed, fallback: view.moment.fallback };
    const found = new DocBits(view.moment.nextDocno);
    for (const docno of sure) found.add(docno);
    const batch = async (docnos: Uint32Array) => {
      signal?.throwIfAborted();
      const oids = await oidsOf(rows, docnos);
      const stored = await this.#bodiesOf(oids.filter((oid) => oid !== undefined));
      let at = 0;
      const bodies = oids.map((oid) => (oid === undefined ? undefined : stored[at++]));
      for (const [index, matches] of (await this.#verifier.matching(verified, bodies)).entries())
        if (matches) found.add(docnos[index] as number);
    };
    const running = new Set<Promise<void>>();
    try {
      for (let at = 0; at < unsure.length; at += objectsAtOnce) {
        const one = batch(unsure.subarray(at, at + objectsAtOnce)).finally(() => running.delete(one));
        running.add(one);
        if (running.size >= this.#verifier.width) await Promise.race(running);
      }
      await Promise.all(running);
    } finally {
      await Promise.allSettled(running);
    }
    return found.docnos();
  }
}
