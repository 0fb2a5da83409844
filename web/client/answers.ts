import { graphemeStart } from './cut-text.ts';
import { type HitSections, readSections } from './hit-sections.ts';
import { blanked, shown } from './remote-text.ts';

/** Where something matched: [start, end) in UTF-16 units, ascending and apart from each other. */
export type Span = readonly [start: number, end: number];

/** One result of a search. Times are seconds since 1970, sizes bytes. Texts have no control characters. */
export interface SearchHit extends HitSections {
  /** Object identifier, 43 characters; `BrokerClient.object` takes it. */
  readonly oid: string;
  /** URL of the document, as its Gatherer gave it: check the scheme before you link to it. */
  readonly url: string;
  /** At most 300 UTF-16 units. */
  readonly title: string;
  /** A passage of the text, at most 1,000 UTF-16 units. */
  readonly snippet: string;
  /** Where the query matches in `snippet`. */
  readonly matches: readonly Span[];
  /** Where the query matches in `title`. */
  readonly titleMatches: readonly Span[];
  /** Names of the attributes that matched. */
  readonly attributes: readonly string[];
  /** Lines that matched, where the search asks for them (`lines`, `#lines`). */
  readonly lines: readonly MatchedLine[];
  /** Higher is better; comparable within one answer. */
  readonly score: number;
  /** Id and name of the source that the Broker has it from. */
  readonly source: string;
  readonly sourceName: string;
  /** Type of the document, such as `HTML`. */
  readonly type: string;
  /** Language that the document names (BCP 47); empty when it names none. */
  readonly language: string;
  /** Bytes of the document; null when unknown. */
  readonly size: number | null;
  /** When its Gatherer summarised it. */
  readonly updatedAt: number;
  /** Date of the document itself; null when unknown. */
  readonly modifiedAt: number | null;
  /** Where else the same bytes lie: at most ten of `alsoTotal`. */
  readonly also: readonly Copy[];
  readonly alsoTotal: number;
  /** Ways to use the document in the Broker: `table`. */
  readonly access: readonly string[];
  /** Attributes that the operator wants to be seen. */
  readonly shown: readonly { readonly label: string; readonly value: string }[];
}

/** A line of an attribute value that holds a match. */
export interface MatchedLine {
  /** Name of the attribute. */
  readonly attribute: string;
  /** 1, 2, 3 ... in the value. */
  readonly line: number;
  /** At most 600 UTF-16 units. */
  readonly text: string;
  /** Where the query matches in `text`. */
  readonly matches: readonly Span[];
}

/** Another place of a hit's document. */
export interface Copy {
  readonly oid: string;
  readonly url: string;
  readonly source: string;
  readonly sourceName: string;
}

/** A facet besides site and type. */
export interface NamedFacet {
  /** `year`, `month`, or an attribute. */
  readonly name: string;
  readonly values: readonly FacetValue[];
}

/** One value of a facet with the number of matches that carry it. */
export interface FacetValue {
  /** What a search selects it by. */
  readonly value: string;
  /** For people. */
  readonly name: string;
  readonly count: number;
}

/** The state of a source; `waiting` is one that opens the session itself and has none now. */
export type SourceHealth = (typeof healths)[number];

const healths = ['ok', 'full', 'no room', 'stale', 'connecting', 'waiting', 'down', 'paused'] as const;

/** A source as a search answer names it. */
export interface AskedSource {
  readonly id: string;
  readonly name: string;
  readonly state: SourceHealth;
  /** Why it is not reached, as one sentence; null when it is. */
  readonly error: string | null;
}

/** What `GET /search` answers. */
export interface SearchAnswer {
  /** The query as it was sent. */
  readonly query: string;
  /** The query as the Broker understood it, printed in full. */
  readonly understood: string;
  /** One sentence for each part that was not taken as written. */
  readonly notes: readonly string[];
  /** Number of objects that match. */
  readonly total: number;
  /** How long the list of hits is: shorter than `total` where it is folded or grouped. */
  readonly entries: number;
  readonly tookMs: number;
  /** No object had all words; these have some of them. */
  readonly relaxed: boolean;
  /** Parts of the query that were looked up in only `read` of the `of` objects that may have them. */
  readonly partial: readonly { readonly part: string; readonly read: number; readonly of: number }[];
  /** While the index is rebuilt: how many of the objects are searchable. */
  readonly rebuilding: { readonly indexed: number; readonly objects: number } | null;
  /** While sources are collected for the first time: how many objects are searchable, and whose are awaited. */
  readonly collecting: { readonly objects: number; readonly sources: readonly string[] } | null;
  readonly hits: readonly SearchHit[];
  /** Counts over all matches; each ignores its own filter. */
  readonly facets: {
    readonly source: readonly FacetValue[];
    readonly type: readonly FacetValue[];
    readonly more: readonly NamedFacet[];
  };
  readonly sources: readonly AskedSource[];
  /** The query with unknown or rare words replaced by frequent ones. */
  readonly suggestion: string | null;
  /** Nothing matched what was asked; the hits are those of this query. */
  readonly corrected: string | null;
  /** Where the next hits of a frozen list begin; null at its end, and when none was asked for. */
  readonly cursor: string | null;
}

