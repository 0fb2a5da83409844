/** The whole state of the page as its URL holds it. */
export interface Address {
  readonly query: string;
  /** How many results come before the first one shown. */
  readonly offset: number;
  /** Source ids and types to keep; none keeps all. */
  readonly sources: readonly string[];
  readonly types: readonly string[];
  /** Only what was asked, uncorrected. */
  readonly exact: boolean;
}

/** Results on one page. */
export const pageSize = 10;

/** The longest query the page passes on, in UTF-16 units. */
export const queryLimit = 500;

const maxOffset = 10_000;
const maxFilters = 20;

/** The state with nothing asked. */
export const nothingAsked: Address = { query: '', offset: 0, sources: [], types: [], exact: false };

/** Read the state from a URL's query string; what makes no sense is left out. */
export function readAddress(search: string): Address {
  const parameters = new URLSearchParams(search);
  const from = parameters.get('from') ?? '';
  const number = /^\d{1,6}$/.test(from) ? Number(from) : 1;
  return {
    query: (parameters.get('q') ?? '').slice(0, queryLimit),
    offset: Math.min(maxOffset, Math.max(0, number - 1)),
    sources: filters(parameters.getAll('source')),
    types: filters(parameters.getAll('type')),
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
  for (const source of address.sources) parameters.append('source', source);
  for (const type of address.types) parameters.append('type', type);
  if (address.exact) parameters.set('exact', '1');
  if (address.offset > 0) parameters.set('from', String(address.offset + 1));
  const text = parameters.toString();
  return text ? `./?${text}` : './';
}

/** The API's path for a state, without a leading slash. */
export function searchPath(address: Address): string {
  const parameters = new URLSearchParams({ q: address.query, limit: String(pageSize) });
  parameters.set('offset', String(address.offset));
  for (const source of address.sources) parameters.append('source', source);
  for (const type of address.types) parameters.append('type', type);
  if (address.exact) parameters.set('exact', '1');
  return `search?${parameters}`;
}

/** Whether anything is asked: a query of blanks asks nothing. */
export function isAsked(address: Address): boolean {
  return address.query.trim() !== '';
}

/** The state with one more or one fewer filter value, from its first page. */
export function toggled(address: Address, kind: 'sources' | 'types', value: string): Address {
  const values = address[kind];
  const next = values.includes(value) ? values.filter((other) => other !== value) : [...values, value];
  return { ...address, [kind]: next, offset: 0 };
}
