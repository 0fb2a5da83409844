import { failure } from '../kernel/index.ts';
import {
  type MatchedLine,
  matchedLines,
  type ParsedQuery,
  parseQuery,
  printQuery,
  type QueryNode,
  type QueryOptions,
  relax,
} from '../query/index.ts';
import { Attributes, attributeNumber, attributeText, decodeObject, isOid, type Oid } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { brokerErrors } from './errors.ts';
import { queryAnswered } from './events.ts';
import { ReadObjects } from './read-objects.ts';
import type {
  CollectionStatistics,
  EngineAnswer,
  Facet,
  Ranker,
  ScanReport,
  ScoreExplanation,
  SearchEngine,
} from './search-engine.ts';
import { matchedAttributes, snippet } from './snippet.ts';
import { titleMatches } from './text-matches.ts';

export interface SearchParameters {
  readonly q: string;
  readonly limit: number;
  readonly offset: number;
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Rank by these, of several Brokers together. */
  readonly statistics?: CollectionStatistics;
  /** Whether any of the words will do where no object has them all; it is taken to be so. */
  readonly widen?: boolean;
  /** What holds where the query's own text does not say otherwise. */
  readonly options?: QueryOptions;
}

/** A hit as people see it. Offsets count UTF-16 units. */
export interface SearchHit {
  readonly oid: Oid;
  readonly url: string;
  readonly title: string;
  readonly titleMatches: readonly (readonly [number, number])[];
  readonly snippet: string;
  readonly matches: readonly (readonly [number, number])[];
  /** Attributes that matched. */
  readonly attributes: readonly string[];
  /** Lines that matched, as many as the query asks for (`#lines 3`). */
  readonly lines: readonly MatchedLine[];
  readonly score: number;
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  readonly size: number | null;
  /** Seconds since 1970; when its Gatherer summarised it. */
  readonly updatedAt: number;
  readonly modifiedAt: number | null;
}

export interface SourceSummary {
  readonly id: string;
  readonly name: string;
  readonly state: 'ok' | 'stale' | 'down';
  readonly error?: string;
}

export interface SearchAnswer {
  readonly query: string;
  readonly understood: string;
  readonly notes: readonly string[];
  readonly total: number;
  readonly tookMs: number;
  /** True when no object had every word and those with some are shown. */
  readonly relaxed: boolean;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly source: readonly { readonly value: string; readonly name: string; readonly count: number }[];
    readonly type: readonly Facet[];
  };
  readonly sources: readonly SourceSummary[];
  readonly suggestion: string | null;
  /** How many objects were read to decide, of how many, by an engine that does so. */
  readonly scanned?: ScanReport;
  /** Of how many objects how many are searchable, while the index is made anew; null as a rule. */
  readonly rebuilding: { readonly indexed: number; readonly objects: number } | null;
}

/** Why an object stands where it does in the answer to a query. */
export interface RankAnswer extends ScoreExplanation {
  readonly url: string;
  readonly understood: string;
  /** True when no object has every word and any of them will do. */
  readonly relaxed: boolean;
  readonly engine: string;
}

export interface QueryManagerOptions {
  readonly store: ObjectStore;
  readonly engine: SearchEngine;
  /** The sources as they are now; their `id` is what hits and facets name. */
  readonly sources: () => readonly SourceSummary[];
  /** The source's id for the partitions that hold an object. */
  readonly sourceOf: (partitions: readonly number[]) => string;
  readonly snippetLength: number;
  /** How far the index is while it is made anew. */
  readonly rebuilding?: () => { readonly indexed: number; readonly objects: number } | undefined;
  /** Seconds since 1970: what ages in queries count from. */
  readonly now: () => number;
  /** Puts what views mean in the places of their names. */
  readonly resolve: (query: ParsedQuery) => ParsedQuery;
}

/** Takes queries in, asks the engine, and makes short descriptions of what it finds (harvest.txt 3.2). */
export class QueryManager {
  readonly #options: QueryManagerOptions;
  readonly #objects: ReadObjects;

  constructor(options: QueryManagerOptions) {
    this.#options = options;
    this.#objects = new ReadObjects(options.store);
  }

