import type { Lsn } from '../../awareness/index.ts';
import {
  analyse,
  compileQuery,
  isSearchedByBareWords,
  normalisePrefix,
  type QueryNode,
  resolveBest,
  typeFacet,
} from '../../query/index.ts';
import type { Oid, SummaryObject } from '../../soif/index.ts';
import type {
  EngineAnswer,
  IndexChange,
  MatchRequest,
  SearchEngine,
  SearchRequest,
} from '../search-engine.ts';
import { sortedFacets } from './facet-counts.ts';

interface Held {
  readonly object: SummaryObject;
  readonly source: string;
}

const decoder = new TextDecoder();

/** An engine without an index: every search reads every object. Unranked: hits stand in the order they were put. */
export class ReferenceEngine implements SearchEngine {
  readonly name = 'reference';
  readonly capabilities = { phrases: true, ranked: false };
  readonly #objects = new Map<Oid, Held>();
  #lsn: Lsn = 0;

  get lsn(): Lsn {
    return this.#lsn;
  }

  get count(): number {
    return this.#objects.size;
  }

  async apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void> {
    for (const change of changes) {
      this.#objects.delete(change.oid);
      if (change.kind === 'put')
        this.#objects.set(change.oid, { object: change.object, source: change.source });
    }
    this.#lsn = lsn;
  }

  async search({ query: asked, limit, offset, sources, types }: SearchRequest): Promise<EngineAnswer> {
    const matches = compileQuery(await this.#resolved(asked));
    const bySource = new Map<string, number>();
    const byType = new Map<string, number>();
    const found: Oid[] = [];
    for (const [oid, { object, source }] of this.#objects) {
      if (!matches(object)) continue;
      const type = typeFacet(object);
      const sourceWanted = sources === undefined || sources.includes(source);
      const typeWanted = types === undefined || types.includes(type);
      if (typeWanted) bySource.set(source, (bySource.get(source) ?? 0) + 1);
      if (sourceWanted) byType.set(type, (byType.get(type) ?? 0) + 1);
      if (sourceWanted && typeWanted) found.push(oid);
    }
    const hits = found.slice(offset, offset + Math.max(0, limit)).map((oid) => ({ oid, score: 0 }));
    return {
      hits,
      total: found.length,
      facets: { source: sortedFacets(bySource), type: sortedFacets(byType) },
    };
  }

  async matches({ query }: MatchRequest): Promise<Iterable<Oid>> {
    const matches = compileQuery(await this.#resolved(query));
    return [...this.#objects].filter(([, { object }]) => matches(object)).map(([oid]) => oid);
  }

  #resolved(query: QueryNode): Promise<QueryNode> {
    return resolveBest(query, async (tried) => {
      const matches = compileQuery(tried);
      return [...this.#objects.values()].some(({ object }) => matches(object));
    });
  }

  async complete(prefix: string, limit: number): Promise<readonly string[]> {
    const normal = normalisePrefix(prefix);
    const counts = new Map<string, number>();
    for (const { object } of this.#objects.values()) {
      const searched = object.attributes.filter(({ name }) => isSearchedByBareWords(name));
      const words = new Set(
        searched.flatMap(({ value }) => analyse(decoder.decode(value)).map(({ word }) => word)),
      );
      for (const word of words)
        if (normal !== '' && word.startsWith(normal)) counts.set(word, (counts.get(word) ?? 0) + 1);
    }
    return sortedFacets(counts)
      .slice(0, limit)
      .map(({ value }) => value);
  }

  async clear(): Promise<void> {
    this.#objects.clear();
    this.#lsn = 0;
  }

  async [Symbol.asyncDispose](): Promise<void> {}
}
