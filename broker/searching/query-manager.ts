import { type Clock, failure, isGarnerError, type Random } from '../../kernel/index.ts';
import {
  isOnlyWords,
  type KnownAttributes,
  type Language,
  type ParsedQuery,
  parseQuery,
  printedWith,
  printQuery,
  type QueryNode,
  type QueryOptions,
  relax,
  withSpellings,
} from '../../query/index.ts';
import { decodeObject, isOid, type Oid } from '../../soif/index.ts';
import type { ObjectStore } from '../../store/index.ts';
import { engineErrors } from '../engines/errors.ts';
import type {
  CollectionStatistics,
  EngineAnswer,
  Ranker,
  SearchEngine,
  SearchRequest,
} from '../engines/index.ts';
import { brokerErrors } from '../errors.ts';
import { queryAnswered } from '../events.ts';
import {
  begunNote,
  beyondNote,
  collectingNote,
  fileNameNote,
  longerNote,
  maxOffset,
  partialNote,
  rebuildingNote,
} from './answer-notes.ts';
import { FrozenLists } from './frozen-lists.ts';
import { describeHit, type HitContext } from './hit-description.ts';
import { HitObjectCache } from './hit-object-cache.ts';
import { longerWords } from './longer-words.ts';
import type { ResultTemplates } from './result-templates.ts';
import type {
  Collecting,
  RankAnswer,
  SearchAnswer,
  SearchHit,
  SearchParameters,
  SourceSummary,
} from './search-answer.ts';
import type { SearchLog } from './search-log.ts';
import { engineRequest, isNewSearch, parameterNotes } from './search-request.ts';
import { correctedQuery } from './spelling.ts';
import { type Synonyms, synonymSwitch } from './synonyms.ts';
import { unfinishedQuery } from './unfinished-query.ts';

export interface QueryManagerOptions {
  readonly store: ObjectStore;
  readonly engine: SearchEngine;
  /** The current sources. Hits and facets name their `id`. */
  readonly sources: () => readonly SourceSummary[];
  /** The source's id for the partitions that hold an object. */
  readonly sourceOf: (partitions: readonly number[]) => string;
  readonly snippetLength: number;
  readonly synonyms?: Synonyms;
  /** Whether documents can be viewed as tables. */
  readonly showsTables?: boolean;
  /** The attributes that hits show. */
  readonly templates?: ResultTemplates;
  /** Records each answer to a query. */
  readonly log?: Pick<SearchLog, 'record'>;
  readonly clock: Clock;
  readonly random: Random;
  /** Progress while the index is rebuilt. */
  readonly rebuilding?: () => { readonly indexed: number; readonly objects: number } | undefined;
  /** What is collected for the first time. */
  readonly collecting?: () => Collecting | undefined;
  /** The attributes that queries may name; without them any. */
  readonly attributes?: KnownAttributes;
  /** Replaces the names of views by their queries. */
  readonly resolve: (query: ParsedQuery) => ParsedQuery;
}

/** A query as it was typed, with synonyms and other spellings, and with views replaced by their queries. */
interface Read {
  readonly typed: ParsedQuery;
  readonly parsed: ParsedQuery;
}

/** The result of the query itself, of a corrected one, or of one with optional words. */
interface Found {
  readonly answer: EngineAnswer;
  /** The query to highlight: as it was typed, because the reader did not type a view's words. */
  readonly shown: QueryNode;
  readonly corrected: boolean;
  readonly relaxed: boolean;
  /** What was found instead of the words, for people. */
  readonly note?: string;
}

/** The cursor and paging of a frozen list. */
interface Frozen {
  readonly answer: SearchAnswer;
  readonly shown: QueryNode;
  readonly lines: number;
}

/** Reads queries, searches the engine, and makes short descriptions of the hits (harvest.txt 3.2). */
export class QueryManager {
  readonly #options: QueryManagerOptions;
  readonly #objects: HitObjectCache;
  readonly #frozen: FrozenLists<Frozen>;

  constructor(options: QueryManagerOptions) {
    this.#options = options;
    this.#objects = new HitObjectCache(options.store);
    this.#frozen = new FrozenLists(options.clock, options.random);
  }