  async search({
    q,
    limit,
    offset,
    sources,
    types,
    statistics,
    widen = true,
    options,
  }: SearchParameters): Promise<SearchAnswer> {
    const started = performance.now();
    const { engine, resolve } = this.#options;
    const typed = this.#typed(q, options);
    const parsed = resolve(typed);
    const { max, lines = 0 } = typed.options;
    const request = {
      limit: max === undefined ? limit : Math.max(0, Math.min(limit, max - offset)),
      offset,
      ...(sources.length === 0 ? {} : { sources }),
      ...(types.length === 0 ? {} : { types }),
      ...(statistics === undefined ? {} : { statistics }),
    };
    const { query } = parsed;
    const rebuilding = this.#options.rebuilding?.() ?? null;
    // What is highlighted is what was typed: a view's own words are nobody's question.
    let shown = typed.query;
    let answer: EngineAnswer = await engine.search({ query, ...request });
    let relaxed = false;
    const wider = answer.total === 0 && widen ? relax(query) : undefined;
    if (wider !== undefined) {
      const widened = await engine.search({ query: wider, ...request });
      if (widened.total > 0) [answer, shown, relaxed] = [widened, relax(shown) ?? shown, true];
    }
    const known = this.#options.sources();
    const nameOf = (id: string) => known.find((source) => source.id === id)?.name ?? id;
    const hits = await Promise.all(
      answer.hits.map(({ oid, score }) => this.#hit(oid, score, shown, lines, nameOf)),
    );
    const tookMs = performance.now() - started;
    queryAnswered.publish({ total: answer.total, ms: tookMs, words: q.split(/\s+/).length });
    return {
      query: q,
      understood: parsed.understood,
      notes: rebuilding === null ? parsed.notes : [...parsed.notes, rebuildingNote(rebuilding)],
      rebuilding,
      total: answer.total,
      tookMs: Math.round(tookMs * 100) / 100,
      relaxed,
      // An object may go between the index and the store; it is then no hit.
      hits: hits.filter((hit) => hit !== undefined),
      facets: {
        source: answer.facets.source.map(({ value, count }) => ({ value, name: nameOf(value), count })),
        type: answer.facets.type,
      },
      sources: known,
      suggestion: null,
      ...(answer.scanned && { scanned: answer.scanned }),
    };
  }

  /** How often the terms of a query stand here. Throws BROKER_UNRANKED. */
  statistics(q: string): Promise<CollectionStatistics> {
    return this.#ranker().statistics(this.#parsed(q).query);
  }

  /** How an object came by its score. Throws BROKER_UNRANKED, BROKER_NO_OBJECT. */
  async explain(q: string, oid: string, signal?: AbortSignal): Promise<RankAnswer> {
    const { engine, store } = this.#options;
    const stored = isOid(oid) ? await store.get(oid) : undefined;
    const { query, understood } = this.#parsed(q);
    const ask = async (asked: QueryNode) =>
      isOid(oid) ? this.#ranker().explain({ query: asked, oid, ...(signal && { signal }) }) : undefined;
    let found = await ask(query);
    const wider = found?.total === 0 ? relax(query) : undefined;
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

  /** Every object that matches now, best first. */
  matches(q: string, signal?: AbortSignal): Promise<Iterable<Oid>> {
    const { query } = this.#parsed(q);
    return this.#options.engine.matches({ query, ...(signal && { signal }) });
  }

  /** A query as it is asked: views are what they mean. */
  #parsed(q: string): ParsedQuery {
    return this.#options.resolve(this.#typed(q));
  }

  #typed(q: string, options: QueryOptions = {}): ParsedQuery {
    return parseQuery(q, { now: this.#options.now(), options });
  }

  /** How a query is understood, for people. */
  understood(q: string): string {
    return printQuery(this.#typed(q).query);
  }

  async #hit(
    oid: Oid,
    score: number,
    query: QueryNode,
    lines: number,
    nameOf: (id: string) => string,
  ): Promise<SearchHit | undefined> {
    const { snippetLength } = this.#options;
    const read = await this.#objects.read(oid);
    if (read === undefined) return undefined;
    const { object, described } = read;
    const { text, matches } = snippet(object, query, { maxLength: snippetLength });
    const title = attributeText(object, Attributes.title)?.trim() || object.url;
    const source = this.#options.sourceOf(described.partitions);
    return {
      oid,
      url: object.url,
      title,
      titleMatches: titleMatches(title, query),
      snippet: text,
      matches,
      attributes: matchedAttributes(object, query),
      lines: lines === 0 ? [] : matchedLines(object, query, lines),
      score: Math.round(score * 1000) / 1000,
      source,
      sourceName: nameOf(source),
      type: attributeText(object, Attributes.type) ?? 'Unrecognized',
      size: attributeNumber(object, Attributes.fileSize) ?? null,
      updatedAt: described.updatedAt,
      modifiedAt: attributeNumber(object, Attributes.lastModificationTime) ?? null,
    };
  }
}

const rebuildingNote = ({ indexed, objects }: { readonly indexed: number; readonly objects: number }) =>
  `the index is being made anew: ${indexed} of ${objects} objects are searchable so far`;
