import { withoutConnectionFields } from './fields/connection-fields.ts';
import { printContentRange } from './fields/content-range.ts';
import { type Directives, parseDirectives } from './fields/directives.ts';
import { Fields, type RawFields, withField, withoutFields } from './fields/fields.ts';
import type { ByteRange } from './ranges.ts';
import type { StoredHead } from './stored-head.ts';

/**
 * The fields of a response that are stored (RFC 9111 3.1): all but connection fields and those that a
 * `private` names (5.2.2.7). A Date is added when there is none (RFC 9110 6.6.1).
 */
export function storedFields(responseFields: RawFields, receivedAtMs: number): RawFields {
  const kept = withoutConnectionFields(responseFields);
  const named = directivesOf(new Fields(kept))?.fieldNames('private');
  const stored = named === undefined ? kept : withoutFields(kept, new Set(named));
  return new Fields(stored).has('date') ? stored : [...stored, 'Date', new Date(receivedAtMs).toUTCString()];
}

/** How a stored response is sent. */
export interface Serving {
  /** Undefined for a response that has just been received: its Age stays as it came, and all fields are sent. */
  readonly ageSeconds: number | undefined;
  /** It has just been validated: fields that a `no-cache` names are sent as well, except cookies. */
  readonly validated?: boolean;
  /** A part of a content of `total` bytes is sent: Content-Range replaces the Content-Length of the whole. */
  readonly part?: ByteRange & { readonly total: number };
  /** Remove the fields for the operator's own caches (Surrogate-Key, Surrogate-Control, Cache-Tag, xkey). */
  readonly withoutSurrogate?: boolean;
}

const surrogate: ReadonlySet<string> = new Set(['cache-tag', 'surrogate-control', 'surrogate-key', 'xkey']);
const ofTheWhole: ReadonlySet<string> = new Set(['content-length', 'content-range']);
const age: ReadonlySet<string> = new Set(['age']);
const cookies: ReadonlySet<string> = new Set(['set-cookie']);

/** The fields of an answer from a stored response: with its Age (RFC 9111 5.1), without unusable ones. */
export function servedFields(head: StoredHead, serving: Serving): RawFields {
  const { ageSeconds, part, validated } = serving;
  let fields = head.fields;
  if (ageSeconds !== undefined) fields = validated === true ? validatedFields(head) : reusableFields(head);
  if (serving.withoutSurrogate === true) fields = withoutFields(fields, surrogate);
  if (part !== undefined) {
    const range = printContentRange(part, part.total);
    fields = withField(withoutFields(fields, ofTheWhole), 'Content-Range', range);
  }
  if (ageSeconds === undefined) return fields;
  return [...fields, 'Age', String(Math.max(0, Math.floor(ageSeconds)))];
}

/**
 * The fields of a stored response for a client whose own request got another answer that names the same
 * content: without Age, cookies and what a `no-cache` names (RFC 9111 5.2.2.4).
 */
export function fieldsForAnother(head: StoredHead): RawFields {
  return withoutFields(reusableFields(head), cookies);
}

/** Fields that a `no-cache` names may be sent after validation, but a named cookie was for one client only. */
function validatedFields(head: StoredHead): RawFields {
  const fields = withoutFields(head.fields, age);
  const isNamed = directivesOf(new Fields(fields))?.fieldNames('no-cache')?.includes('set-cookie') === true;
  return isNamed ? withoutFields(fields, cookies) : fields;
}

// Computed once for each head: a hit costs no parsing.
const reusable = new WeakMap<StoredHead, RawFields>();

/** Without Age and without the fields that a `no-cache` names. */
function reusableFields(head: StoredHead): RawFields {
  const known = reusable.get(head);
  if (known !== undefined) return known;
  const fields = withoutFields(head.fields, age);
  const named = directivesOf(new Fields(fields))?.fieldNames('no-cache');
  const kept = named === undefined ? fields : withoutFields(fields, new Set(named));
  reusable.set(head, kept);
  return kept;
}

function directivesOf(fields: Fields): Directives | undefined {
  const lines = fields.lines('cache-control');
  return lines.some((line) => line.includes('"') || line.includes('=')) ? parseDirectives(lines) : undefined;
}
