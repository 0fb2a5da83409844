import { isOid } from '../../soif/index.ts';
import type { SearchAnswer, SearchHit, SourceSummary } from '../searching/index.ts';

type Check = (value: unknown) => boolean;
/** A check for every field, so that none can be forgotten. */
type Checks<Shape> = { readonly [Field in keyof Required<Shape>]: Check };

const isText: Check = (value) => typeof value === 'string';
const isFlag: Check = (value) => typeof value === 'boolean';
const isCount: Check = (value) => Number.isSafeInteger(value) && (value as number) >= 0;
const isNumber: Check = (value) => Number.isFinite(value);
const orNull =
  (check: Check): Check =>
  (value) =>
    value === null || check(value);
const orAbsent =
  (check: Check): Check =>
  (value) =>
    value === undefined || check(value);
const listOf =
  (check: Check): Check =>
  (value) =>
    Array.isArray(value) && value.every(check);

function shape<Shape>(checks: Checks<Shape>): Check {
  const fields = Object.entries<Check>(checks);
  return (value) =>
    typeof value === 'object' &&
    value !== null &&
    !Array.isArray(value) &&
    fields.every(([name, check]) => check((value as Readonly<Record<string, unknown>>)[name]));
}

const isOidText: Check = (value) => typeof value === 'string' && isOid(value);

/** [start, end) pairs in order, without overlaps. */
const isRanges: Check = (value) => {
  let last = 0;
  return (
    Array.isArray(value) &&
    value.every((range: unknown) => {
      if (!Array.isArray(range) || range.length !== 2 || !range.every(isCount)) return false;
      const [start, end] = range as [number, number];
      const follows = start >= last && end >= start;
      last = end;
      return follows;
    })
  );
};

const isFacets = listOf(shape<{ value: string; count: number }>({ value: isText, count: isCount }));

const isSection = shape<NonNullable<SearchHit['section']>>({
  heading: isText,
  anchor: orNull(isText),
  url: isText,
});

const isHit = shape<SearchHit>({
  oid: isOidText,
  url: isText,
  title: isText,
  titleMatches: isRanges,
  snippet: isText,
  matches: isRanges,
  attributes: listOf(isText),
  lines: listOf(
    shape<SearchHit['lines'][number]>({ attribute: isText, line: isCount, text: isText, matches: isRanges }),
  ),
  score: isNumber,
  source: isText,
  sourceName: isText,
  type: isText,
  md5: orAbsent((value) => typeof value === 'string' && /^[0-9a-f]{32}$/.test(value)),
  language: orAbsent(isText),
  size: orNull(isNumber),
  updatedAt: isNumber,
  modifiedAt: orNull(isNumber),
  also: listOf(
    shape<SearchHit['also'][number]>({ oid: isOidText, url: isText, source: isText, sourceName: isText }),
  ),
  alsoTotal: isCount,
  access: listOf((value) => value === 'table'),
  shown: listOf(shape<SearchHit['shown'][number]>({ label: isText, value: isText })),
  section: orAbsent(isSection),
  sections: orAbsent(listOf(isSection)),
});

const isSource = shape<SourceSummary>({
  id: isText,
  name: isText,
  state: (value) => value === 'ok' || value === 'stale' || value === 'down',
  error: orAbsent(isText),
});

const isAnswer = shape<SearchAnswer>({
  query: isText,
  understood: isText,
  notes: listOf(isText),
  total: isCount,
  entries: isCount,
  tookMs: isNumber,
  relaxed: isFlag,
  hits: listOf(isHit),
  facets: shape<SearchAnswer['facets']>({
    source: listOf(
      shape<SearchAnswer['facets']['source'][number]>({ value: isText, name: isText, count: isCount }),
    ),
    type: isFacets,
    more: listOf(shape<SearchAnswer['facets']['more'][number]>({ name: isText, values: isFacets })),
  }),
  sources: listOf(isSource),
  suggestion: orNull(isText),
  corrected: orNull(isText),
  scanned: orAbsent(shape<NonNullable<SearchAnswer['scanned']>>({ read: isCount, of: isCount })),
  partial: orAbsent(
    listOf(shape<NonNullable<SearchAnswer['partial']>[number]>({ part: isText, read: isCount, of: isCount })),
  ),
  rebuilding: orNull(shape<NonNullable<SearchAnswer['rebuilding']>>({ indexed: isCount, objects: isCount })),
  collecting: orAbsent(
    shape<NonNullable<SearchAnswer['collecting']>>({ objects: isCount, sources: listOf(isText) }),
  ),
  cursor: orNull(isText),
});

/** Another Broker's answer to a search for `limit` hits, or undefined when it is not such an answer. */
export function remoteAnswer(value: unknown, limit: number): SearchAnswer | undefined {
  if (!isAnswer(value)) return undefined;
  const answer = value as SearchAnswer;
  return answer.hits.length <= limit ? answer : undefined;
}
