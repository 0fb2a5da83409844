import type { Filter } from '../awareness/index.ts';
import { failure } from '../kernel/index.ts';
import { compileQuery, parseQuery, printQuery } from '../query/index.ts';
import { attributeNumber, decodeObject, type SummaryObject } from '../soif/index.ts';
import { exchangeErrors } from './errors.ts';

/** The objects a client wants: those of a view, or those that match a query, are not too old, or both. */
export interface FilterSpec {
  /** Name of a view of the source; no other field goes with it. */
  readonly view?: string;
  /** In the query language. */
  readonly query?: string;
  /** Objects whose time in this attribute (seconds since 1970) is at most so many seconds past. */
  readonly age?: { readonly attribute: string; readonly seconds: number };
}

export const maxFilterText = 4096;

/** The canonical text of a filter, on which two sides must agree. */
export function filterText({ view, query, age }: FilterSpec): string {
  return JSON.stringify({
    ...(view === undefined ? {} : { view }),
    ...(query === undefined ? {} : { query: printQuery(parseQuery(query).query) }),
    ...(age === undefined ? {} : { age: [age.attribute.toLowerCase(), age.seconds] }),
  });
}

function specOf(text: string): FilterSpec | undefined {
  try {
    const { view, query, age } = JSON.parse(text) as Readonly<Record<string, unknown>>;
    if (view !== undefined)
      return typeof view === 'string' && query === undefined && age === undefined ? { view } : undefined;
    if (query !== undefined && typeof query !== 'string') return undefined;
    if (age === undefined) return query === undefined ? {} : { query };
    if (!Array.isArray(age) || age.length !== 2) return undefined;
    const [attribute, seconds] = age as unknown[];
    if (typeof attribute !== 'string' || !Number.isSafeInteger(seconds) || (seconds as number) <= 0)
      return undefined;
    return { ...(query === undefined ? {} : { query }), age: { attribute, seconds: seconds as number } };
  } catch {
    return undefined;
  }
}

/** The name of the view in the text of a filter, or undefined. */
export function viewIn(text: string): string | undefined {
  return text.length > maxFilterText ? undefined : specOf(text)?.view;
}

/** The filter with this canonical text; not for views, which the source stores. Throws EXCHANGE_FILTER. */
export function filterFrom(text: string): Filter {
  const spec = text.length > maxFilterText ? undefined : specOf(text);
  if (spec === undefined || spec.view !== undefined || filterText(spec) !== text)
    throw failure(exchangeErrors.EXCHANGE_FILTER, { filter: text.slice(0, 200) });
  const matches: (object: SummaryObject) => boolean =
    spec.query === undefined ? () => true : compileQuery(parseQuery(spec.query).query);
  const { age } = spec;
  return {
    text,
    judge: (body, now) => {
      const object = decodeObject(body);
      if (!matches(object)) return { holds: false };
      if (age === undefined) return { holds: true };
      const time = attributeNumber(object, age.attribute);
      if (time === undefined || now - time > age.seconds) return { holds: false };
      return { holds: true, until: time + age.seconds + 1 };
    },
  };
}
