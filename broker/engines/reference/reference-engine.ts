import type { Lsn } from '../../../awareness/index.ts';
import {
  analyse,
  compileQuery,
  defaultLanguage,
  isSearchedByBareWords,
  type Language,
  languageOfObject,
  normalisePrefix,
  type QueryNode,
  resolveBest,
  typeFacet,
} from '../../../query/index.ts';
import type { Oid, SummaryObject } from '../../../soif/index.ts';
import {
  bytesMark,
  facetValuesOf,
  modifiedOf,
  monthOf,
  sizeOf,
  titleKey,
  urlKey,
} from '../documents/facet-attributes.ts';
import type {
  EngineAnswer,
  FacetFilter,
  IndexChange,
  MatchRequest,
  ResultOrder,
  SearchEngine,
  SearchRequest,
} from '../model/search-engine.ts';
import { namedFacet, sortedFacets } from '../results/facet-counts.ts';

interface Held {
  readonly object: SummaryObject;
  readonly source: string;
}

interface Found extends Held {
  readonly oid: Oid;
}

const decoder = new TextDecoder();

/** An engine without an index, which reads every object. Unranked: hits are in the order of the puts. */
export class ReferenceEngine implements SearchEngine {
  readonly name = 'reference';
  readonly capabilities = { phrases: true, ranked: false };
  readonly #objects = new Map<Oid, Held>();
  readonly fallback: Language;
  #lsn: Lsn = 0;

  /** `fallback` is the language of objects that do not name theirs. */
  constructor(fallback: Language = defaultLanguage) {
    this.fallback = fallback;
  }

  get lsn(): Lsn {
    return this.#lsn;
  }

  get count(): number {
    return this.#objects.size;
  }

  get languages(): ReadonlyMap<Language, number> {
    const counts = new Map<Language, number>();
    for (const { object } of this.#objects.values()) {
      const language = languageOfObject(object, this.fallback);
      counts.set(language, (counts.get(language) ?? 0) + 1);
    }
    return counts;
  }

  async apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void> {
    for (const change of changes) {
      this.#objects.delete(change.oid);
      if (change.kind === 'put')
        this.#objects.set(change.oid, { object: change.object, source: change.source });
    }
    this.#lsn = lsn;
  }

  async search(request: SearchRequest): Promise<EngineAnswer> {
    const { limit, offset, facets = [], filters = [] } = request;
    const names = [...new Set([...facets, ...filters.map(({ facet }) => facet)])];
    const all = ['source', 'type', ...names];
    const counts = new Map(all.map((name) => [name, new Map<string, number>()]));
    const found: Found[] = [];
    for (const one of await this.#matching(request)) {
      const refused = all.filter((name) => !passes(one, name, wanted(request, name)));
      if (refused.length === 0) found.push(one);
      if (refused.length > 1) continue;
      for (const name of refused.length === 0 ? all : refused) {
        const known = counts.get(name) as Map<string, number>;
        for (const value of valuesOf(one, name)) known.set(value, (known.get(value) ?? 0) + 1);
      }
    }
    const list = listed(found, request);
    const hits = list.slice(offset, offset + Math.max(0, limit)).map(({ first: { oid }, others }) => ({
      ...{ oid, score: 0 },
      ...(others.length === 0 ? {} : { also: others.slice(0, 10).map((other) => other.oid) }),
      ...(others.length === 0 ? {} : { alsoTotal: others.length }),
    }));
    return {
      hits,
      total: found.length,
      facets: {
        source: sortedFacets(counts.get('source') ?? []),
        type: sortedFacets(counts.get('type') ?? []),
        more: facets.map((name) => namedFacet(name, counts.get(name) ?? [])),
      },
      entries: list.length,
      ...(request.whole === true && { list: list.map(({ first }) => first.oid) }),
    };
  }

  async matches(request: MatchRequest): Promise<Iterable<Oid>> {
    const names = ['source', 'type', ...(request.filters ?? []).map(({ facet }) => facet)];
    const found = (await this.#matching(request)).filter((one) =>
      names.every((name) => passes(one, name, wanted(request, name))),
    );
    return listed(found, request).map(({ first }) => first.oid);
  }

  async #matching({ query }: MatchRequest): Promise<Found[]> {
    const matches = compileQuery(await this.#resolved(query), undefined, this.fallback);
    const found: Found[] = [];
    for (const [oid, held] of this.#objects) if (matches(held.object)) found.push({ oid, ...held });
    return found;
  }

  #resolved(query: QueryNode): Promise<QueryNode> {
    return resolveBest(query, async (tried) => {
      const matches = compileQuery(tried, undefined, this.fallback);
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

function valuesOf({ object, source }: Found, name: string): readonly string[] {
  if (name === 'source') return [source];
  if (name === 'type') return [typeFacet(object)];
  if (name !== 'year' && name !== 'month') return facetValuesOf(object, name);
  const month = monthOf(modifiedOf(object));
  return month === '' ? [] : [name === 'year' ? month.slice(0, 4) : month];
}

function wanted(
  { sources, types, filters = [] }: MatchRequest,
  name: string,
): FacetFilter['values'] | undefined {
  if (name === 'source') return sources;
  return name === 'type' ? types : filters.find(({ facet }) => facet === name)?.values;
}

const passes = (one: Found, name: string, values: readonly string[] | undefined) =>
  values === undefined || valuesOf(one, name).some((value) => values.includes(value));

interface Entry {
  readonly first: Found;
  readonly others: Found[];
}

/** Ordered, folded and grouped, step by step as a reader would. */
function listed(found: readonly Found[], { order, fold, perSource }: MatchRequest): Entry[] {
  const entries: Entry[] = [];
  const byBytes = new Map<number, Entry>();
  for (const one of order === undefined ? found : ordered(found, order)) {
    const mark = fold === true ? bytesMark(one.object) : 0;
    const same = byBytes.get(mark);
    if (mark !== 0 && same !== undefined) {
      same.others.push(one);
      continue;
    }
    const entry = { first: one, others: [] };
    entries.push(entry);
    if (mark !== 0) byBytes.set(mark, entry);
  }
  if (perSource === undefined) return entries;
  const shown = new Map<string, number>();
  return entries.filter(({ first: { source } }) => {
    const count = (shown.get(source) ?? 0) + 1;
    shown.set(source, count);
    return count <= perSource;
  });
}

function ordered(found: readonly Found[], { by, reversed }: ResultOrder): Found[] {
  const sign = reversed ? -1 : 1;
  if (by === 'title' || by === 'url') {
    const key = ({ object }: Found) => (by === 'title' ? titleKey(object) : urlKey(object));
    return [...found].sort((a, b) => (key(a) === key(b) ? 0 : key(a) < key(b) ? -sign : sign));
  }
  const value = ({ object }: Found) => (by === 'date' ? modifiedOf(object) : sizeOf(object) + 1);
  const key = (one: Found) => (value(one) === 0 ? Number.NEGATIVE_INFINITY : sign * value(one));
  return [...found].sort((a, b) => (key(a) === key(b) ? 0 : key(b) - key(a)));
}
