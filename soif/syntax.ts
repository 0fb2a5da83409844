import type { SoifLimits } from './limits.ts';
import { nameParts } from './multi-value.ts';
import type { SummaryObject } from './summary-object.ts';

/** The sections of a Gatherer's stream (Harvest manual 1.2, appendix B). */
export type SoifSection = 'delete' | 'refresh' | 'update';

/** The template types that open a section instead of an object. */
export const sectionTypes: ReadonlyMap<string, SoifSection> = new Map([
  ['DELETE', 'delete'],
  ['REFRESH', 'refresh'],
  ['UPDATE', 'update'],
]);

export const TAB = 9;
export const LF = 10;
export const COLON = 58;
export const AT = 64;
export const OPEN = 123;
export const CLOSE = 125;

/** Classes of bytes; a byte may be in several. */
export const TYPE_BYTE = 1;
export const NAME_BYTE = 2;
export const WHITE_BYTE = 4;
export const DIGIT_BYTE = 8;
export const URL_BYTE = 16;
export const BLANK_BYTE = 32;

/** The classes of each byte. */
export const byteClasses = new Uint8Array(256).fill(URL_BYTE);
for (const [characters, bits] of [
  ['ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz_-', TYPE_BYTE | NAME_BYTE | URL_BYTE],
  ['0123456789', TYPE_BYTE | NAME_BYTE | DIGIT_BYTE | URL_BYTE],
  // `<>` for Embed<n>-; `.` and `:` because HTML META names such as DC.Title and og:title became attribute names.
  ['<>.:', NAME_BYTE | URL_BYTE],
  ['\n\v\f\r', WHITE_BYTE],
  [' \t', WHITE_BYTE | BLANK_BYTE],
] as const)
  for (const character of characters) byteClasses[character.charCodeAt(0)] = bits;

/** A byte as a sentence names it. */
export function describeByte(byte: number | undefined): string {
  if (byte === undefined) return 'nothing';
  if (byte === LF) return 'an end of line';
  if (byte === TAB) return 'a TAB';
  if (byte === 32) return 'a space';
  if (byte > 32 && byte < 127) return `"${String.fromCharCode(byte)}"`;
  return `byte 0x${byte.toString(16).padStart(2, '0')}`;
}

/** The reason why a text cannot be a URL in SOIF, as the end of a sentence; undefined when it can. */
export function urlProblem(url: string, limits: SoifLimits): string | undefined {
  if (url === '') return 'is missing';
  if (url.length > limits.maxUrlLength || Buffer.byteLength(url) > limits.maxUrlLength)
    return `is longer than ${limits.maxUrlLength} bytes`;
  // biome-ignore lint/suspicious/noControlCharactersInRegex: the pattern looks for control characters.
  if (/[\x00-\x20\x7f]/.test(url)) return 'holds white space or a control character';
  if (/\p{Surrogate}/u.test(url)) return 'is not well-formed Unicode';
  if (url.startsWith('}')) return 'is missing';
  // A forgotten URL: read as a URL, this would make syntax of the attribute's value.
  if (/^[A-Za-z0-9_.:<>-]+\{\d+\}:$/.test(url)) return 'is missing; an attribute is in its place';
  return undefined;
}

/** The reason why a text cannot be a template type; undefined when it can. */
export function typeProblem(type: string, limits: SoifLimits): string | undefined {
  if (!/^[A-Za-z0-9_-]+$/.test(type)) return 'is not made of letters, digits, "-" and "_"';
  if (type.length > limits.maxTypeLength) return `is longer than ${limits.maxTypeLength}`;
  if (sectionTypes.has(type)) return 'names a section of a stream';
  return undefined;
}

/** The reason why a text cannot be an attribute name; undefined when it can. */
export function nameProblem(name: string, limits: SoifLimits): string | undefined {
  if (!/^[A-Za-z0-9_.:<>-]+$/.test(name)) return 'is not made of letters, digits and "-_.:<>"';
  if (name.length > limits.maxNameLength) return `is longer than ${limits.maxNameLength}`;
  if (name.includes('<') && nameParts(name).embed.length > limits.maxDepth)
    return `is nested deeper than ${limits.maxDepth}`;
  return undefined;
}

/** The first reason why an object cannot be written so that it reads back the same; undefined when it can. */
export function objectProblem(object: SummaryObject, limits: SoifLimits): string | undefined {
  const type = typeProblem(object.templateType, limits);
  if (type) return `its template type ${type}`;
  const url = urlProblem(object.url, limits);
  if (url) return `its URL ${url}`;
  if (object.attributes.length > limits.maxAttributes)
    return `it has over ${limits.maxAttributes} attributes`;
  let bytes = 0;
  for (const { name, value } of object.attributes) {
    const problem = nameProblem(name, limits);
    if (problem) return `the attribute name ${JSON.stringify(name.slice(0, 80))} ${problem}`;
    if (value.length > limits.maxValueBytes) return `${name} is over ${limits.maxValueBytes} bytes`;
    bytes += name.length + value.length;
  }
  return bytes > limits.maxObjectBytes ? `it is over ${limits.maxObjectBytes} bytes` : undefined;
}
