import { attributeText, baseName, type SummaryObject } from '../../soif/index.ts';
import { cutText } from './analysis.ts';

/** Attributes that bare words do not search, in lower case: bookkeeping, values of nearly all objects. */
const notSearchedByBareWords: ReadonlySet<string> = new Set([
  'file-size',
  'heading-anchors',
  'language',
  'last-modification-time',
  'md5',
  'refresh-rate',
  'time-to-live',
  'type',
  'update-time',
  'url',
  'url-references',
]);
const bookkeepingPrefix = 'gatherer-';
const embedPrefix = /^(?:embed<\d{1,9}>-)+/;

/** Whether bare words search this attribute. `Embed<n>-` names follow the rule of the name they prefix. */
export function isSearchedByBareWords(name: string): boolean {
  const plain = baseName(name).replace(embedPrefix, '');
  return !notSearchedByBareWords.has(plain) && !plain.startsWith(bookkeepingPrefix);
}

/** The name under which the object's own URL is searched; bare words do not search it. */
export const urlAttribute = 'url';

/** The name of an attribute in an `Attribute: value` query, as letters and digits after any `Embed<n>-`. */
export const attributeNamePattern = /^(?:Embed<\d{1,9}>-)*[A-Za-z][A-Za-z0-9_-]*$/i;

/** One searchable value of an object: an attribute's, or the URL under the name `URL`. */
export interface SearchedValue {
  readonly name: string;
  readonly value: Uint8Array | string;
}

/** The values that a leaf looks at: an attribute's (`Author` covers `Author-1`), or those of bare words. */
export function searchedValues(object: SummaryObject, name: string | undefined): SearchedValue[] {
  if (name === undefined)
    return object.attributes.filter((attribute) => isSearchedByBareWords(attribute.name));
  const wanted = name.toLowerCase();
  const found: SearchedValue[] = object.attributes.filter(({ name: own }) => isNamed(own, wanted));
  if (wanted === urlAttribute && object.url !== '-') found.push({ name: 'URL', value: object.url });
  return found;
}

/** Whether a query's name, in lower case, covers an attribute of an object. */
export function isNamed(name: string, wanted: string): boolean {
  return name.toLowerCase() === wanted || baseName(name) === wanted;
}

const maxFacetLength = 128;

/** The type by which an object is counted and filtered: at most 128 units; '' for none. */
export function typeFacet(object: SummaryObject): string {
  return cutText((attributeText(object, 'Type') ?? '').trim(), maxFacetLength);
}
