import { createHash } from 'node:crypto';
import { failure } from '../../kernel/index.ts';
import type { Field } from '../../readers/document/index.ts';
import { baseName } from '../../soif/index.ts';
import { isReserved, secondsFault } from '../summarise/index.ts';
import { annotationErrors } from './errors.ts';

/** A person's text about a document, stored apart from the gathered values (Harvest manual 1.4, section 4.7.7). */
export interface Annotation {
  /** The document's published URL. */
  readonly url: string;
  /** Attributes, each name once; an empty value only hides the gathered attribute. */
  readonly fields: readonly Field[];
  /** Its author; empty when unknown. */
  readonly author: string;
  /** Time of writing, in seconds since 1970. */
  readonly at: number;
}

/** Limits of one annotation; sizes in bytes of UTF-8. */
export const annotationLimits = {
  urlBytes: 8192,
  fields: 200,
  nameLength: 128,
  valueBytes: 64 * 1024,
  totalBytes: 256 * 1024,
  authorLength: 200,
} as const;

/** The last second of the year 9999, in seconds since 1970: later dates have no four-digit year. */
const latest = 253_402_300_799;

/** A time as it is stored: a whole second that can be printed as a date. */
export function keptTime(seconds: number): number {
  return Math.min(latest, Math.max(0, Math.floor(seconds) || 0));
}

/** The attributes of author and time in SOIF; they are no attributes of the document. */
export const annotatedBy = 'Annotated-By';
export const annotatedAt = 'Annotated-At';

const provenance = new Set([annotatedBy, annotatedAt].map((name) => name.toLowerCase()));

/** Whether an attribute is the Gatherer's own and cannot be annotated: sizes, digests, times, Gatherer-*. */
export function isKept(name: string): boolean {
  return isReserved(name) || provenance.has(baseName(name));
}

/** The fault of a text as the name of an annotated attribute, as a predicate; undefined when it is valid. */
export function nameFault(name: string): string | undefined {
  if (!/^[A-Za-z0-9](?:[A-Za-z0-9_.:<>-]*[A-Za-z0-9_])?$/.test(name)) return 'is not a name';
  if (name.length > annotationLimits.nameLength) return `is longer than ${annotationLimits.nameLength}`;
  return isKept(name) ? 'is set by the Gatherer itself' : undefined;
}

// Not allowed in stored text: controls other than tab and line end, overrides of the reading direction.
// biome-ignore lint/suspicious/noControlCharactersInRegex: removing them is the purpose.
const unwanted = /[\0-\x08\x0b-\x1f\x7f-\x9f\u202a-\u202e\u2066-\u2069\ufeff\ufffe\uffff]/g;

/** A value as it is stored: well-formed, line feeds alone between lines, no control characters, trimmed. */
export function cleanValue(value: string): string {
  // Through bytes and back: a lone surrogate becomes U+FFFD.
  return Buffer.from(value)
    .toString()
    .replace(/\r\n?|[\u2028\u2029\x85]/g, '\n')
    .replace(unwanted, '')
    .trim();
}

/** A URL in the normal form that is the key of annotations. Throws ANNOTATION_URL. */
export function annotatedUrl(url: string): string {
  const bad = (problem: string) => failure(annotationErrors.ANNOTATION_URL, { url, problem });
  if (url === '') throw bad('is missing');
  if (url.length > annotationLimits.urlBytes) throw bad(`is longer than ${annotationLimits.urlBytes}`);
  if (!URL.canParse(url)) throw bad('is not absolute');
  const { href, protocol } = new URL(url);
  if (protocol === 'javascript:' || protocol === 'data:') throw bad('names no document');
  if (href.length > annotationLimits.urlBytes) throw bad(`is longer than ${annotationLimits.urlBytes}`);
  // A few schemes keep spaces in their path.
  return href.replace(/ /g, '%20');
}

/** The annotation as stored, within all limits. Throws ANNOTATION_URL, _FIELD and _TOO_LARGE. */
export function annotationOf(given: Annotation): Annotation {
  const url = annotatedUrl(given.url);
  const { fields: maxFields, valueBytes, totalBytes } = annotationLimits;
  if (given.fields.length > maxFields)
    throw failure(annotationErrors.ANNOTATION_TOO_LARGE, {
      what: 'The number of attributes',
      limit: maxFields,
    });
  const names = new Set<string>();
  let total = 0;
  const fields = given.fields.map(([name, raw]): Field => {
    const value = cleanValue(raw);
    const problem = nameFault(name) ?? secondsFault(name, value);
    if (problem !== undefined) throw failure(annotationErrors.ANNOTATION_FIELD, { name, problem });
    if (names.has(name.toLowerCase()))
      throw failure(annotationErrors.ANNOTATION_FIELD, { name, problem: 'is given twice' });
    names.add(name.toLowerCase());
    const bytes = Buffer.byteLength(value);
    total += name.length + bytes;
    if (bytes > valueBytes)
      throw failure(annotationErrors.ANNOTATION_TOO_LARGE, {
        what: `The size of ${name}`,
        limit: valueBytes,
      });
    return [name, value];
  });
  if (total > totalBytes)
    throw failure(annotationErrors.ANNOTATION_TOO_LARGE, { what: 'The annotation', limit: totalBytes });
  const author = cleanValue(given.author).replace(/\s+/g, ' ').slice(0, annotationLimits.authorLength);
  return { url, fields, author: cleanValue(author), at: keptTime(given.at) };
}

/** A short digest of an annotation. A client that changes the annotation names the version that it read. */
export function versionOf(annotation: Annotation | undefined): string {
  if (annotation === undefined) return 'none';
  const { url, fields, author, at } = annotation;
  const text = JSON.stringify([url, fields, author, at]);
  return createHash('sha256').update(text).digest('base64url').slice(0, 16);
}
