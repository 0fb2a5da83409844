import { withoutConnectionFields } from './connection-fields.ts';
import { opaqueTag, strongMatch, usableTag, weakMatch } from './entity-tag.ts';
import { Fields } from './fields.ts';
import { parseHttpDate } from './http-date.ts';
import type { RawFields } from './raw-fields.ts';
import { storedFields } from './served.ts';
import type { StoredHead } from './stored-head.ts';

/** Stored responses one request may ask about. */
const mostTags = 16;

/** Fields by which a client asks on condition or for a part; they give way to the cache's own when it validates. */
export const clientConditions: ReadonlySet<string> = new Set([
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
]);

/**
 * What a request bears to validate stored responses, the one to be used first (RFC 9111 4.3.1): If-None-Match with the entity
 * tags of them all, at most 16, and If-Modified-Since with the first one's Last-Modified to the letter. Empty when they have
 * no validators.
 */
export function validationFields(heads: readonly StoredHead[]): RawFields {
  const tags = new Set<string>();
  for (const head of heads) {
    const tag = usableTag(new Fields(head.fields).get('etag'));
    if (tag !== undefined && tags.size < mostTags) tags.add(tag);
  }
  const [first] = heads;
  const changed = first === undefined ? undefined : new Fields(first.fields).lines('last-modified');
  const fields: string[] = [];
  if (tags.size > 0) fields.push('If-None-Match', [...tags].join(', '));
  const since = changed?.length === 1 ? changed[0] : undefined;
  if (
    since !== undefined &&
    first !== undefined &&
    parseHttpDate(since, first.receivedAtMs / 1000) !== undefined
  ) {
    fields.push('If-Modified-Since', since);
  }
  return fields;
}

/**
 * Which of the stored responses that were asked about a 304 freshens (RFC 9111 4.3.4): all with its strong tag; else the
 * latest with its weak tag or its Last-Modified; else, when one alone was asked about, that one. Empty when it means none of
 * them: the content must then be fetched without condition.
 */
export function freshenedBy<T extends { readonly head: StoredHead }>(
  entries: readonly T[],
  notModifiedFields: Fields,
): readonly T[] {
  const tag = notModifiedFields.get('etag');
  if (tag !== undefined) {
    const strong = entries.filter(({ head }) => strongMatch(new Fields(head.fields).get('etag'), tag));
    if (strong.length > 0) return strong;
    // Strong in one place and weak in the other is the trace of a compressor on the way: the same state of the resource.
    const weak = entries.filter(({ head }) => weakMatch(new Fields(head.fields).get('etag'), tag));
    if (weak.length > 0) return latest(weak);
    if (entries.some(({ head }) => new Fields(head.fields).has('etag'))) return [];
  }
  if (entries.length === 1) return entries;
  const changed = notModifiedFields.get('last-modified');
  if (changed === undefined) return [];
  return latest(entries.filter(({ head }) => new Fields(head.fields).get('last-modified') === changed));
}

function latest<T extends { readonly head: StoredHead }>(entries: readonly T[]): readonly T[] {
  let found: T | undefined;
  for (const entry of entries) {
    if (found === undefined || entry.head.receivedAtMs > found.head.receivedAtMs) found = entry;
  }
  return found === undefined ? [] : [found];
}

/** When the request that brought news was sent and its answer's head came in. */
export interface ExchangeTimes {
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
}

// What was stored depends on these: they describe the bytes that are kept (RFC 9111 3.2). Vary would no longer fit the
// fields the response was selected by.
const neverUpdated: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'transfer-encoding',
  'vary',
]);

/**
 * A stored head freshened by a 304 (RFC 9111 3.2, 4.3.4): the 304's fields in place of those of the same name, the others
 * kept, and counted from now on by the new times.
 */
export function headAfter304(stored: StoredHead, fields: RawFields, times: ExchangeTimes): StoredHead {
  const received = withoutConnectionFields(fields);
  const news = new Set<string>();
  for (let at = 0; at + 1 < received.length; at += 2) news.add((received[at] ?? '').toLowerCase());
  const updated: string[] = [];
  for (let at = 0; at + 1 < stored.fields.length; at += 2) {
    const name = stored.fields[at] ?? '';
    const lower = name.toLowerCase();
    // Age and Date told of the message that was; what comes without them is new and dated by its arrival.
    const outdated = lower === 'age' || lower === 'date' || (news.has(lower) && !neverUpdated.has(lower));
    if (!outdated) updated.push(name, stored.fields[at + 1] ?? '');
  }
  for (let at = 0; at + 1 < received.length; at += 2) {
    const name = received[at] ?? '';
    if (!neverUpdated.has(name.toLowerCase())) updated.push(name, received[at + 1] ?? '');
  }
  return {
    ...stored,
    fields: storedFields(updated, times.receivedAtMs),
    requestedAtMs: times.requestedAtMs,
    receivedAtMs: times.receivedAtMs,
  };
}

/**
 * What a HEAD's answer makes of a stored response to GET (RFC 9111 4.3.5): a freshened head when it is a 200 whose
 * validators and Content-Length (that of the whole content) agree with what is stored, 'stale' when they do not, undefined
 * when it says nothing of it.
 */
export function headAfterHead(
  stored: StoredHead,
  answer: { readonly status: number; readonly fields: RawFields },
  contentLength: number,
  times: ExchangeTimes,
): StoredHead | 'stale' | undefined {
  if (answer.status === 304 || answer.status < 200 || answer.status > 499) return undefined;
  // Gone, moved or refused by now: what is stored is not what a GET would bring.
  if (answer.status !== (stored.status === 206 ? 200 : stored.status)) return 'stale';
  const ours = new Fields(stored.fields);
  const theirs = new Fields(answer.fields);
  const tag = theirs.get('etag');
  if (tag !== undefined && opaqueTag(tag) !== opaqueTag(ours.get('etag') ?? '')) return 'stale';
  const changed = theirs.get('last-modified');
  if (changed !== undefined && changed !== ours.get('last-modified')) return 'stale';
  const length = theirs.get('content-length');
  if (length !== undefined && length !== String(contentLength)) return 'stale';
  return headAfter304(stored, answer.fields, times);
}
