import {
  type Language,
  normalisePrefix,
  type QueryNode,
  resolveBest,
  typedText,
} from '../../../query/index.ts';
import type { Oid } from '../../../soif/index.ts';
import { countedAttributes } from '../documents/facet-attributes.ts';
import { objectsIn } from '../documents/objects-in.ts';
import { decodeIndexedObject } from '../documents/oid-tables.ts';
import { oidKey } from '../index-database/index-keys.ts';
import { presentLanguages, type Segment } from '../index-database/index-state.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import { uniteAll } from '../model/doc-set.ts';
import type {
  EngineAnswer,
  MatchRequest,
  PartialReading,
  Ranker,
  SearchEngine,
  SearchRequest,
  WordCount,
  WordKnowledge,
} from '../model/search-engine.ts';
import { PostingCache } from '../postings/posting-cache.ts';
import { type CachedPart, cachedBytes, PostingReader } from '../postings/posting-reader.ts';
import { TermFrequencies } from '../postings/term-frequencies.ts';
import { answerOf, type FoundObjects, listOfAll, type ResultParts } from '../results/result-page.ts';
import { GroupLists } from '../scoring/group-lists.ts';
import { rankingOf } from '../scoring/ranking.ts';
import { ScoreSignals } from '../scoring/score-signals.ts';
import { TopicVectors } from '../scoring/topic-vectors.ts';
import { begunSo, namedSo, namedWith, phraseOf, typedGains } from '../scoring/typed-titles.ts';
import { BooleanSearch } from '../search/boolean-search.ts';
import { IndexedEngine } from '../segments/indexed-engine.ts';
import type { IndexView } from '../segments/segment-content.ts';
import { SegmentedIndex, type SegmentedMomentRows } from '../segments/segmented-index.ts';
import { completions, type IndexedWords, indexedWords } from '../vocabulary/completion.ts';
import { lookUpWord } from '../vocabulary/similar-words.ts';
import { TermFinder } from '../vocabulary/term-finder.ts';
import { flexsearchContent } from './content-version.ts';
import type { FlexsearchOptions } from './engine-options.ts';
import { type Evaluation, type EvaluationRequest, foundBy } from './evaluation.ts';
import { significantLanguages } from './query-languages.ts';
import { explainScore, statisticsOf } from './score-explanation.ts';

/**
 * The embedded engine: FlexSearch looks terms up, LevelDB stores their lists, and boolean algebra, phrases
 * and ranking are computed here over docnos. Every change is one atomic batch with its LSN. Opening reads one
 * record and 4 KiB per 1024 docnos. A batch needs memory of about 6 times its text, so give at most 32 MiB at
 * once. Large batches become segments in two threads.
 */
export class SegmentedEngine extends IndexedEngine implements SearchEngine {
  readonly name = 'flexsearch';
  readonly capabilities = { phrases: true, ranked: true };
  readonly #database: PostingDatabase;
  readonly #options: FlexsearchOptions;
  readonly #positions: boolean;
  readonly #cache: PostingCache<CachedPart>;
  readonly #signals: ScoreSignals | undefined;

  private constructor(
    options: FlexsearchOptions,
    positions: boolean,
    index: SegmentedIndex,
    cache: PostingCache<CachedPart>,
  ) {
    super(index, options.facetAttributes);
    this.#options = options;
    this.#positions = positions;
    this.#database = options.database;
    this.#cache = cache;
    const { signals } = options;
    this.#signals = signals && new ScoreSignals(signals, options.database, index.details);
  }

  /** Open an index, or start an empty one. One of an older layout, or a partly cleared one, is cleared. */
  static async open(options: FlexsearchOptions): Promise<SegmentedEngine> {
    const { database, language, positions = true } = options;
    const cache = new PostingCache<CachedPart>(options.cacheBytes ?? 96 * 1024 * 1024, cachedBytes);
    const layout = {
      positions,
      links: (options.signals?.popularity ?? 0) > 0,
      facetAttributes: countedAttributes(options.facetAttributes),
    };
    const content = flexsearchContent(database, layout, () => cache.clear());
    const index = await SegmentedIndex.open(database, content, language);
    return new SegmentedEngine(options, positions, index, cache);
  }

