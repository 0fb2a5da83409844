import type { Lsn } from '../../awareness/index.ts';
import {
  type Language,
  languageOfObject,
  normalisePrefix,
  type QueryNode,
  resolveBest,
  typeFacet,
} from '../../query/index.ts';
import { type Oid, oidBytes, oidFromBytes } from '../../soif/index.ts';
import type {
  EngineAnswer,
  IndexChange,
  MatchRequest,
  Ranker,
  SearchEngine,
  SearchRequest,
  WordKnowledge,
} from '../search-engine.ts';
import { BooleanSearch } from './boolean-search.ts';
import { completions, type IndexedWords } from './completion.ts';
import { DocColumns, type DocRow } from './doc-columns.ts';
import { DocDetails } from './doc-details.ts';
import { demandDocnos } from './docno-space.ts';
import { type Evaluation, foundBy } from './evaluation.ts';
import { countedAttributes } from './facet-attributes.ts';
import { FacetKind, FacetValues } from './facet-values.ts';
import type { FlexsearchOptions } from './flexsearch-options.ts';
import { IndexAccess } from './index-access.ts';
import { clearAll } from './index-clearing.ts';
import { docnoKey, oidKey, oidRange } from './index-keys.ts';
import { IndexSnapshot } from './index-snapshot.ts';
import {
  countedLanguages,
  emptyState,
  loadState,
  presentLanguages,
  type Segment,
  stateWrite,
  withDead,
} from './index-state.ts';
import { decodeIndexedObject, encodeIndexedObject } from './indexed-object.ts';
import { linkWrites } from './link-counts.ts';
import { Maintenance } from './maintenance.ts';
import { objectsIn } from './objects-in.ts';
import { PostingCache } from './posting-cache.ts';
import type { PostingDatabase, PostingRows, PostingWrite } from './posting-database.ts';
import { type CachedPart, cachedBytes, PostingReader } from './posting-reader.ts';
import { rankingOf } from './ranking.ts';
import { answerOf, type FoundObjects, listOfAll, type ResultParts } from './result-page.ts';
import { explainScore, statisticsOf } from './score-explanation.ts';
import { ScoreSignals } from './score-signals.ts';
import { SegmentWriter } from './segment-writer.ts';
import { lookUpWord } from './similar-words.ts';
import { TermFinder } from './term-finder.ts';
import { TermFrequencies } from './term-frequencies.ts';
import { TopicVectors } from './topic-vectors.ts';

type Put = Extract<IndexChange, { kind: 'put' }>;

/**
 * The embedded engine: FlexSearch looks terms up, LevelDB keeps their lists, and boolean algebra, phrases and ranking are
 * done here over docnos. Every change is one atomic batch with its LSN; opening reads one record and 4 KiB per
 * 1024 docnos. One batch needs memory of about 5 times its text: give at most 32 MiB at once.
 */
export class FlexsearchEngine implements SearchEngine {
  readonly name = 'flexsearch';
  readonly capabilities = { phrases: true, ranked: true };
  readonly #database: PostingDatabase;
  readonly #options: FlexsearchOptions;
  readonly #cache: PostingCache<CachedPart>;
  readonly #access = new IndexAccess();
  readonly #maintenance: Maintenance;
  #snapshot: IndexSnapshot;
  #values: FacetValues;
  readonly #details: DocDetails;
  readonly #signals: ScoreSignals | undefined;

