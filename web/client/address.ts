import { searchPath as pathOf, type SearchParameters } from './search-parameters.ts';

/** The whole state of the page as its URL holds it. */
export interface Address {
  readonly query: string;
  /** How many results come before the first one shown. */
  readonly offset: number;
  /** Source ids and types to keep; none keeps all. */
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Values of other facets to keep, as `year:2024`. */
  readonly filters: readonly string[];
  /** What comes first; relevance when empty. */
  readonly sort: string;
  /** Few results of each source. */
  readonly grouped: boolean;
  /** Only what was asked, uncorrected. */
  readonly exact: boolean;
}

/** Results on one page. */
export const pageSize = 10;

/** The longest query the page passes on, in UTF-16 units. */
export const queryLimit = 500;

// Numbers that are exact.
const maxOffset = Number.MAX_SAFE_INTEGER;
const maxFilters = 20;

/** The state with nothing asked. */
export const nothingAsked: Address = {
  ...{ query: '', offset: 0, sources: [], types: [], filters: [], sort: '', grouped: false, exact: false },
};

/** Results of one source when they are grouped. */
export const groupSize = 3;

/** What results may be sorted by instead of relevance, in the API's words. */
export const sorts = ['date', 'size', 'title', 'url'] as const;

/** Read the state from a URL's query string; what makes no sense is left out. */
export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const from = parameters.get('from') ?? '';
  const number = /^\d+$/.test(from) ? Number(from) : 1;
  return {
    query: (parameters.get('q') ?? '').slice(0, queryLimit),
    offset: Math.min(maxOffset, Math.max(0, number - 1)),
    sources: filters(parameters.getAll('source')),
    types: filters(parameters.getAll('type')),
    filters: filters(parameters.getAll('filter')),
    sort: sorts.find((name) => name === parameters.get('sort')) ?? '',
    grouped: parameters.get('grouped') === '1',
    exact: parameters.get('exact') === '1',
  };
}

function filters(values: readonly string[]): string[] {
  return [...new Set(values.filter((value) => value !== ''))].slice(0, maxFilters);
}

/** The page's own URL for a state, relative to it: `./?q=...`. `from` counts as people do, from 1. */
export function pageHref(address: Address): string {
  const parameters = new URLSearchParams();
  if (address.query) parameters.set('q', address.query);
  append(parameters, address);
  if (address.grouped) parameters.set('grouped', '1');
  if (address.offset > 0) parameters.set('from', String(address.offset + 1));
  const text = parameters.toString();
  return text ? `./?${text}` : './';
}

/** The search for a state. */
export function searchOf(address: Address): SearchParameters {
  const { query, offset, sources, types, filters, grouped, exact } = address;
  const sort = sorts.find((name) => name === address.sort);
  return {
    ...{ q: query, limit: pageSize, offset, sources, types, filters, exact, fold: true },
    ...(sort === undefined ? {} : { sort }),
    ...(grouped ? { perSource: groupSize } : {}),
  };
}

/** The API's path for a state, without a leading slash. */
export const searchPath = (address: Address): string => pathOf(searchOf(address));

/** The filters and the order, as the page's own URL has them: in the API's words. */
function append(parameters: URLSearchParams, { sources, types, filters, sort, exact }: Address): void {
  for (const source of sources) parameters.append('source', source);
  for (const type of types) parameters.append('type', type);
  for (const filter of filters) parameters.append('filter', filter);
  if (sort !== '') parameters.set('sort', sort);
  if (exact) parameters.set('exact', '1');
}

/** Whether anything is asked: a query of blanks asks nothing. */
export function isAsked(address: Address): boolean {
  return address.query.trim() !== '';
}

/** Where a state keeps its filter values. */
export type FilterKind = 'sources' | 'types' | 'filters';

/** The state with one more or one fewer filter value, from its first page. */
export function toggled(address: Address, kind: FilterKind, value: string): Address {
  const values = address[kind];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return { ...address, [kind]: next, offset: 0 };
}
