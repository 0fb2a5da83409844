import { withoutConnectionFields } from './fields/connection-fields.ts';
import { strongMatch, usableTag, weakMatch } from './fields/entity-tag.ts';
import { Fields, type RawFields, withoutFields } from './fields/fields.ts';
import { parseHttpDate } from './fields/http-date.ts';
import { storedFields } from './served-fields.ts';
import type { StoredHead } from './stored-head.ts';
import { matches } from './vary.ts';

/** The max number of stored responses that one request validates. */
const maxTags = 16;

/** Fields for a conditional or partial request of a client; the cache's own replace them when it validates. */
export const clientConditions: ReadonlySet<string> = new Set([
  'if-modified-since',
  'if-none-match',
  'if-range',
  'range',
]);

/**
 * The fields that validate the responses stored under a URL (RFC 9111 4.3.1): If-None-Match with their entity
 * tags, max 16, and If-Modified-Since with the Last-Modified, to the letter, of the first response that the
 * request selects. Empty when they have no validators.
 */
export function validationFields(heads: readonly StoredHead[], requestFields: Fields): RawFields {
  const tags = new Set<string>();
  for (const head of heads) {
    const tag = usableTag(new Fields(head.fields).get('etag'));
    if (tag !== undefined && tags.size < maxTags) tags.add(tag);
  }
  const selected = heads.find((head) => matches(head, requestFields));
  const since = selected === undefined ? undefined : lastModified(selected);
  const fields = tags.size > 0 ? ['If-None-Match', [...tags].join(', ')] : [];
  return since === undefined ? fields : [...fields, 'If-Modified-Since', since];
}

/** Last-Modified to the letter; undefined when it is absent or invalid. */
function lastModified(head: StoredHead): string | undefined {
  const [line, ...others] = new Fields(head.fields).lines('last-modified');
  if (others.length > 0 || parseHttpDate(line, head.receivedAtMs / 1000) === undefined) return undefined;
  return line;
}

/**
 * The stored responses that a 304 freshens (RFC 9111 4.3.4): all with its strong tag; else the latest with
 * its weak tag or its Last-Modified; else, when only one was validated, that one. Empty when it matches none:
 * the content must then be fetched without a condition.
 */
export function freshenedBy(heads: readonly StoredHead[], notModifiedFields: Fields): readonly StoredHead[] {
  const tag = notModifiedFields.get('etag');
  if (tag !== undefined) {
    const strong = heads.filter((head) => strongMatch(tagOf(head), tag));
    if (strong.length > 0) return strong;
    // Strong on one side and weak on the other results from a compressor on the way: the same state.
    const weak = heads.filter((head) => weakMatch(tagOf(head), tag));
    if (weak.length > 0) return latest(weak);
    if (heads.some((head) => tagOf(head) !== undefined)) return [];
  }
  const changed = notModifiedFields.get('last-modified');
  const unchanged = heads.filter((head) => changed !== undefined && lastModified(head) === changed);
  if (unchanged.length > 0) return latest(unchanged);
  // Many origins send a 304 without validators or with the time: it refers to the only one validated.
  const validated = heads.filter((head) => tagOf(head) !== undefined || lastModified(head) !== undefined);
  if (validated.length === 1) return validated;
  return heads.length === 1 ? heads : [];
}

function tagOf(head: StoredHead): string | undefined {
  return new Fields(head.fields).get('etag');
}

function latest(heads: readonly StoredHead[]): readonly StoredHead[] {
  let found: StoredHead | undefined;
  for (const head of heads) {
    if (found === undefined || head.receivedAtMs > found.receivedAtMs) found = head;
  }
  return found === undefined ? [] : [found];
}

/** When the request was sent and when the head of its answer was received. */
export interface ExchangeTimes {
  readonly requestedAtMs: number;
  readonly receivedAtMs: number;
}

// These describe the stored bytes (RFC 9111 3.2). Vary would no longer fit the fields by which the response
// was selected. A cookie is for the client whose request was answered with it.
const neverUpdated: ReadonlySet<string> = new Set([
  'content-encoding',
  'content-length',
  'content-range',
  'set-cookie',
  'transfer-encoding',
  'vary',
]);

const entityTag: ReadonlySet<string> = new Set(['etag']);

function isWeakenedHere(stored: StoredHead, received: Fields): boolean {
  const tag = received.get('etag');
  return tag !== undefined && tagOf(stored) === `W/${tag}`;
}

/** A stored head freshened by a 304 (RFC 9111 3.2, 4.3.4), whose fields and times replace the old. */
export function headAfter304(
  stored: StoredHead,
  notModifiedFields: Fields,
  { requestedAtMs, receivedAtMs }: ExchangeTimes,
): StoredHead {
  const usable = withoutFields(withoutConnectionFields(notModifiedFields.raw), neverUpdated);
  // A compressor does not touch a 304: the response that it weakened would get the tag of other bytes.
  const received = isWeakenedHere(stored, notModifiedFields) ? withoutFields(usable, entityTag) : usable;
  // The old Age and Date described the old message: a 304 without them is new, and dated by its receipt.
  const replaced = new Set(['age', 'date']);
  for (let at = 0; at + 1 < received.length; at += 2) replaced.add((received[at] ?? '').toLowerCase());
  const updated = [...withoutFields(stored.fields, replaced), ...received];
  return { ...stored, fields: storedFields(updated, receivedAtMs), requestedAtMs, receivedAtMs };
}

/**
 * A stored response to GET freshened by a HEAD's answer (RFC 9111 4.3.5). Undefined unless that is a 200 with
 * the same validators and the Content-Length of the whole content, at least one of them present: the stored
 * response must then be validated before its next use.
 */
export function headAfterHead(
  stored: StoredHead,
  answer: StoredHead,
  contentLength: number,
): StoredHead | undefined {
  if (answer.status !== 200 || (stored.status !== 200 && stored.status !== 206)) return undefined;
  const ours = new Fields(stored.fields);
  const theirs = new Fields(answer.fields);
  const tag = theirs.get('etag');
  if (tag !== undefined && tag !== ours.get('etag')) return undefined;
  const changed = theirs.get('last-modified');
  if (changed !== undefined && changed !== ours.get('last-modified')) return undefined;
  const length = theirs.get('content-length');
  if (length !== undefined && length !== String(contentLength)) return undefined;
  // Nothing shows that it is the same: a monitor's HEADs would keep an old content alive for ever.
  if (tag === undefined && changed === undefined && length === undefined) return undefined;
  return headAfter304(stored, theirs, answer);
}