/** A source as `GET /status` describes it. */
export interface KnownSource extends AskedSource {
  /** Its address, or `push:ID` for a source that pushes. */
  readonly url: string;
  readonly objects: number;
  /** Whether it is a Broker, which passes on what others publish; `counted` are the objects that no other source has. */
  readonly isBroker: boolean;
  readonly counted: number;
  /** Seconds since 1970; null before the first exchange. */
  readonly lastLearnedAt: number | null;
}

/** What `GET /status` answers of a Broker: the part that does not depend on its version. */
export interface BrokerStatus {
  readonly name: string;
  readonly objects: number;
  /** Bytes of all summaries. */
  readonly summaryBytes: number;
  /** Sequence number of the last change of its store. */
  readonly lsn: number;
  /** The index: `lsn` is the change up to which it has followed the store. */
  readonly engine: { readonly name: string; readonly objects: number; readonly lsn: number };
  /** At most 1,000. */
  readonly sources: readonly KnownSource[];
  /** Queries from the Broker's own vocabulary. */
  readonly examples: readonly string[];
  /** Views that can be searched within, at most 20; `objects` is null while they are counted. */
  readonly views: readonly { readonly name: string; readonly objects: number | null }[];
}

/** Whether the URL of an object works: yes, missing once, missing for good, or its server cannot be reached. */
export type LinkState = 'alive' | 'suspect' | 'gone' | 'unknown';

/** A Broker's own error. Absent parts are empty. */
export interface Refusal {
  readonly code: string;
  readonly message: string;
  readonly hint: string;
}

type Fields = Readonly<Record<string, unknown>>;

export const isFields = (value: unknown): value is Fields =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

export const text = (value: unknown, limit?: number) =>
  typeof value === 'string' ? shown(value, limit) : '';

/** The longest URL of a summary object; queries are shorter. */
const maxExactLength = 8192;

/** Kept exactly: identifiers and queries that are sent back. Over-long ones are no identifiers. */
export const exact = (value: unknown) =>
  typeof value === 'string' && value.length <= maxExactLength ? value : '';

export const amount = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : 0;

export const amountOrNull = (value: unknown) =>
  typeof value === 'number' && Number.isFinite(value) && value >= 0 ? value : null;

/** What `read` makes of the first entries of a list; those that it cannot read are left out. */
export function list<Value>(
  value: unknown,
  limit: number,
  read: (entry: unknown) => Value | undefined,
): Value[] {
  if (!Array.isArray(value)) return [];
  return value
    .slice(0, limit)
    .map(read)
    .filter((entry) => entry !== undefined);
}

/** Not trimmed: spans count from the text's first unit. */
const spannedText = (value: unknown, limit: number) =>
  typeof value === 'string' ? blanked(value.slice(0, graphemeStart(value, limit))) : '';

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

/** Read one hit; undefined when it is none. */
export function readHit(value: unknown): SearchHit | undefined {
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
    lines: list(value.lines, 100, matchedLine),
    score: Number.isFinite(value.score) ? Number(value.score) : 0,
    source: exact(value.source),
    sourceName: text(value.sourceName, 80),
    type: text(value.type, 40),
    language: /^[a-z]{2,8}(?:-[a-z0-9]{1,8}){0,4}$/i.test(exact(value.language)) ? exact(value.language) : '',
    size: amountOrNull(value.size),
    updatedAt: amount(value.updatedAt),
    modifiedAt: amountOrNull(value.modifiedAt),
    also: list(value.also, 10, copy),
    alsoTotal: amount(value.alsoTotal),
    access: list(value.access, 4, (way) => text(way, 40) || undefined),
    shown: list(value.shown, 8, shownAttribute),
    ...readSections(value),
  };
}

function matchedLine(value: unknown): MatchedLine | undefined {
  if (!isFields(value)) return undefined;
  const line = spannedText(value.text, 600);
  return {
    attribute: text(value.attribute, 80),
    line: amount(value.line),
    text: line,
    matches: spans(value.matches, line.length),
  };
}

