import type { Clock, Random } from '../kernel/index.ts';
import { type ParsedQuery, parseQuery, printQuery, type QueryNode, relax } from '../query/index.ts';
import type { Oid } from '../soif/index.ts';
import type { ObjectStore } from '../store/index.ts';
import { queryAnswered } from './events.ts';
import { FrozenLists } from './frozen-lists.ts';
import { describeHit } from './hit-description.ts';
import type { ResultTemplates } from './result-templates.ts';
import type { SearchAnswer, SearchHit, SearchParameters, SourceSummary } from './search-answer.ts';
import type { EngineAnswer, SearchEngine, SearchRequest } from './search-engine.ts';
import type { SearchLog } from './search-log.ts';
import { correctedQuery } from './spelling.ts';
import { type Synonyms, synonymSwitch } from './synonyms.ts';

export interface QueryManagerOptions {
  readonly store: ObjectStore;
  readonly engine: SearchEngine;
  /** The sources as they are now; their `id` is what hits and facets name. */
  readonly sources: () => readonly SourceSummary[];
  /** The source's id for the partitions that hold an object. */
  readonly sourceOf: (partitions: readonly number[]) => string;
  readonly snippetLength: number;
  readonly synonyms?: Synonyms;
  /** Whether documents can be looked at as tables. */
  readonly showsTables?: boolean;
  /** Which attributes hits show. */
  readonly templates?: ResultTemplates;
  /** Told of each answer to a query. */
  readonly log?: Pick<SearchLog, 'record'>;
  readonly clock: Clock;
  readonly random: Random;
}

/** What was found, and by which query: the one that was asked, a corrected one, or one with optional words. */
interface Found {
  readonly answer: EngineAnswer;
  readonly query: QueryNode;
  readonly corrected: boolean;
  readonly relaxed: boolean;
}

/** Takes queries in, asks the engine, and makes short descriptions of what it finds (harvest.txt 3.2). */
export class QueryManager {
  readonly #options: QueryManagerOptions;
  readonly #frozen: FrozenLists<{ readonly answer: SearchAnswer; readonly query: QueryNode }>;

  constructor(options: QueryManagerOptions) {
    this.#options = options;
    this.#frozen = new FrozenLists(options.clock, options.random);
  }

