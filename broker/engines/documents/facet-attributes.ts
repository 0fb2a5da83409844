import {
  Attributes,
  attributeNumber,
  attributeText,
  attributeTexts,
  type SummaryObject,
} from '../../../soif/index.ts';

/** Facets made of Last-Modification-Time (UTC): `2024` and `2024-05`. */
export const timeFacets = ['year', 'month'] as const;

/** Max attributes that an index counts, besides source, type and time. */
const maxFacetAttributes = 4;

/** The attributes that an operator wants counted, normalised for comparison. */
export const countedAttributes = (names: readonly string[] = []): readonly string[] =>
  names.slice(0, maxFacetAttributes).map((name) => name.toLowerCase());

// Max values counted of one attribute of an object, and max length of each.
const maxValues = 8;
const maxLength = 128;

// Joins the values of one object. Values do not contain it.
const joint = '\n';
const separated = new Set(['keywords', 'key-words']);

/** The values of an attribute, for counting: of each numbered one, keywords split at commas. */
export function facetValuesOf(object: SummaryObject, attribute: string): string[] {
  const texts = attributeTexts(object, attribute);
  const single = separated.has(attribute) ? texts.flatMap((text) => text.split(/[,;]/)) : texts;
  const clean = single.map((text) => text.replace(/\s+/g, ' ').trim().slice(0, maxLength));
  return [...new Set(clean.filter((text) => text !== ''))].slice(0, maxValues);
}

export const joinedValues = (values: readonly string[]): string => values.join(joint);
export const separateValues = (joined: string): string[] => (joined === '' ? [] : joined.split(joint));

const latestTime = 2 ** 32 - 1;

/** A document's own date in whole seconds since 1970, from 1 to 2^32 - 1; 0 for none. */
export function modifiedOf(object: SummaryObject): number {
  const seconds = Math.floor(attributeNumber(object, Attributes.lastModificationTime) ?? 0);
  return seconds > 0 && seconds <= latestTime ? seconds : 0;
}

/** The month of a time (seconds), for example `2024-05`; '' for none. */
export function monthOf(seconds: number): string {
  return seconds === 0 ? '' : new Date(seconds * 1000).toISOString().slice(0, 7);
}

/** Bytes of a document; -1 when unknown. */
export function sizeOf(object: SummaryObject): number {
  const size = attributeNumber(object, Attributes.fileSize);
  return size !== undefined && size >= 0 && Number.isFinite(size) ? size : -1;
}

/** A number from 1 to 2^53 - 1 that identifies a document's bytes, from its MD5; 0 for none. */
export function bytesMark(object: SummaryObject): number {
  const md5 = attributeText(object, Attributes.md5)?.trim() ?? '';
  if (!/^[0-9a-f]{32}$/i.test(md5)) return 0;
  return Number(BigInt(`0x${md5.slice(0, 16)}`) >> 11n) || 1;
}

const keyLength = 160;

/** The sort key of titles (or of the URL): no case, accents or leading signs, numbers by value. */
export const titleKey = (object: SummaryObject): string =>
  titleOrder(attributeText(object, Attributes.title)?.trim() || object.url);

/** The same of a title itself. */
export function titleOrder(title: string): string {
  return title
    .slice(0, keyLength)
    .normalize('NFKD')
    .replace(/\p{M}/gu, '')
    .toLowerCase()
    .replace(/^[^\p{L}\p{N}]+/u, '')
    .replace(/\d{1,9}/g, (digits) => digits.padStart(9, '0'))
    .replaceAll('\0', ' ')
    .slice(0, keyLength);
}

/** The sort key of URLs: without scheme, numbers by value. */
export const urlKey = (object: SummaryObject): string => urlOrder(object.url);

/** The same of a URL itself. */
export function urlOrder(url: string): string {
  return url
    .slice(0, 2 * keyLength)
    .replace(/^[a-z][a-z0-9+.-]*:\/\//i, '')
    .replace(/\d{1,9}/g, (digits) => digits.padStart(9, '0'))
    .replaceAll('\0', ' ')
    .slice(0, 2 * keyLength);
}
