import { type JsonSchema, schemas } from '../../http/index.ts';
import { searchParameterTable } from './search-parameters.ts';
import { maxSearches } from './several-searches.ts';

const { choice, count, flag, list, number, object, orNull, text, time } = schemas;

const spans: JsonSchema = {
  ...list({ type: 'array', prefixItems: [count, count], items: false, minItems: 2 }),
  description: 'places in the text as [start, end), in UTF-16 units',
};

const matchedLine = object({ attribute: text, line: count, text, matches: spans });
const section = object({ heading: text, anchor: orNull(text), url: text });
const copy = object({ oid: text, url: text, source: text, sourceName: text });

const hitObject = {
  type: 'object',
  properties: {
    oid: text,
    url: text,
    title: text,
    titleMatches: spans,
    snippet: text,
    matches: spans,
    attributes: list(text),
    lines: list(matchedLine),
    score: number,
    source: text,
    sourceName: text,
    type: text,
    md5: { type: 'string', pattern: '^[0-9a-f]{32}$' },
    language: text,
    size: orNull(count),
    updatedAt: time,
    modifiedAt: orNull({ type: 'number', description: 'seconds since 1970' }),
    also: list(copy),
    alsoTotal: count,
    access: list(choice('table')),
    shown: list(object({ label: text, value: text })),
    section,
    sections: list(section),
  },
};

/** One hit: a line of `format=jsonl` too. */
export const searchHit: JsonSchema = {
  ...hitObject,
  description:
    'md5, language, section and sections only where they are known; with the parameter fields, only those fields',
};

const facetValues = list(object({ value: text, count }));
const facets = object({
  source: list(object({ value: text, name: text, count })),
  type: facetValues,
  more: list(object({ name: text, values: facetValues })),
});

const answer = {
  query: text,
  understood: text,
  notes: list(text),
  total: count,
  entries: count,
  tookMs: { type: 'number', minimum: 0 },
  relaxed: flag,
  hits: list(searchHit),
  facets,
  sources: list(object({ id: text, name: text, state: choice('ok', 'stale', 'down'), error: text }, 'error')),
  suggestion: orNull(text),
  corrected: orNull(text),
  scanned: object({ read: count, of: count }),
  partial: list(object({ part: text, read: count, of: count })),
  collecting: object({ objects: count, sources: list(text) }),
  rebuilding: orNull(object({ indexed: count, objects: count })),
  cursor: orNull(text),
};

const sometimes = ['scanned', 'partial', 'collecting'];

/** The answer to one search. */
export const searchAnswer: JsonSchema = object(answer, ...sometimes);

/** The answer to a search of several Brokers: further properties of a hit, and of the answer in the place of sources. */
export function searchAnswerWith(
  ofHit: Readonly<Record<string, JsonSchema>>,
  more: Readonly<Record<string, JsonSchema>>,
): JsonSchema {
  const { sources: _, ...own } = answer;
  const hits = list({ ...searchHit, properties: { ...hitObject.properties, ...ofHit } });
  return object({ ...own, hits, ...more }, ...sometimes);
}

/** The properties of a term's statistics. */
export const termStatistics = { field: text, term: text, objects: count, occurrences: count };

const parameterValue: JsonSchema = {
  type: ['string', 'number', 'array'],
  items: { type: ['string', 'number'] },
};

/** The body of several searches: each has the parameters of one, in an object. */
export const severalRequests: JsonSchema = {
  type: 'object',
  required: ['searches'],
  additionalProperties: false,
  properties: {
    searches: {
      type: 'array',
      minItems: 1,
      maxItems: maxSearches,
      items: {
        type: 'object',
        properties: Object.fromEntries(
          searchParameterTable.map(({ name, describe }) => [
            name,
            { ...parameterValue, description: describe },
          ]),
        ),
      },
    },
  },
};

const failedSearch = object({ status: count, error: object({ code: text, message: text, hint: text }) });

/** The answers of several searches, in their order. */
export const severalAnswers: JsonSchema = object({ answers: list({ anyOf: [searchAnswer, failedSearch] }) });
