import type { Field } from '../document/index.ts';
import { beginning, oneLine, rescuer } from '../text/index.ts';

// Tags of EXIF and IPTC by the library's names, and their attributes; the first with a value is used.
const sources: readonly (readonly [attribute: string, group: 'exif' | 'iptc', tags: readonly string[]])[] = [
  ['Title', 'iptc', ['Object Name']],
  ['Title', 'exif', ['XPTitle', 'DocumentName']],
  ['Headline', 'iptc', ['Headline']],
  ['Description', 'iptc', ['Caption/Abstract']],
  ['Description', 'exif', ['ImageDescription', 'UserComment', 'XPComment']],
  ['Keywords', 'iptc', ['Keywords']],
  ['Keywords', 'exif', ['XPKeywords']],
  ['Author', 'iptc', ['By-line']],
  ['Author', 'exif', ['Artist', 'XPAuthor']],
  ['Credit', 'iptc', ['Credit']],
  ['Source', 'iptc', ['Source']],
  ['Copyright', 'iptc', ['Copyright Notice']],
  ['Copyright', 'exif', ['Copyright']],
  ['City', 'iptc', ['City']],
  ['Country', 'iptc', ['Country/Primary Location Name']],
  ['Date', 'exif', ['DateTimeOriginal', 'DateTimeDigitized', 'DateTime']],
  ['Date', 'iptc', ['Date Created']],
  ['Camera', 'exif', ['Make', 'Model']],
  ['Lens', 'exif', ['LensModel']],
  ['Software', 'exif', ['Software', 'ProcessingSoftware']],
  ['Exposure', 'exif', ['ExposureTime', 'FNumber', 'ISOSpeedRatings', 'FocalLength']],
  ['Orientation', 'exif', ['Orientation']],
];
/** Attributes whose tags belong together. */
const joined: ReadonlySet<string> = new Set(['Camera', 'Exposure']);

const maxValue = 8192;

interface Tag {
  readonly description?: unknown;
}

/** A picture's EXIF and IPTC fields; none when unreadable. The library is loaded at the first picture. */
export async function exifFields(bytes: Uint8Array): Promise<Field[]> {
  const { default: reader } = await import('exifreader');
  let tags: ReturnType<typeof reader.load>;
  try {
    const copy = bytes.buffer.slice(bytes.byteOffset, bytes.byteOffset + bytes.byteLength);
    tags = reader.load(copy as ArrayBuffer, { expanded: true, excludeTags: { xmp: true } }) as never;
  } catch {
    return [];
  }
  const groups = tags as unknown as Readonly<Record<string, Readonly<Record<string, unknown>> | undefined>>;
  const texts = sources.flatMap(([, group, names]) => names.map((name) => textOf(groups[group]?.[name])));
  const rescued = rescuer(texts);
  const fields = new Map<string, string>();
  for (const [attribute, group, names] of sources) {
    if (fields.has(attribute)) continue;
    const values = names.map((name) => saidBy(rescued(textOf(groups[group]?.[name])))).filter(Boolean);
    const value = joined.has(attribute) ? joinedValues(values) : (values[0] ?? '');
    if (value !== '') fields.set(attribute, value);
  }
  const { Latitude: latitude, Longitude: longitude } = groups.gps ?? {};
  if (typeof latitude === 'number' && typeof longitude === 'number')
    fields.set('Coordinates', `${latitude.toFixed(6)}, ${longitude.toFixed(6)}`);
  return [...fields];
}

function textOf(tag: unknown): string {
  if (Array.isArray(tag)) return tag.map(textOf).filter(Boolean).slice(0, 256).join(', ');
  const description = typeof tag === 'object' && tag !== null ? (tag as Tag).description : undefined;
  if (typeof description !== 'string' && typeof description !== 'number') return '';
  return beginning(String(description), maxValue);
}

// Control characters are letters of other charsets until a text is decoded.
function saidBy(written: string): string {
  const text = oneLine(written);
  // The library's texts for values that it cannot interpret.
  if (text === '[Unicode encoded text]' || text === 'Unknown') return '';
  // Blanks, and dates of noughts, mean unknown (Exif 2.3).
  return /^[\s:/.-]*$|^[0:\s]*:[0:\s]*$/.test(text) ? '' : text;
}

/** Maker and model often repeat each other. */
function joinedValues(values: readonly string[]): string {
  const [maker = '', ...others] = values;
  return others[0]?.startsWith(maker) ? others.join(' ') : values.join(' ');
}
