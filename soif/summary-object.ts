/** One attribute of a summary object. The value is bytes: text is UTF-8, but any byte is allowed. */
export interface Attribute {
  readonly name: string;
  readonly value: Uint8Array;
}

/** One SOIF record (RFC 2655): a Gatherer's description of one document. */
export interface SummaryObject {
  /** `FILE` for gathered documents. */
  readonly templateType: string;
  /** The document's URL; `-` when it has none. */
  readonly url: string;
  /** In printed order. Names match without regard to case; repeats are kept. */
  readonly attributes: readonly Attribute[];
}

const encoder = new TextEncoder();
const decoder = new TextDecoder();

/** Build a summary object from names and values; text becomes UTF-8, numbers their decimal digits. */
export function summaryObject(
  url: string,
  attributes: Iterable<readonly [name: string, value: string | number | Uint8Array]>,
  templateType = 'FILE',
): SummaryObject {
  return {
    templateType,
    url,
    attributes: Array.from(attributes, ([name, value]) => ({
      name,
      value: value instanceof Uint8Array ? value : encoder.encode(String(value)),
    })),
  };
}

/** The first value of an attribute, or undefined. Case of the name does not matter. */
export function attributeValue(object: SummaryObject, name: string): Uint8Array | undefined {
  const wanted = name.toLowerCase();
  return object.attributes.find((attribute) => attribute.name.toLowerCase() === wanted)?.value;
}

/** The first value of an attribute as text (invalid UTF-8 is replaced), or undefined. */
export function attributeText(object: SummaryObject, name: string): string | undefined {
  const value = attributeValue(object, name);
  return value === undefined ? undefined : decoder.decode(value);
}

/** The first value of an attribute as a non-negative integer, or undefined when it is absent or not one. */
export function attributeNumber(object: SummaryObject, name: string): number | undefined {
  const text = attributeText(object, name)?.trim();
  if (text === undefined || !/^\d{1,15}$/.test(text)) return undefined;
  return Number(text);
}

/** The base name in lower case: `author` for `Author-2` (RFC 2655 4); `Embed<1>-` prefixes stay. */
export function baseName(name: string): string {
  return name.toLowerCase().replace(/-\d{1,9}$/, '');
}

/** Every value of an attribute as text, `Name`, `Name-1`, `Name-2` ... in printed order. */
export function attributeTexts(object: SummaryObject, name: string): string[] {
  const wanted = name.toLowerCase();
  return object.attributes
    .filter((attribute) => attribute.name.toLowerCase() === wanted || baseName(attribute.name) === wanted)
    .map((attribute) => decoder.decode(attribute.value));
}

/** A copy with these attributes, each in place of the first of its name or at the end. */
export function withAttributes(
  object: SummaryObject,
  changes: Iterable<readonly [name: string, value: string | number | Uint8Array]>,
): SummaryObject {
  const attributes = [...object.attributes];
  for (const attribute of summaryObject(object.url, changes).attributes) {
    const wanted = attribute.name.toLowerCase();
    const at = attributes.findIndex((other) => other.name.toLowerCase() === wanted);
    if (at < 0) attributes.push(attribute);
    else attributes[at] = attribute;
  }
  return { ...object, attributes };
}

/** The SOIF attribute names that Garner itself writes and reads, as they are printed. */
export const Attributes = {
  abstract: 'Abstract',
  author: 'Author',
  description: 'Description',
  fileSize: 'File-Size',
  fullText: 'Full-Text',
  gathererHost: 'Gatherer-Host',
  gathererName: 'Gatherer-Name',
  gathererVersion: 'Gatherer-Version',
  headingAnchors: 'Heading-Anchors',
  headings: 'Headings',
  keywords: 'Keywords',
  language: 'Language',
  lastModificationTime: 'Last-Modification-Time',
  md5: 'MD5',
  otherUrls: 'Other-URLs',
  partialText: 'Partial-Text',
  refreshRate: 'Refresh-Rate',
  timeToLive: 'Time-to-Live',
  title: 'Title',
  type: 'Type',
  updateTime: 'Update-Time',
  urlReferences: 'URL-References',
} as const;
