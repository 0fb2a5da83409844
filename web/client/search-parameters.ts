/** What hits may be ordered by instead of relevance; `-` reverses the order. */
export type SearchOrder = `${'' | '-'}${'date' | 'size' | 'title' | 'url'}`;

/** The parameters of `GET /search`. Absent ones take the Broker's defaults. */
export interface SearchParameters {
  /** The query; may be absent beside the cursor of an earlier answer. */
  readonly q?: string;
  /** Number of hits: 10 when absent, at most 100. For `BrokerClient.hits` all when absent, at most 1,000,000. */
  readonly limit?: number;
  /** Number of hits to skip: at most 1,000,000. */
  readonly offset?: number;
  /** Only hits of these sources, by id. */
  readonly sources?: readonly string[];
  /** Only hits of these types, such as `HTML`. */
  readonly types?: readonly string[];
  /** Only hits with these values of a facet: `year:2024`, `month:2024-05`, `ATTRIBUTE:VALUE`. */
  readonly filters?: readonly string[];
  /** Relevance when absent. */
  readonly sort?: SearchOrder;
  /** Documents with the same bytes are one hit. */
  readonly fold?: boolean;
  /** Max hits of one source, 1 to 100. */
  readonly perSource?: number;
  /** `*` freezes the list; the `cursor` of each answer then leads to its next hits. */
  readonly cursor?: string;
  /** No word is corrected or made optional when nothing matches. */
  readonly exact?: boolean;
  /** The query is being typed: its last word may be the beginning of a word, and nothing is corrected. */
  readonly typing?: boolean;
  /** False: only objects with every word, even if there are none. */
  readonly widen?: boolean;
  /** False: words may become optional, but the query is not corrected. */
  readonly correct?: boolean;
  /** Words are compared with case, unless the query says otherwise. */
  readonly case?: boolean;
  /** Words match parts of words, unless the query says otherwise. */
  readonly part?: boolean;
  /** Errors allowed in words, 0 to 8, or `best`. */
  readonly errors?: number | 'best';
  /** Number of matching lines shown of each hit: at most 100. */
  readonly lines?: number;
  /** Max hits of the whole list: at most 10,000. */
  readonly max?: number;
  /** Rank by the statistics of several Brokers: the summed `text` of their `/statistics` answers. */
  readonly statistics?: string;
}

/** The API's path for a search, without a leading slash. */
export function searchPath(search: SearchParameters): string {
  const parameters = new URLSearchParams();
  const set = (name: string, value: string | number | undefined) => {
    if (value !== undefined) parameters.append(name, String(value));
  };
  const yesOrNo = (value: boolean | undefined) => (value === undefined ? undefined : value ? 'yes' : 'no');
  set('q', search.q);
  set('limit', search.limit);
  set('offset', search.offset);
  for (const source of search.sources ?? []) set('source', source);
  for (const type of search.types ?? []) set('type', type);
  for (const filter of search.filters ?? []) set('filter', filter);
  set('sort', search.sort);
  if (search.exact === true) set('exact', 1);
  if (search.typing === true) set('typing', 1);
  if (search.fold === true) set('fold', 1);
  set('per-source', search.perSource);
  set('cursor', search.cursor);
  if (search.widen === false) set('widen', 'no');
  if (search.correct === false) set('correct', 'no');
  set('case', yesOrNo(search.case));
  set('part', yesOrNo(search.part));
  set('errors', search.errors);
  set('lines', search.lines);
  set('max', search.max);
  set('statistics', search.statistics);
  return `search?${parameters}`;
}