function shownAttribute(value: unknown): { label: string; value: string } | undefined {
  if (!isFields(value) || text(value.value, 300) === '') return undefined;
  return { label: text(value.label, 60), value: text(value.value, 300) };
}

function copy(value: unknown): Copy | undefined {
  if (!isFields(value) || exact(value.url) === '') return undefined;
  const { oid, url, source } = value;
  return {
    ...{ oid: exact(oid), url: exact(url), source: exact(source) },
    sourceName: text(value.sourceName, 80),
  };
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

/** Max sources of an answer. */
const maxSources = 1000;

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
    isBroker: value.role === 'broker',
    counted: amountOrNull(value.counted) ?? amount(value.objects),
    lastLearnedAt: amountOrNull(value.lastLearnedAt),
  };
}

/** Read what `GET /search` answered; undefined when it is no such answer. Odd parts are left out. */
export function readSearchAnswer(json: unknown): SearchAnswer | undefined {
  if (!isFields(json) || !Array.isArray(json.hits)) return undefined;
  const facets = isFields(json.facets) ? json.facets : {};
  return {
    query: exact(json.query),
    understood: text(json.understood, maxExactLength),
    notes: list(json.notes, 5, (note) => text(note, 200) || undefined),
    total: amount(json.total),
    entries: amountOrNull(json.entries) ?? amount(json.total),
    tookMs: amount(json.tookMs),
    relaxed: json.relaxed === true,
    partial: list(json.partial, 20, (entry) =>
      isFields(entry)
        ? { part: text(entry.part), read: amount(entry.read), of: amount(entry.of) }
        : undefined,
    ),
    rebuilding: isFields(json.rebuilding)
      ? { indexed: amount(json.rebuilding.indexed), objects: amount(json.rebuilding.objects) }
      : null,
    collecting: isFields(json.collecting)
      ? {
          objects: amount(json.collecting.objects),
          sources: list(json.collecting.sources, 20, (name) => text(name, 80) || undefined),
        }
      : null,
    hits: list(json.hits, 100, readHit),
    facets: {
      source: list(facets.source, 200, facet),
      type: list(facets.type, 200, facet),
      more: list(facets.more, 8, namedFacet),
    },
    sources: list(json.sources, maxSources, source),
    suggestion: exact(json.suggestion) || null,
    corrected: exact(json.corrected) || null,
    cursor: exact(json.cursor) || null,
  };
}

/** Read what `GET /status` answered; undefined when it is no such answer. */
export function readBrokerStatus(json: unknown): BrokerStatus | undefined {
  if (!isFields(json) || !Array.isArray(json.sources)) return undefined;
  const engine = isFields(json.engine) ? json.engine : {};
  return {
    name: text(json.name, 80),
    objects: amount(json.objects),
    summaryBytes: amount(json.summaryBytes),
    lsn: amount(json.lsn),
    engine: { name: text(engine.name, 40), objects: amount(engine.objects), lsn: amount(engine.lsn) },
    sources: list(json.sources, maxSources, source),
    examples: list(json.examples, 3, (example) => text(example, 80) || undefined),
    views: list(json.views, 20, namedView),
  };
}

function namedView(value: unknown): BrokerStatus['views'][number] | undefined {
  if (!isFields(value) || text(value.name, 64) === '') return undefined;
  return { name: text(value.name, 64), objects: amountOrNull(value.objects) };
}

const linkStates: readonly LinkState[] = ['alive', 'suspect', 'gone', 'unknown'];

/** Read what `POST /objects/OID/check` answered; undefined when it is no such answer. */
export function readLinkState(json: unknown): LinkState | undefined {
  return isFields(json) ? linkStates.find((state) => state === json.state) : undefined;
}

/** Read an error of the API: `{code, message, hint}`, bare or under `error`. */
export function readRefusal(json: unknown): Refusal {
  const outer = isFields(json) ? json : {};
  const { code, message, hint } = isFields(outer.error) ? outer.error : outer;
  return {
    code: typeof code === 'string' && /^[A-Z][A-Z0-9_]{0,63}$/.test(code) ? code : '',
    message: text(message, 200),
    hint: text(hint, 200),
  };
}

/** Read what `GET /complete` answered: words, best first; undefined when it is no such answer. */
export function readWords(json: unknown): string[] | undefined {
  if (!isFields(json) || !Array.isArray(json.words)) return undefined;
  return list(json.words, 20, (word) => text(word, 80) || undefined);
}