  /** The current layout of the index: segments with their sizes, and bytes of decoded postings in memory. */
  get layout(): { segments: readonly Segment[]; garbage: number; cachedBytes: number } {
    const { segments, garbage } = this.index.view.moment;
    return { segments, garbage: garbage.length, cachedBytes: this.#cache.bytes };
  }

  search(request: SearchRequest): Promise<EngineAnswer> {
    if (request.whole === true) return this.#atOneMoment(request, answerOf);
    return this.index.reading(async (parts) => {
      const partial: PartialReading[] | undefined = request.partial === true ? [] : undefined;
      const found = foundBy(await this.#evaluate({ ...request, partial }, parts));
      return { ...(await answerOf(found, request, parts)), ...(partial?.length && { partial }) };
    });
  }

  matches(request: MatchRequest): Promise<Iterable<Oid>> {
    return this.#atOneMoment(request, listOfAll);
  }

  /** A change between evaluating and reading OIDs removes nothing from the answer. */
  #atOneMoment<Request extends MatchRequest, Result>(
    request: Request,
    make: (found: FoundObjects, request: Request, parts: ResultParts) => Promise<Result>,
  ): Promise<Result> {
    return this.index.atOneMoment(async (parts) =>
      make(foundBy(await this.#evaluate(request, parts)), request, parts),
    );
  }

  async #evaluate(
    { query, signal, statistics, reads = { objects: 0 }, partial, names }: EvaluationRequest,
    { view, rows }: Pick<SegmentedMomentRows, 'view' | 'rows'>,
  ): Promise<Evaluation> {
    const { moment, columns } = view;
    const reader = this.#reader(view);
    const { count, fallback } = moment;
    const present = presentLanguages(moment);
    const frequencies = new TermFrequencies(reader, count, statistics);
    const isAlive = (docno: number) => columns.isAlive(docno);
    const objectsOf = objectsIn(rows, this.#options.objectOf, signal);
    const finder = this.#finder(view, present, signal);
    const maxObjectsRead = this.#options.maxObjectsRead ?? 20_000;
    const significant = new Map<QueryNode, Promise<readonly Language[]>>();
    const languagesFor = (tried: QueryNode) => {
      const known = significant.get(tried) ?? significantLanguages(tried, present, reader);
      significant.set(tried, known);
      return known;
    };
    let last: { readonly tried: QueryNode; readonly docnos: Uint32Array } | undefined;
    const sourceFor = async (tried: QueryNode) => ({
      ...{ reader, finder, fallback, objectsOf, isAlive, maxObjectsRead, reads, partial, signal },
      languages: await languagesFor(tried),
      alive: () => columns.alive(count),
    });
    const evaluated = async (tried: QueryNode) => {
      signal?.throwIfAborted();
      if (tried === last?.tried) return last.docnos;
      if (partial !== undefined) partial.length = 0;
      last = { tried, docnos: await new BooleanSearch(await sourceFor(tried)).evaluate(tried) };
      return last.docnos;
    };
    const resolved = await resolveBest(query, async (tried) => (await evaluated(tried)).some(isAlive));
    const groups = new GroupLists({ reader, finder, signal });
    const languages = await languagesFor(resolved);
    const ranking = await rankingOf(resolved, frequencies, languages, groups);
    const matched = await evaluated(resolved);
    signal?.throwIfAborted();
    // Terms that the best objects here share say nothing of those of other indexes.
    const fedBack = this.#options.feedback !== false && statistics === undefined;
    const vectors = fedBack ? new TopicVectors(frequencies, objectsOf, fallback) : undefined;
    // The same holds for dates and links, which other Brokers weigh differently or not at all.
    const signals = statistics === undefined ? this.#signals : undefined;
    // Other Brokers see the title of a hit, but not its headings.
    const text = typedText(resolved);
    const typed = text && (await typedGains(text, languages, reader, statistics !== undefined));
    const gains = [...(typed ?? [])];
    const byName = names === 'words' && text ? await namedWith(text, present, reader) : namedSo(gains);
    // A short beginning becomes frequent words only, and a title may have a rare word.
    const begun = text?.isOpen ? begunSo(gains) : new Uint32Array();
    const matching = names === undefined ? matched : uniteAll([matched, byName, begun]);
    const phrase = text && phraseOf(text, languages, matching.length);
    if (phrase !== undefined && reader.hasPositions) {
      const search = new BooleanSearch(await sourceFor(phrase.node));
      const docnos = await search.evaluate(phrase.node, undefined, matching);
      gains.push({ place: 'phrase', gain: phrase.gain, docnos });
    }
    const scoring = { ranking, reader, frequencies, groups, vectors, signals, typed: gains };
    return { matching, view, scoring };
  }

  readonly ranker: Ranker = {
    statistics: (query) =>
      this.index.reading(async ({ view }) => {
        const reader = this.#reader(view);
        const frequencies = new TermFrequencies(reader, view.moment.count);
        const languages = presentLanguages(view.moment);
        const finder = this.#finder(view, languages, undefined);
        const groups = new GroupLists({ reader, finder, signal: undefined });
        return statisticsOf(await rankingOf(query, frequencies, languages, groups), frequencies);
      }),
    explain: ({ query, oid, signal, names }) =>
      this.index.reading(async (parts) => {
        const evaluation = await this.#evaluate(
          { query, signal, ...(names && { names }), partial: [] },
          parts,
        );
        const [value] = await this.#database.getMany([oidKey(oid)]);
        if (value === undefined) return undefined;
        return { oid, ...(await explainScore(decodeIndexedObject(value), evaluation)) };
      }),
  };

  complete(prefix: string, limit: number): Promise<readonly string[]> {
    return this.index.reading(async ({ view }) => {
      const normal = normalisePrefix(prefix);
      if (normal === '') return [];
      return completions(this.#words(view), this.#reader(view), normal, limit);
    });
  }

  vocabulary(): AsyncIterable<WordCount> {
    return this.index.listed(indexedWords);
  }

  lookUp(word: string, limit: number): Promise<WordKnowledge> {
    return this.index.reading(({ view }) => lookUpWord(this.#words(view), this.#reader(view), word, limit));
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.index[Symbol.asyncDispose]();
    this.#cache.clear();
  }

  #words({ moment, columns }: IndexView): IndexedWords {
    const isAlive = (docno: number) => columns.isAlive(docno);
    const { segments } = moment;
    return { database: this.#database, segments, languages: presentLanguages(moment), isAlive };
  }

  #finder(
    { moment }: IndexView,
    languages: readonly Language[],
    signal: AbortSignal | undefined,
  ): TermFinder {
    return new TermFinder({ database: this.#database, segments: moment.segments }, languages, signal);
  }

  #reader({ moment }: IndexView): PostingReader {
    const { segments } = moment;
    return new PostingReader(this.#database, { segments, positions: this.#positions }, this.#cache);
  }
}
