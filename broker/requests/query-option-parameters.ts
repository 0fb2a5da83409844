import type { RouteRequest } from '../../http/index.ts';
import { failure } from '../../kernel/index.ts';
import { optionBounds, type QueryOptions } from '../../query/index.ts';
import { brokerErrors } from '../errors.ts';

const flags = ['case', 'part'] as const;
const numbers = ['errors', 'lines', 'max'] as const;

const parameter = (name: string, describe: string) =>
  ({ name, in: 'query', describe, schema: { type: 'string' } }) as const;

/** The options of a query as parameters of a request: each holds where the query does not say it itself. */
export const queryOptionParameters = [
  parameter('case', 'yes: words are compared as they are written, as #case in the query'),
  parameter('part', 'yes: words may be parts of words, as #part'),
  parameter('errors', `0 to ${optionBounds.errors} or best: how far words may differ, as #errors`),
  parameter('lines', `0 to ${optionBounds.lines}: how many matching lines of each hit are told, as #lines`),
  parameter('max', `0 to ${optionBounds.max}: no more hits than these, as #max`),
];

/** Read the options from a request. Throws BROKER_QUERY. */
export function queryOptions({ query }: Pick<RouteRequest, 'query'>): QueryOptions {
  const options: { -readonly [Name in keyof QueryOptions]: QueryOptions[Name] } = {};
  for (const field of flags) {
    const text = query[field];
    if (text === undefined || text === '') continue;
    if (text !== 'yes' && text !== 'no')
      throw failure(brokerErrors.BROKER_QUERY, { field, reason: 'must be yes or no' });
    options[field] = text === 'yes';
  }
  for (const field of numbers) {
    const text = query[field];
    if (text === undefined || text === '') continue;
    if (field === 'errors' && text === 'best') options.errors = text;
    else if (/^\d{1,9}$/.test(text) && Number(text) <= optionBounds[field]) options[field] = Number(text);
    else
      throw failure(brokerErrors.BROKER_QUERY, {
        field,
        reason: `must be a whole number from 0 to ${optionBounds[field]}`,
      });
  }
  return options;
}