  private constructor(options: FlexsearchOptions, snapshot: IndexSnapshot, values: FacetValues) {
    this.#options = options;
    this.#database = options.database;
    this.#snapshot = snapshot;
    this.#values = values;
    this.#details = new DocDetails(options.database, snapshot.state.facets);
    const { signals } = options;
    this.#signals = signals && new ScoreSignals(signals, options.database, this.#details);
    this.#cache = new PostingCache(options.cacheBytes ?? 32 * 1024 * 1024, cachedBytes);
    this.#maintenance = new Maintenance({
      database: options.database,
      snapshot: () => this.#snapshot,
      update: (change) => this.#access.exclusive(() => this.#commit(change(this.#snapshot), [])),
      settled: () => this.#access.searchesEnded(),
    });
  }

  /** Open an index, or start an empty one; an index of an older layout, or a half cleared one, is cleared. */
  static async open(options: FlexsearchOptions): Promise<FlexsearchEngine> {
    const { database } = options;
    const state = await loadState(database, {
      ...options,
      facets: countedAttributes(options.facetAttributes),
      links: (options.signals?.popularity ?? 0) > 0,
    });
    const fresh = state.clearing ? emptyState(state) : state;
    if (state.clearing) await clearAll(database, fresh);
    const snapshot = new IndexSnapshot(fresh, await DocColumns.load(database));
    const engine = new FlexsearchEngine(options, snapshot, await FacetValues.load(database));
    engine.#maintenance.wake();
    return engine;
  }

  get lsn(): Lsn {
    return this.#snapshot.state.lsn;
  }

  get facetAttributes(): readonly string[] {
    return this.#snapshot.state.facets;
  }

  get count(): number {
    return this.#snapshot.state.count;
  }

  get fallback(): Language {
    return this.#snapshot.state.fallback;
  }

  get languages(): ReadonlyMap<Language, number> {
    const { languages } = this.#snapshot.state;
    return new Map(Object.entries(languages) as [Language, number][]);
  }

  /** How the index is laid out now: segments with their sizes, and bytes of decoded postings in memory. */
  get layout(): {
    readonly segments: readonly Segment[];
    readonly garbage: number;
    readonly cachedBytes: number;
  } {
    const { segments, garbage } = this.#snapshot.state;
    return { segments, garbage: garbage.length, cachedBytes: this.#cache.bytes };
  }

  apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void> {
    return this.#access.exclusive(async () => {
      this.#maintenance.wake(await this.#index(changes, lsn));
    });
  }

  /** Answers the bytes of the segment that was made. */
  async #index(changes: readonly IndexChange[], lsn: Lsn): Promise<number> {
    const { state, columns } = this.#snapshot;
    demandDocnos(state);
    const last = new Map(changes.map((change) => [change.oid, change]));
    const writes: PostingWrite[] = [];
    const rows: DocRow[] = [];
    const dead: number[] = [];
    const languages: [Language, 1 | -1][] = [];
    const known = last.size === 0 ? [] : await this.#database.getMany([...last.keys()].map(oidKey));
    for (const [index, change] of [...last.values()].entries()) {
      const value = known[index];
      if (value === undefined) continue;
      const { docno, language } = decodeIndexedObject(value);
      dead.push(docno);
      languages.push([language, -1]);
      rows.push({ docno, source: 0, type: 0 });
      writes.push({ type: 'del', key: docnoKey(docno) });
      if (change.kind === 'remove') writes.push({ type: 'del', key: oidKey(change.oid) });
    }
    const puts = [...last.values()].filter((change): change is Put => change.kind === 'put');
    const writer = new SegmentWriter(state.nextDocno, state.lengths, state.positions);
    for (const [index, { oid, object, source }] of puts.entries()) {
      const docno = state.nextDocno + index;
      const language = languageOfObject(object, state.fallback);
      await writer.add(docno, object, language);
      languages.push([language, 1]);
      rows.push({
        docno,
        source: this.#values.assign(FacetKind.source, source),
        type: this.#values.assign(FacetKind.type, typeFacet(object)),
      });
      writes.push({ type: 'put', key: docnoKey(docno), value: oidBytes(oid) });
      writes.push({ type: 'put', key: oidKey(oid), value: encodeIndexedObject({ docno, language }) });
    }
    const segments = withDead(state.segments, dead);
    let bytes = 0;
    if (puts.length > 0) {
      const taken = await writer.take(state.nextSegment);
      bytes = taken.bytes;
      for (const write of taken.writes) writes.push(write);
      const from = state.nextDocno;
      segments.push({
        ...{ id: state.nextSegment, from, to: from + puts.length - 1 },
        ...{ docs: puts.length, dead: 0, bytes },
      });
    }
    const changed = columns.with(rows);
    const added = puts.map(({ object }, index) => [state.nextDocno + index, object] as const);
    const details = await this.#details.writes(added, dead, this.#values, changed.columns);
    const next = this.#snapshot.with(
      {
        lsn,
        count: state.count - dead.length + puts.length,
        nextDocno: state.nextDocno + puts.length,
        nextSegment: state.nextSegment + (puts.length > 0 ? 1 : 0),
        segments,
        lengths: writer.lengths,
        languages: countedLanguages(state.languages, languages),
      },
      changed.columns,
    );
    const links = state.links ? await linkWrites(this.#database, added, dead) : [];
    for (const write of [...changed.writes, ...details, ...links, ...this.#values.unsaved])
      writes.push(write);
    await this.#commit(next, writes);
    this.#details.saved();
    this.#values.saved();
    return bytes;
  }

  search(request: SearchRequest): Promise<EngineAnswer> {
    if (request.whole === true) return this.#atOneMoment(request, answerOf);
    return this.#access.reading(async () =>
      answerOf(foundBy(await this.#evaluate(request)), request, this.#parts),
    );
  }

  matches(request: MatchRequest): Promise<Iterable<Oid>> {
    return this.#atOneMoment(request, listOfAll);
  }

  /** A change that comes between evaluating and reading OIDs takes nothing out. */
  #atOneMoment<Request extends MatchRequest, Result>(
    request: Request,
    make: (found: FoundObjects, request: Request, parts: ResultParts) => Promise<Result>,
  ): Promise<Result> {
    const current = () => ({ snapshot: this.#snapshot, values: this.#values });
    return this.#access.atOneMoment(this.#database, current, async ({ snapshot, values }, rows) => {
      const parts = { rows, details: this.#details.over(rows), values };
      return make(foundBy(await this.#evaluate(request, snapshot, rows)), request, parts);
    });
  }

  async #evaluate(
    {
      query,
      signal,
      statistics,
      reads = { objects: 0 },
    }: Pick<SearchRequest, 'query' | 'statistics' | 'reads'> & { readonly signal?: AbortSignal | undefined },
    snapshot: IndexSnapshot = this.#snapshot,
    rows: PostingRows = this.#database,
  ): Promise<Evaluation> {
    const reader = this.#reader(snapshot);
    const { fallback } = snapshot.state;
    const languages = presentLanguages(snapshot.state);
    const frequencies = new TermFrequencies(reader, snapshot.state.count, statistics);
    const isAlive = (docno: number) => snapshot.columns.isAlive(docno);
    const objectsOf = objectsIn(rows, this.#options.objectOf, signal);
    const { database } = this.#options;
    const finder = new TermFinder({ database, segments: snapshot.state.segments }, languages, signal);
    const maxObjectsRead = this.#options.maxObjectsRead ?? 20_000;
    let last: { readonly tried: QueryNode; readonly docnos: Uint32Array } | undefined;
    const evaluated = async (tried: QueryNode) => {
      signal?.throwIfAborted();
      if (tried === last?.tried) return last.docnos;
      const source = {
        ...{ reader, finder, languages, fallback, objectsOf, isAlive, maxObjectsRead, reads, signal },
        alive: () => snapshot.alive,
      };
      last = { tried, docnos: await new BooleanSearch(source).evaluate(tried) };
      return last.docnos;
    };
    const resolved = await resolveBest(query, async (tried) => (await evaluated(tried)).some(isAlive));
    const ranking = await rankingOf(resolved, frequencies, languages);
    const matching = await evaluated(resolved);
    signal?.throwIfAborted();
    // What the best objects here share says nothing of those of other indexes.
    const fedBack = this.#options.feedback !== false && statistics === undefined;
    const vectors = fedBack ? new TopicVectors(frequencies, objectsOf, fallback) : undefined;
    // Nor do dates and links, which other Brokers weigh otherwise or not at all.
    const signals = statistics === undefined ? this.#signals : undefined;
    return { matching, snapshot, scoring: { ranking, reader, frequencies, vectors, signals } };
  }

  get #parts(): ResultParts {
    return { rows: this.#database, details: this.#details, values: this.#values };
  }

  readonly ranker: Ranker = {
    statistics: (query) =>
      this.#access.reading(async () => {
        const snapshot = this.#snapshot;
        const frequencies = new TermFrequencies(this.#reader(snapshot), snapshot.state.count);
        const languages = presentLanguages(snapshot.state);
        return statisticsOf(await rankingOf(query, frequencies, languages), frequencies);
      }),
    explain: ({ query, oid, signal }) =>
      this.#access.reading(async () => {
        const evaluation = await this.#evaluate({ query, signal });
        const [value] = await this.#database.getMany([oidKey(oid)]);
        if (value === undefined) return undefined;
        return { oid, ...(await explainScore(decodeIndexedObject(value), evaluation)) };
      }),
  };

  complete(prefix: string, limit: number): Promise<readonly string[]> {
    return this.#access.reading(async () => {
      const snapshot = this.#snapshot;
      const normal = normalisePrefix(prefix);
      if (normal === '') return [];
      return completions(this.#words(snapshot), this.#reader(snapshot), normal, limit);
    });
  }

  async *oids(): AsyncIterable<Oid> {
    for await (const key of this.#database.keys(oidRange)) yield oidFromBytes(key.subarray(1));
  }

  lookUp(word: string, limit: number): Promise<WordKnowledge> {
    return this.#access.reading(() => {
      const snapshot = this.#snapshot;
      return lookUpWord(this.#words(snapshot), this.#reader(snapshot), word, limit);
    });
  }

  async clear(): Promise<void> {
    await this.#maintenance.pausing(() =>
      this.#access.exclusive(async () => {
        // Said first, so that a crash in the middle is finished at the next open.
        const empty = emptyState(this.#snapshot.state);
        await this.#database.batch([stateWrite({ ...empty, clearing: true })]);
        this.#snapshot = new IndexSnapshot(empty, DocColumns.empty);
        this.#details.clear();
        this.#values = new FacetValues();
        await this.#access.searchesEnded();
        // Only now: numbers of segments are given out anew, and who still searched has kept parts of old ones.
        this.#cache.clear();
        await clearAll(this.#database, empty);
      }),
    );
  }

  /** Wait until no background work is left. */
  settled(): Promise<void> {
    return this.#maintenance.settled();
  }

  async [Symbol.asyncDispose](): Promise<void> {
    if (!this.#access.close()) return;
    await this.#maintenance.stop();
    await this.#access.left();
    this.#cache.clear();
  }

  #words({ state, columns }: IndexSnapshot): IndexedWords {
    const isAlive = (docno: number) => columns.isAlive(docno);
    return {
      ...{ database: this.#database, segments: state.segments, languages: presentLanguages(state) },
      isAlive,
    };
  }

  #reader(snapshot: IndexSnapshot): PostingReader {
    return new PostingReader(this.#database, snapshot.state, this.#cache);
  }

  /** Write in one batch and make it the current moment. */
  async #commit(next: IndexSnapshot, writes: PostingWrite[]): Promise<void> {
    writes.push(stateWrite(next.state));
    await this.#access.commit(
      () => this.#database.batch(writes),
      () => {
        this.#snapshot = next;
      },
    );
  }
}
