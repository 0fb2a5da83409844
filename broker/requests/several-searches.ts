import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';
import { JsonBody } from './json-body.ts';
import type { AskedBy } from './search-parameters.ts';

/** Max searches in one request. */
export const maxSearches = 16;

/** The searches of a body `{"searches": [...]}`, not read yet. Throws BROKER_BODY. */
export function severalSearches(request: Pick<RouteRequest, 'body'>): readonly unknown[] {
  const searches = new JsonBody(request, ['searches']).value('searches');
  if (Array.isArray(searches) && searches.length > 0 && searches.length <= maxSearches) return searches;
  throw bad(`searches must be a list of 1 to ${maxSearches} searches`);
}

/** One search of a body as the query string that asks the same: `{"q": "tide", "type": ["HTML"]}`. Throws BROKER_BODY. */
export function askedByObject(search: unknown): AskedBy {
  if (typeof search !== 'object' || search === null || Array.isArray(search))
    throw bad('a search must be an object such as {"q": "tide"}');
  const queries: Record<string, readonly string[]> = Object.create(null);
  for (const [name, value] of Object.entries(search)) {
    const values: readonly unknown[] = Array.isArray(value) ? value : [value];
    queries[name] = values.map((one) => parameterText(name, one));
  }
  const query: Record<string, string> = Object.create(null);
  for (const [name, [first]] of Object.entries(queries)) if (first !== undefined) query[name] = first;
  return { query, queries };
}

function parameterText(name: string, value: unknown): string {
  if (typeof value === 'string') return value;
  if (typeof value === 'number') return String(value);
  throw bad(`${JSON.stringify(name.slice(0, 40))} must be a text, a number, or a list of these`);
}

const bad = (problem: string) => failure(brokerErrors.BROKER_BODY, { problem });