  async search(parameters: SearchParameters): Promise<SearchAnswer> {
    const started = performance.now();
    const { q, exact = false, cursor } = parameters;
    if (cursor !== undefined && cursor !== '*') return this.#continued(cursor, parameters.limit, started);
    const { engine } = this.#options;
    const parsed = this.#parse(q);
    const request = engineRequest(parameters, engine.facetAttributes ?? []);
    const suggestion = (await correctedQuery(q, parsed.query, engine)) ?? null;
    const found = await this.#find(parsed, request, exact, suggestion);
    const { answer } = found;
    const known = this.#options.sources();
    const nameOf = (id: string) => known.find((source) => source.id === id)?.name ?? id;
    const context = { ...this.#options, query: found.query, nameOf };
    const described = await Promise.all(answer.hits.map((hit) => describeHit(hit, context)));
    const hits = described.filter((hit) => hit !== undefined);
    const tookMs = performance.now() - started;
    if (offsetless(parameters))
      this.#options.log?.record(q, found.corrected || found.relaxed ? 0 : answer.total);
    queryAnswered.publish({ total: answer.total, ms: tookMs, words: q.split(/\s+/).length });
    const told: SearchAnswer = {
      query: q,
      understood: parsed.understood,
      notes: parsed.notes,
      total: answer.total,
      entries: answer.entries ?? answer.total,
      tookMs: Math.round(tookMs * 100) / 100,
      relaxed: found.relaxed,
      hits,
      facets: {
        source: answer.facets.source.map(({ value, count }) => ({ value, name: nameOf(value), count })),
        type: answer.facets.type,
        more: (answer.facets.more ?? []).filter(({ values }) => values.length > 0),
      },
      sources: known,
      suggestion,
      corrected: found.corrected ? suggestion : null,
      cursor: null,
    };
    if (cursor === undefined) return told;
    const about = { answer: { ...told, hits: [] }, query: found.query };
    const frozen = this.#frozen.freeze(await engine.matches({ ...request, query: found.query }), about);
    return this.#continued(frozen, parameters.limit, started);
  }

  /** The next hits of a frozen list; those that went meanwhile are left out, none comes twice. */
  async #continued(cursor: string, limit: number, started: number): Promise<SearchAnswer> {
    const { list, from } = this.#frozen.find(cursor);
    const { answer, query } = list.about;
    const nameOf = (id: string) => answer.sources.find((source) => source.id === id)?.name ?? id;
    const context = { ...this.#options, query, nameOf };
    const hits = await Promise.all(
      list.slice(from, limit).map((oid) => describeHit({ oid, score: 0 }, context)),
    );
    return {
      ...answer,
      entries: list.length,
      tookMs: Math.round((performance.now() - started) * 100) / 100,
      hits: hits.filter((hit) => hit !== undefined),
      cursor: this.#frozen.after(cursor, Math.max(1, limit)),
    };
  }

  /**
   * The whole list of hits as it is now, or its first `limit`; each is described when it is asked for. Costs 36 bytes of
   * memory a hit. Folded documents do not name the others.
   */
  async *hits(parameters: SearchParameters, signal?: AbortSignal): AsyncGenerator<SearchHit> {
    const { q, exact = false, limit, offset } = parameters;
    const { engine } = this.#options;
    const parsed = this.#parse(q);
    const request = engineRequest({ ...parameters, limit: 0 }, []);
    const suggestion = exact ? null : ((await correctedQuery(q, parsed.query, engine)) ?? null);
    const { query } = await this.#find(parsed, request, exact, suggestion);
    const known = this.#options.sources();
    const nameOf = (id: string) => known.find((source) => source.id === id)?.name ?? id;
    const context = { ...this.#options, query, nameOf };
    let at = 0;
    for (const oid of await engine.matches({ ...request, query, ...(signal && { signal }) })) {
      if (at++ < offset) continue;
      if (at > offset + limit) return;
      signal?.throwIfAborted();
      const hit = await describeHit({ oid, score: 0 }, context);
      if (hit !== undefined) yield hit;
    }
  }

  /** Every object that matches now, best first. */
  matches(q: string, signal?: AbortSignal): Promise<Iterable<Oid>> {
    return this.#options.engine.matches({ query: parseQuery(q).query, ...(signal && { signal }) });
  }

  /** How a query is understood, for people. */
  understood(q: string): string {
    return printQuery(parseQuery(q).query);
  }

  /** A query as it is searched here: with the synonyms of the topic, unless it says no. */
  #parse(q: string): ParsedQuery {
    const { text, off } = synonymSwitch(q);
    const parsed = parseQuery(text);
    const { synonyms } = this.#options;
    if (synonyms === undefined || off) return parsed;
    const { query, added } = synonyms.expand(text, parsed.query);
    if (added.length === 0) return parsed;
    const note = `searched for ${added.slice(0, 5).join(', ')} too; quotes or #nosynonyms leave that out`;
    return { ...parsed, query, understood: printQuery(query), notes: [...parsed.notes, note] };
  }

  /** What was asked; when nothing matches it, what was likely meant; else objects with some of the words. */
  async #find(
    { query }: ParsedQuery,
    request: Omit<SearchRequest, 'query'>,
    exact: boolean,
    suggestion: string | null,
  ): Promise<Found> {
    const { engine } = this.#options;
    const asked = await engine.search({ query, ...request });
    if (asked.total > 0 || exact) return { answer: asked, query, corrected: false, relaxed: false };
    if (suggestion !== null) {
      const meant = this.#parse(suggestion).query;
      const answer = await engine.search({ query: meant, ...request });
      if (answer.total > 0) return { answer, query: meant, corrected: true, relaxed: false };
    }
    const wider = relax(query);
    if (wider !== undefined) {
      const answer = await engine.search({ query: wider, ...request });
      if (answer.total > 0) return { answer, query: wider, corrected: false, relaxed: true };
    }
    return { answer: asked, query, corrected: false, relaxed: false };
  }
}

/** Turning pages is no new search. */
const offsetless = ({ offset, limit }: SearchParameters) => offset === 0 && limit > 0;

function engineRequest(
  { limit, offset, sources, types, filters = [], order, fold = false, perSource }: SearchParameters,
  facetAttributes: readonly string[],
): Omit<SearchRequest, 'query'> {
  const isYearChosen = filters.some(({ facet }) => facet === 'year' || facet === 'month');
  return {
    limit,
    offset,
    fold,
    facets: ['year', ...(isYearChosen ? ['month'] : []), ...facetAttributes],
    ...(sources.length === 0 ? {} : { sources }),
    ...(types.length === 0 ? {} : { types }),
    ...(filters.length === 0 ? {} : { filters }),
    ...(order === undefined ? {} : { order }),
    ...(perSource === undefined ? {} : { perSource }),
  };
}
