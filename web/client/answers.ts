import { blanked, shown } from './remote-text.ts';

/** Where something matched: [start, end) in UTF-16 units, ascending and apart from each other. */
export type Span = readonly [start: number, end: number];

/** One result of a search. Times are seconds since 1970, sizes bytes. */
export interface SearchHit {
  readonly oid: string;
  readonly url: string;
  readonly title: string;
  readonly snippet: string;
  readonly matches: readonly Span[];
  readonly titleMatches: readonly Span[];
  /** Names of the attributes that matched. */
  readonly attributes: readonly string[];
  readonly source: string;
  readonly sourceName: string;
  readonly type: string;
  readonly size: number | null;
  readonly updatedAt: number;
  /** Where else the same bytes lie: at most ten of `alsoTotal`. */
  readonly also: readonly Copy[];
  readonly alsoTotal: number;
  /** Whether the Broker shows the document as a table. */
  readonly isTable: boolean;
  /** Attributes that the operator wants to be seen. */
  readonly shown: readonly { readonly label: string; readonly value: string }[];
}

/** Another place of a hit's document. */
export interface Copy {
  readonly url: string;
  readonly sourceName: string;
}

/** A facet besides site and type. */
export interface NamedFacet {
  readonly name: string;
  readonly values: readonly FacetValue[];
}

/** One value of a facet with the number of matches that carry it. */
export interface FacetValue {
  readonly value: string;
  readonly name: string;
  readonly count: number;
}

/** The state of a source; `waiting` is one that opens the session itself and has none now. */
export type SourceHealth = 'ok' | 'stale' | 'connecting' | 'waiting' | 'down' | 'paused';

/** A source as a search answer names it. */
export interface AskedSource {
  readonly id: string;
  readonly name: string;
  readonly state: SourceHealth;
  readonly error: string | null;
}

/** What `GET /search` answers. */
export interface SearchAnswer {
  readonly query: string;
  readonly understood: string;
  readonly notes: readonly string[];
  readonly total: number;
  /** How long the list of hits is. */
  readonly entries: number;
  readonly tookMs: number;
  /** No object had all words; these have some of them. */
  readonly relaxed: boolean;
  readonly hits: readonly SearchHit[];
  readonly facets: {
    readonly source: readonly FacetValue[];
    readonly type: readonly FacetValue[];
    readonly more: readonly NamedFacet[];
  };
  readonly sources: readonly AskedSource[];
  readonly suggestion: string | null;
  /** Nothing matched what was asked; the hits are those of this query. */
  readonly corrected: string | null;
}

/** A source as `GET /status` describes it. */
export interface KnownSource extends AskedSource {
  readonly url: string;
  readonly objects: number;
  /** Seconds since 1970; null before the first exchange. */
  readonly lastLearnedAt: number | null;
}

/** What the page needs of `GET /status`. */
export interface BrokerStatus {
  readonly name: string;
  readonly objects: number;
  readonly sources: readonly KnownSource[];
  /** Queries from the Broker's own vocabulary. */
  readonly examples: readonly string[];
  /** Names of views that can be searched within. */
  readonly views: readonly string[];
}

type Fields = Readonly<Record<string, unknown>>;

const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

const text = (value: unknown, limit?: number) => (typeof value === 'string' ? shown(value, limit) : '');

/** Kept exactly: identifiers and queries that are sent back. Over-long ones are no identifiers. */
const exact = (value: unknown) => (typeof value === 'string' && value.length <= 2000 ? value : '');

const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

const amountOrNull = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

function list<Value>(value: unknown, limit: number, read: (entry: unknown) => Value | undefined): Value[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, limit)
    .map(read)
    .filter((entry) => entry !== undefined);
}

/** Not trimmed: spans count from the text's first unit. */
const spannedText = (value: unknown, limit: number) =>
  typeof value === 'string' ? blanked(value.slice(0, limit)) : '';

function spans(value: unknown, length: number): Span[] {
  let reached = 0;
  return list(value, 100, (entry): Span | undefined => {
    if (!Array.isArray(entry)) return undefined;
    const [start, end] = entry;
    if (!Number.isInteger(start) || !Number.isInteger(end)) return undefined;
    if (start < reached || end <= start || end > length) return undefined;
    reached = end;
    return [start, end];
  });
}