  /** `signal` aborts when the caller disconnects. */
  async search(parameters: SearchParameters, signal?: AbortSignal): Promise<SearchAnswer> {
    const started = performance.now();
    const { q, cursor, limit, offset } = parameters;
    if (cursor !== undefined && cursor !== '*') return this.#continued(cursor, limit, started);
    const { engine } = this.#options;
    const isTyping = parameters.typing === true && parameters.exact !== true;
    const read = (isTyping && (await this.#begun(parameters))?.read) || this.#read(parameters);
    const { max = Number.POSITIVE_INFINITY, lines = 0 } = read.typed.options;
    const known = this.#options.sources();
    const isFrozen = cursor === '*';
    const request = {
      ...engineRequest(parameters, { facetAttributes: engine.facetAttributes ?? [], known, signal }),
      ...(isFrozen
        ? { limit: 0, whole: true }
        : {
            limit: offset > maxOffset ? 0 : Math.max(0, Math.min(limit, max - offset)),
            offset: Math.min(offset, maxOffset),
            partial: true,
          }),
    };
    const before = this.#options.rebuilding?.() ?? null;
    const suggestion = isTyping ? null : ((await correctedQuery(q, read.typed.query, engine)) ?? null);
    const found = await this.#find(read, request, parameters, suggestion);
    const { answer } = found;
    // This search itself may have found the index damaged.
    const rebuilding = before ?? this.#options.rebuilding?.() ?? null;
    const collecting = this.#options.collecting?.();
    const context = this.#context(found.shown, lines, known);
    const described = await Promise.all(answer.hits.map((hit) => describeHit(hit, context)));
    const tookMs = performance.now() - started;
    if (isNewSearch(parameters)) this.#options.log?.record(q, foundAsTyped(found) ? answer.total : 0);
    queryAnswered.publish({ total: answer.total, ms: tookMs, words: q.split(/\s+/).length });
    const { parsed } = read;
    const full: SearchAnswer = {
      query: q,
      understood: parsed.understood,
      notes: [
        ...parsed.notes,
        ...parameterNotes(parameters, known, answer),
        ...beyondNote(offset, Math.min(max, answer.entries ?? answer.total)),
        ...(found.note === undefined ? [] : [found.note]),
        ...(rebuilding === null ? [] : [rebuildingNote(rebuilding)]),
        ...(collecting === undefined ? [] : [collectingNote(collecting)]),
        ...(answer.partial ?? []).map(partialNote),
      ],
      rebuilding,
      ...(collecting && { collecting }),
      total: answer.total,
      entries: Math.min(max, answer.entries ?? answer.total),
      tookMs: Math.round(tookMs * 100) / 100,
      relaxed: found.relaxed,
      // An object deleted after the search is no hit.
      hits: described.filter((hit) => hit !== undefined),
      facets: {
        source: answer.facets.source.map(({ value, count }) => ({
          ...{ value, name: context.nameOf(value), count },
        })),
        type: answer.facets.type,
        more: (answer.facets.more ?? []).filter(({ values }) => values.length > 0),
      },
      sources: known,
      suggestion,
      corrected: found.corrected ? suggestion : null,
      ...(answer.scanned && { scanned: answer.scanned }),
      ...(answer.partial && { partial: answer.partial }),
      cursor: null,
    };
    if (!isFrozen) return full;
    const about = { answer: { ...full, hits: [] }, shown: found.shown, lines };
    return this.#continued(this.#frozen.freeze(answer.list ?? [], about, { max, offset }), limit, started);
  }

  /** The next hits of a frozen list. Hits deleted meanwhile are left out, and none comes twice. */
  async #continued(cursor: string, limit: number, started: number): Promise<SearchAnswer> {
    const { list, from } = this.#frozen.find(cursor);
    const { answer, shown, lines } = list.about;
    const context = this.#context(shown, lines, answer.sources);
    const hits = await Promise.all(
      list.slice(from, limit).map((oid) => describeHit({ oid, score: 0 }, context)),
    );
    return {
      ...answer,
      entries: list.length,
      tookMs: Math.round((performance.now() - started) * 100) / 100,
      hits: hits.filter((hit) => hit !== undefined),
      cursor: this.#frozen.after(cursor, limit),
    };
  }

  /** The current list of hits, each described when it is read. Costs 36 bytes of memory a hit. */
  async *hits(parameters: SearchParameters, signal?: AbortSignal): AsyncGenerator<SearchHit> {
    const { q, exact = false, limit, offset } = parameters;
    const { engine } = this.#options;
    const read = this.#read(parameters);
    const { max = Number.POSITIVE_INFINITY, lines = 0 } = read.typed.options;
    const known = this.#options.sources();
    const facets = { facetAttributes: engine.facetAttributes ?? [], known, signal };
    const request = { ...engineRequest({ ...parameters, limit: 0 }, facets), facets: [], whole: true };
    const suggestion = exact ? null : ((await correctedQuery(q, read.typed.query, engine)) ?? null);
    const { answer, shown } = await this.#find(read, request, parameters, suggestion);
    const context = this.#context(shown, lines, this.#options.sources());
    let at = 0;
    for (const oid of answer.list ?? []) {
      if (at++ < offset) continue;
      if (at > Math.min(max, offset + limit)) return;
      signal?.throwIfAborted();
      const hit = await describeHit({ oid, score: 0 }, context);
      if (hit !== undefined) yield hit;
    }
  }

  #context(query: QueryNode, lines: number, known: readonly SourceSummary[]): HitContext {
    const nameOf = (id: string) => known.find((source) => source.id === id)?.name ?? id;
    const { fallback } = this.#options.engine;
    return { ...this.#options, objects: this.#objects, query, lines, nameOf, fallback };
  }

  /** How often the terms of a query occur here. Throws BROKER_UNRANKED. */
  statistics(q: string): Promise<CollectionStatistics> {
    return this.#ranker().statistics(this.#read({ q }).parsed.query);
  }

  /** How an object's score is made up. Throws BROKER_UNRANKED, BROKER_NO_OBJECT. */
  async explain(q: string, oid: string, signal?: AbortSignal): Promise<RankAnswer> {
    const { engine, store } = this.#options;
    const stored = isOid(oid) ? await store.get(oid) : undefined;
    const { query, understood } = this.#read({ q }).parsed;
    const ask = async (node: QueryNode) =>
      isOid(oid)
        ? this.#ranker().explain({
            query: node,
            oid,
            ...(isOnlyWords(node) && { names: 'whole' }),
            ...(signal && { signal }),
          })
        : undefined;
    let found = await ask(query);
    const wider = found?.total === 0 ? this.#relaxed(query) : undefined;
    if (wider !== undefined) found = await ask(wider);
    if (stored === undefined || found === undefined)
      throw failure(brokerErrors.BROKER_NO_OBJECT, { oid: oid.slice(0, 64) });
    const { url } = decodeObject(stored.body);
    return { ...found, url, understood, relaxed: wider !== undefined, engine: engine.name };
  }

  #ranker(): Ranker {
    const { ranker, name } = this.#options.engine;
    if (ranker === undefined) throw failure(brokerErrors.BROKER_UNRANKED, { engine: name });
    return ranker;
  }

  /** Every object that matches now, best first. The query is used as typed, without synonyms. */
  matches(q: string, signal?: AbortSignal): Promise<Iterable<Oid>> {
    const { query } = this.#options.resolve(this.#parsed(q));
    return this.#options.engine.matches({ query, ...(signal && { signal }) });
  }

  /** The notes on a query: parts that were ignored, and unknown names. */
  notesOn(q: string): readonly string[] {
    return this.#options.resolve(this.#parsed(q)).notes;
  }

  /** The query as it is understood, for people. */
  understood(q: string): string {
    return printQuery(this.#parsed(q).query);
  }

  /** Ages in queries count from now. */
  #parsed(q: string, options: QueryOptions = {}): ParsedQuery {
    const { attributes, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000);
    return parseQuery(q, { now, options, ...(attributes && { attributes }) });
  }

  get #languages(): ReadonlySet<Language> {
    const { fallback, languages } = this.#options.engine;
    return new Set([fallback, ...languages.keys()]);
  }

  #relaxed(query: QueryNode): QueryNode | undefined {
    return relax(query, this.#languages);
  }

  /** The query with its last word as the beginning of a word too; undefined where that word is finished. */
  async #begun({
    q,
    options = {},
  }: SearchParameters): Promise<{ readonly read: Read; readonly word: string } | undefined> {
    const { text } = synonymSwitch(q);
    const plain = this.#parsed(text, options);
    const begun = await unfinishedQuery(plain.query, text, this.#options.engine);
    if (begun === undefined) return undefined;
    const { query, word } = begun;
    return {
      read: this.#read({ q }, { ...plain, query, understood: printedWith(query, plain.options) }),
      word,
    };
  }

  /** The query with unknown words as beginnings or parts of others; undefined where none is so. */
  async #longer({ q, options = {} }: SearchParameters) {
    const plain = this.#parsed(synonymSwitch(q).text, options);
    const found = await longerWords(plain.query, this.#options.engine);
    if (found === undefined) return undefined;
    return {
      read: this.#read({ q }, { ...plain, query: found.query }),
      note: longerNote(found.beginnings, found.parts),
    };
  }

  /** Read a query, with the synonyms of the topic unless it turns them off. */
  #read({ q, options = {} }: Pick<SearchParameters, 'q' | 'options'>, parsed?: ParsedQuery): Read {
    const { resolve, synonyms } = this.#options;
    const { text, off } = synonymSwitch(q);
    const plain = parsed ?? this.#parsed(text, options);
    const { query, added } =
      off || synonyms === undefined
        ? { ...plain, added: [] }
        : synonyms.expand(text, plain.query, this.#languages);
    const read = (one: ParsedQuery): Read => {
      const typed = { ...one, query: withSpellings(one.query) };
      return { typed, parsed: resolve(typed) };
    };
    if (added.length === 0) return read(plain);
    const note = `searched for ${added.slice(0, 5).join(', ')} too; quotes or #nosynonyms turn this off`;
    const understood = printedWith(query, plain.options);
    return read({ ...plain, query, understood, notes: [...plain.notes, note] });
  }

  /** Search as typed. Without matches, search a corrected query, or else objects with some of the words. */
  async #find(
    { typed, parsed: { query } }: Read,
    request: Omit<SearchRequest, 'query'>,
    parameters: SearchParameters,
    suggestion: string | null,
  ): Promise<Found> {
    const { exact = false, widen = true, correct = true, typing = false, options = {} } = parameters;
    const { engine } = this.#options;
    const shown = typed.query;
    const names = !exact && widen && request.statistics === undefined && isOnlyWords(shown);
    const answer = await engine.search({ query, ...request, ...(names && { names: 'whole' }) });
    const first = { answer, shown, corrected: false, relaxed: false };
    // Unread objects may still match.
    if (answer.total > 0 || answer.partial !== undefined || exact || !widen) return first;
    const instead = async (tried: QueryNode, names?: 'words') => {
      try {
        const answer = await engine.search({ query: tried, ...request, ...(names && { names }) });
        return answer.total > 0 ? answer : undefined;
      } catch (error) {
        // The reader did not type this query, and the typed one has its answer.
        if (isGarnerError(error, engineErrors.ENGINE_QUERY_TOO_WIDE)) return undefined;
        throw error;
      }
    };
    // A list that was there while the word was typed does not go when Enter is pressed.
    const begun = typing ? undefined : await this.#begun(parameters);
    const longer = begun && (await instead(begun.read.parsed.query));
    if (begun !== undefined && longer !== undefined)
      return { ...first, answer: longer, shown: begun.read.typed.query, note: begunNote(begun.word) };
    const inside = typing ? undefined : await this.#longer(parameters);
    const containing = inside && (await instead(inside.read.parsed.query));
    if (inside !== undefined && containing !== undefined)
      return { ...first, answer: containing, shown: inside.read.typed.query, note: inside.note };
    if (suggestion !== null && correct) {
      const meant = this.#read({ q: suggestion, options });
      const corrected = await instead(meant.parsed.query);
      if (corrected !== undefined)
        return { answer: corrected, shown: meant.typed.query, corrected: true, relaxed: false };
    }
    const wider = this.#relaxed(query);
    const relaxed = wider && (await instead(wider));
    if (relaxed !== undefined)
      return { answer: relaxed, shown: this.#relaxed(shown) ?? shown, corrected: false, relaxed: true };
    const named = names && !typing ? await instead(query, 'words') : undefined;
    return named === undefined ? first : { ...first, answer: named, note: fileNameNote };
  }
}

const foundAsTyped = ({ corrected, relaxed }: Found) => !corrected && !relaxed;
