import { failure, nearest } from '../../kernel/index.ts';
import type { EngineAnswer, FacetFilter, SearchRequest } from '../engines/index.ts';
import { brokerErrors } from '../errors.ts';
import type { SearchParameters, SourceSummary } from './search-answer.ts';

/** Max names that a sentence lists. */
const maxNamed = 10;

/** The values of the facets of time; those of other facets are any text. */
const timeForms: Readonly<Record<string, readonly [form: RegExp, example: string]>> = {
  year: [/^\d{4}$/, 'year:2024'],
  month: [/^\d{4}-(?:0[1-9]|1[0-2])$/, 'month:2024-06'],
};

/** Refuse facets that this Broker does not count, and years and months that are none. Throws BROKER_QUERY. */
function checkFilters(filters: readonly FacetFilter[], facetAttributes: readonly string[]): void {
  const bad = (reason: string) => failure(brokerErrors.BROKER_QUERY, { field: 'filter', reason });
  const facets = [...Object.keys(timeForms), ...facetAttributes];
  for (const { facet, values } of filters) {
    if (!facets.includes(facet)) {
      const near = nearest(facet, facets);
      const own = facet === 'source' || facet === 'type' ? `; ${facet} is a parameter of its own` : '';
      const meant = near === undefined ? own : `; did you mean ${near}?`;
      throw bad(`names the facet ${facet}, but the facets here are ${facets.join(', ')}${meant}`);
    }
    const [form, example] = timeForms[facet] ?? [];
    const odd = form && values.find((value) => !form.test(value.trim()));
    if (odd !== undefined)
      throw bad(`has ${JSON.stringify(odd.slice(0, 40))} for a ${facet}: write it as in ${example}`);
  }
}

/** The ids that a source parameter means: an id, or a name in any case. */
function sourcesMeant(given: string, known: readonly SourceSummary[]): readonly string[] {
  if (known.some(({ id }) => id === given)) return [given];
  const named = known.filter(({ name }) => name.toLowerCase() === given.trim().toLowerCase());
  return named.length > 0 ? named.map(({ id }) => id) : [given];
}

/** The request to an engine for the parameters of a search. Throws BROKER_QUERY. */
export function engineRequest(
  parameters: SearchParameters,
  context: {
    readonly facetAttributes: readonly string[];
    readonly known: readonly SourceSummary[];
    readonly signal: AbortSignal | undefined;
  },
): Omit<SearchRequest, 'query'> {
  const { limit, offset, types, filters = [], order } = parameters;
  const { fold = false, perSource, statistics } = parameters;
  const { facetAttributes, known, signal } = context;
  checkFilters(filters, facetAttributes);
  const sources = parameters.sources.flatMap((given) => sourcesMeant(given, known));
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
    ...(statistics === undefined ? {} : { statistics }),
    ...(signal && { signal }),
    reads: { objects: 0 },
  };
}

const listed = (names: readonly string[]) =>
  names.length === 0
    ? 'there is none'
    : `there are ${names.slice(0, maxNamed).join(', ')}${names.length > maxNamed ? ` and ${names.length - maxNamed} more` : ''}`;

/** Sentences on sources that do not exist, and on types that no object of the answer has. */
export function parameterNotes(
  { sources, types }: Pick<SearchParameters, 'sources' | 'types'>,
  known: readonly SourceSummary[],
  { facets, total }: Pick<EngineAnswer, 'facets' | 'total'>,
): readonly string[] {
  const note = (kind: string, given: string, names: readonly string[]) => {
    const near = nearest(given, names);
    return `no ${kind} is called ${given.slice(0, 80)}: ${listed(names)}${near === undefined ? '' : `; did you mean ${near}?`}`;
  };
  const names = known.map(({ name, id }) => name || id);
  const isKnown = (given: string) => known.some(({ id }) => sourcesMeant(given, known).includes(id));
  const present = facets.type.map(({ value }) => value);
  return [
    ...sources.filter((given) => !isKnown(given)).map((given) => note('source', given, names)),
    ...(total > 0 ? [] : types.filter((given) => !present.includes(given))).map((given) =>
      note('type of the objects found', given, present),
    ),
  ];
}

/** Turning pages is not a new search. */
export const isNewSearch = ({ offset, limit }: SearchParameters) => offset === 0 && limit > 0;