function hit(value: unknown): SearchHit | undefined {
  if (!isFields(value) || exact(value.oid) === '') return undefined;
  const title = spannedText(value.title, 300);
  const snippet = spannedText(value.snippet, 1000);
  return {
    oid: exact(value.oid),
    url: exact(value.url),
    title,
    snippet,
    matches: spans(value.matches, snippet.length),
    titleMatches: spans(value.titleMatches, title.length),
    attributes: list(value.attributes, 20, (name) => text(name, 40) || undefined),
    source: exact(value.source),
    sourceName: text(value.sourceName, 80),
    type: text(value.type, 40),
    size: amountOrNull(value.size),
    updatedAt: amount(value.updatedAt),
    also: list(value.also, 10, copy),
    alsoTotal: amount(value.alsoTotal),
    isTable: Array.isArray(value.access) && value.access.includes('table'),
    shown: list(value.shown, 8, shownAttribute),
  };
}

function shownAttribute(value: unknown): { label: string; value: string } | undefined {
  if (!isFields(value) || text(value.value, 300) === '') return undefined;
  return { label: text(value.label, 60), value: text(value.value, 300) };
}

function copy(value: unknown): Copy | undefined {
  if (!isFields(value) || exact(value.url) === '') return undefined;
  return { url: exact(value.url), sourceName: text(value.sourceName, 80) };
}

function namedFacet(value: unknown): NamedFacet | undefined {
  const name = isFields(value) ? text(value.name, 40) : '';
  return name === '' || !isFields(value) ? undefined : { name, values: list(value.values, 100, facet) };
}

function facet(value: unknown): FacetValue | undefined {
  if (!isFields(value) || exact(value.value) === '') return undefined;
  const name = text(value.name, 80) || text(value.value, 80);
  return { value: exact(value.value), name, count: amount(value.count) };
}

const healths: readonly SourceHealth[] = ['ok', 'stale', 'connecting', 'waiting', 'down', 'paused'];

function source(value: unknown): KnownSource | undefined {
  if (!isFields(value)) return undefined;
  const id = exact(value.id);
  return {
    id,
    name: text(value.name, 80) || shown(id, 80),
    state: healths.find((health) => health === value.state) ?? 'down',
    error: text(value.error, 200) || null,
    url: exact(value.url),
    objects: amount(value.objects),
    lastLearnedAt: amountOrNull(value.lastLearnedAt),
  };
}

/** Read what `GET /search` answered; undefined when it is no such answer. Odd parts are left out. */
export function readSearchAnswer(json: unknown): SearchAnswer | undefined {
  if (!isFields(json) || !Array.isArray(json.hits)) return undefined;
  const facets = isFields(json.facets) ? json.facets : {};
  return {
    query: exact(json.query),
    understood: text(json.understood),
    notes: list(json.notes, 5, (note) => text(note, 200) || undefined),
    total: amount(json.total),
    entries: amountOrNull(json.entries) ?? amount(json.total),
    tookMs: amount(json.tookMs),
    relaxed: json.relaxed === true,
    hits: list(json.hits, 100, hit),
    facets: {
      source: list(facets.source, 200, facet),
      type: list(facets.type, 200, facet),
      more: list(facets.more, 8, namedFacet),
    },
    sources: list(json.sources, 200, source),
    suggestion: exact(json.suggestion) || null,
    corrected: exact(json.corrected) || null,
  };
}

/** Read what `GET /status` answered; undefined when it is no such answer. */
export function readBrokerStatus(json: unknown): BrokerStatus | undefined {
  if (!isFields(json) || !Array.isArray(json.sources)) return undefined;
  return {
    name: text(json.name, 80),
    objects: amount(json.objects),
    sources: list(json.sources, 200, source),
    examples: list(json.examples, 3, (example) => text(example, 80) || undefined),
    views: list(json.views, 20, (view) => (isFields(view) && text(view.name, 64)) || undefined),
  };
}

/** The result of a link check, as text for the reader. */
export function readLinkCheck(json: unknown): string | undefined {
  if (!isFields(json)) return undefined;
  switch (json.state) {
    case 'alive':
      return 'the link works';
    case 'suspect':
      return 'missing now; it will be checked again in ten minutes';
    case 'gone':
      return 'broken: removed from the results';
    case 'unknown':
      return 'the server cannot be reached now';
    default:
      return undefined;
  }
}

/** Read what `GET /complete` answered: words, best first. */
export function readWords(json: unknown): string[] {
  return isFields(json) ? list(json.words, 20, (word) => text(word, 80) || undefined) : [];
}
