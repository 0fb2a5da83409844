import type { ParameterDescription, RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { optionBounds, type QueryOptions } from '../../query/index.ts';
import { type FacetFilter, orders, type ResultOrder } from '../engines/index.ts';
import { brokerErrors } from '../errors.ts';
import { type SearchParameters, statisticsFrom } from '../searching/index.ts';
import type { TableQuestion } from '../table-access/index.ts';
import { choiceParameter, countParameter, flagParameter, textParameter } from './route-words.ts';

const flags = ['case', 'part'] as const;
const numbers = ['errors', 'lines', 'max'] as const;

/** The options of a query as parameters of a request. The query's own text overrides them. */
const queryOptionParameters = [
  flagParameter('case', 'yes: compare words with case, as #case in the query'),
  flagParameter('part', 'yes: match parts of words, as #part'),
  textParameter('errors', `0 to ${optionBounds.errors} or best: allowed errors in words, as #errors`),
  textParameter('lines', `0 to ${optionBounds.lines}: number of matching lines shown of each hit, as #lines`),
  textParameter('max', `0 to ${optionBounds.max}: max number of hits, as #max`),
];

/** Read the options from a request. Throws BROKER_QUERY. */
function queryOptions({ query }: Pick<RouteRequest, 'query'>): QueryOptions {
  const options: { -readonly [Name in keyof QueryOptions]: QueryOptions[Name] } = {};
  for (const field of flags) {
    const value = truth(query, field);
    if (value !== undefined) options[field] = value;
  }
  for (const field of numbers) {
    const text = query[field];
    if (text === undefined || text === '') continue;
    if (field === 'errors' && text === 'best') options.errors = text;
    else if (/^\d{1,9}$/.test(text) && Number(text) <= optionBounds[field]) options[field] = Number(text);
    else throw refused(field, `must be a whole number from 0 to ${optionBounds[field]}`);
  }
  return options;
}

const maxLimit = 100;
const maxOffset = 1_000_000;
const maxFilters = 64;
const maxPerSource = 100;

/** The query string of a request. */
export type AskedBy = Pick<RouteRequest, 'query' | 'queries'>;

const refused = (field: string, reason: string) => failure(brokerErrors.BROKER_QUERY, { field, reason });

function integer(request: AskedBy, name: string, fallback: number, max: number): number {
  const text = request.query[name];
  if (text === undefined || text === '') return fallback;
  if (!/^\d{1,9}$/.test(text) || Number(text) > max)
    throw refused(name, `must be a whole number from 0 to ${max}`);
  return Number(text);
}

/** A choice between yes and no; undefined where it is absent or empty. */
function truth(query: AskedBy['query'], name: string): boolean | undefined {
  const text = query[name] ?? '';
  if (text === '') return undefined;
  if (['1', 'yes', 'true'].includes(text)) return true;
  if (['0', 'no', 'false'].includes(text)) return false;
  throw refused(name, 'must be 1, yes or true, or 0, no or false');
}

const flag = ({ query }: AskedBy, name: string, fallback = false): boolean => truth(query, name) ?? fallback;

function several(request: AskedBy, name: string): readonly string[] {
  const values = (request.queries[name] ?? []).filter((value) => value !== '');
  if (values.length > maxFilters) throw refused(name, `may be given at most ${maxFilters} times`);
  return values;
}

/** Hits to skip: any number, so that a place beyond the end of a list is answered with how long it is. */
function offset(request: AskedBy): number {
  const text = request.query.offset || '0';
  if (!/^\d{1,400}$/.test(text)) throw refused('offset', 'must be a whole number');
  return Math.min(Number(text), Number.MAX_SAFE_INTEGER);
}

/** `filter=year:2024`: values of one facet are alternatives, facets narrow each other. */
function facetFilters(request: AskedBy): FacetFilter[] {
  const filters = new Map<string, string[]>();
  for (const text of several(request, 'filter')) {
    const [, name, value] = /^([A-Za-z][\w-]{0,63}):\s*(.+)$/s.exec(text) ?? [];
    if (name === undefined || value === undefined)
      throw refused('filter', 'must be written as NAME:VALUE, for example year:2024');
    const facet = name.toLowerCase();
    filters.set(facet, [...(filters.get(facet) ?? []), value]);
  }
  return Array.from(filters, ([facet, values]) => ({ facet, values }));
}

const sorts = ['relevance', ...orders.flatMap((name) => [name, `-${name}`])];

function resultOrder(request: AskedBy): ResultOrder | undefined {
  const text = request.query.sort || 'relevance';
  if (text === 'relevance') return undefined;
  const by = orders.find((name) => name === text.replace(/^-/, ''));
  if (by === undefined) throw refused('sort', `must be one of ${sorts.join(', ')}`);
  return { by, reversed: text.startsWith('-') };
}

function sharedStatistics({ query: { statistics } }: AskedBy): Pick<SearchParameters, 'statistics'> {
  if (statistics === undefined || statistics === '') return {};
  const read = statisticsFrom(statistics);
  if (read === undefined)
    throw refused('statistics', 'must be the text of a /statistics answer, or a sum of such');
  return { statistics: read };
}

/** Whether hits are wanted as JSON lines instead of one answer. Throws BROKER_QUERY. */
export function wantsLines(request: AskedBy): boolean {
  const format = request.query.format || 'json';
  if (format !== 'json' && format !== 'jsonl') throw refused('format', 'must be json or jsonl');
  return format === 'jsonl';
}

/** The parameters of a request for `/search`. Throws BROKER_QUERY. */
export function searchParameters(request: AskedBy): SearchParameters {
  const cursor = request.query.cursor || undefined;
  const q = request.query.q ?? (cursor === undefined || cursor === '*' ? undefined : '');
  if (q === undefined) throw refused('q', 'is missing');
  const order = resultOrder(request);
  const perSource = integer(request, 'per-source', 0, maxPerSource);
  return {
    q,
    limit: wantsLines(request)
      ? integer(request, 'limit', maxOffset, maxOffset)
      : integer(request, 'limit', 10, maxLimit),
    offset: offset(request),
    sources: several(request, 'source'),
    types: several(request, 'type'),
    exact: flag(request, 'exact'),
    ...(flag(request, 'typing') && { typing: true }),
    filters: facetFilters(request),
    fold: flag(request, 'fold'),
    widen: flag(request, 'widen', true),
    correct: flag(request, 'correct', true),
    options: queryOptions(request),
    ...sharedStatistics(request),
    ...(order === undefined ? {} : { order }),
    ...(perSource === 0 ? {} : { perSource }),
    ...(cursor === undefined ? {} : { cursor }),
  };
}

/** A number that the functions above check, so that a search in a body is refused as one in a query string is. */
const number = (name: string, describe: string, maximum: number): ParameterDescription => ({
  ...countParameter(name, describe, maximum, 0),
  isChecked: true,
});

const repeatable = (name: string, describe: string): ParameterDescription => ({
  ...textParameter(name, describe),
  several: true,
});

/** The same for `/openapi.json`. */
export const searchParameterTable: readonly ParameterDescription[] = [
  textParameter(
    'q',
    'Words, "phrases", AND, OR, NOT, parentheses, Attribute: value; may be absent beside a cursor',
  ),
  number(
    'limit',
    `Hits to return, default 10; as JSON lines at most ${maxOffset}, and all when absent`,
    maxLimit,
  ),
  {
    ...{ name: 'offset', in: 'query', schema: { type: 'integer', minimum: 0 }, isChecked: true },
    describe: `Hits to skip; those beyond ${maxOffset} are listed with a cursor only`,
  },
  repeatable('source', 'Only objects of this source, by its id or name; may be repeated'),
  repeatable('type', 'Only objects of this type; may be repeated'),
  repeatable(
    'filter',
    'Only objects with this value of a facet, for example year:2024 or language:en; may be repeated',
  ),
  choiceParameter('sort', 'Order of the hits; - reverses it', sorts),
  flagParameter('fold', '1: documents with the same bytes are one hit, which names the others'),
  number('per-source', 'Max hits of one source; 0 for no limit', maxPerSource),
  textParameter('cursor', '*: freeze the list; the cursor of each answer then leads to its next hits'),
  choiceParameter('format', 'One answer, or one line of JSON for each hit, streamed', ['json', 'jsonl']),
  repeatable(
    'fields',
    'Only these fields of each hit, with commas between, such as title,url; may be repeated; all when absent',
  ),
  ...queryOptionParameters,
  flagParameter('widen', 'no: only objects with every word, even if there are none'),
  flagParameter(
    'correct',
    'no: where nothing matches, words may be optional, but the query is not corrected',
  ),
  textParameter(
    'statistics',
    'Rank by these statistics of several Brokers together: the summed text of their /statistics answers',
  ),
  flagParameter(
    'typing',
    '1: the query is being typed: its last word is also searched as the beginning of a word, and nothing is corrected',
  ),
  flagParameter('exact', '1: answer this query only, even when nothing matches it'),
];

const maxRows = 500;

export function tableQuestion(request: AskedBy): TableQuestion {
  const { table, sort, x, y } = request.query;
  return {
    ...(table ? { table } : {}),
    ...(sort ? { sort } : {}),
    ...(x ? { x } : {}),
    ...(y ? { y } : {}),
    descending: flag(request, 'desc'),
    where: several(request, 'where').slice(0, 16),
    offset: integer(request, 'offset', 0, maxOffset),
    limit: integer(request, 'limit', 100, maxRows),
  };
}

/** The same for `/openapi.json`. */
export const tableParameterTable: readonly ParameterDescription[] = [
  textParameter('table', 'The table of a database; the first when absent'),
  repeatable(
    'where',
    'COLUMN:TEXT selects rows that contain it, COLUMN:> 5 (<, <=, >=, =, !=) compares; may be repeated',
  ),
  textParameter('sort', 'The column to sort by'),
  flagParameter('desc', '1: largest first'),
  textParameter('y', 'The column of numbers for a plot'),
  textParameter('x', 'The column with the labels of a plot'),
  number('limit', 'Rows to return', maxRows),
  number('offset', 'Rows to skip', maxOffset),
];
