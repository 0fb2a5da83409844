import { listedTags, strongMatch, weakMatch } from './fields/entity-tag.ts';

import { Fields, type RawFields } from './fields/fields.ts';
import { parseHttpDate } from './fields/http-date.ts';
import type { StoredHead } from './stored-head.ts';

/**
 * Whether a GET or HEAD is answered by 304 from this stored response (RFC 9111 4.3.2): If-None-Match by weak
 * comparison; without it, If-Modified-Since against Last-Modified, else Date, else the time of receipt. The caller has
 * checked that the stored response may be used. A response that is no success is sent as it is (RFC 9110 13.2.1).
 */
export function notModified(requestFields: Fields, head: StoredHead): boolean {
  if (head.status < 200 || head.status > 299) return false;
  const wanted = requestFields.get('if-none-match');
  const fields = new Fields(head.fields);
  if (wanted !== undefined) {
    if (wanted === '*') return true;
    const own = fields.get('etag');
    // A tag against the grammar is sent back as it came, so that identical texts match.
    return own !== undefined && (wanted === own || listedTags(wanted).some((tag) => weakMatch(tag, own)));
  }
  const receivedAt = head.receivedAtMs / 1000;
  const since = singleDate(requestFields, 'if-modified-since', receivedAt);
  if (since === undefined) return false;
  const changedAt =
    singleDate(fields, 'last-modified', receivedAt) ?? singleDate(fields, 'date', receivedAt) ?? receivedAt;
  return changedAt <= since;
}

/** Whether If-Match or If-Unmodified-Since asks for the origin's current state (RFC 9111 4.3.2). */
export function asksOrigin(requestFields: Fields): boolean {
  return requestFields.has('if-match') || requestFields.has('if-unmodified-since');
}

/**
 * Whether Range applies (RFC 9110 13.1.5): there is no If-Range, or it names this content by strong
 * comparison. A date does so when it equals Last-Modified to the letter and Last-Modified is strong.
 */
export function ifRangeHolds(requestFields: Fields, head: StoredHead): boolean {
  const condition = requestFields.get('if-range');
  if (condition === undefined) return true;
  const fields = new Fields(head.fields);
  if (condition.startsWith('"') || condition.startsWith('W/'))
    return strongMatch(condition, fields.get('etag'));
  return condition === fields.get('last-modified') && strongLastModified(head) !== undefined;
}

/** Last-Modified as a strong validator (RFC 9110 8.8.2.2): sent at least a second after that change; else undefined. */
export function strongLastModified(head: StoredHead): string | undefined {
  const fields = new Fields(head.fields);
  const nowSeconds = head.receivedAtMs / 1000;
  const changedAt = singleDate(fields, 'last-modified', nowSeconds);
  const sentAt = singleDate(fields, 'date', nowSeconds);
  if (changedAt === undefined || sentAt === undefined || sentAt - changedAt < 1) return undefined;
  return fields.get('last-modified');
}

// RFC 9110 15.4.5, and the fields that state the lifetime to downstream caches.
const ofNotModified: ReadonlySet<string> = new Set([
  'age',
  'cache-control',
  'cache-status',
  'cdn-cache-control',
  'content-location',
  'date',
  'etag',
  'expires',
  'surrogate-control',
  'vary',
  'via',
]);

/**
 * The fields of a full answer that a 304 has (RFC 9110 15.4.5). Last-Modified is among them when there is no
 * ETag: it is then the only validator by which a downstream cache can distinguish its responses.
 */
export function notModifiedFields(fields: RawFields): RawFields {
  const kept: string[] = [];
  const tagged = new Fields(fields).has('etag');
  for (let at = 0; at + 1 < fields.length; at += 2) {
    const name = fields[at] ?? '';
    const lower = name.toLowerCase();
    if (ofNotModified.has(lower) || (lower === 'last-modified' && !tagged))
      kept.push(name, fields[at + 1] ?? '');
  }
  return kept;
}

// Two dates in one field are ambiguous (RFC 9110 13.1.3 permits ignoring them).
function singleDate(fields: Fields, name: string, nowSeconds: number): number | undefined {
  const lines = fields.lines(name);
  return lines.length === 1 ? parseHttpDate(lines[0], nowSeconds) : undefined;
}
