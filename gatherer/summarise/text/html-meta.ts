import type { Field } from '../../../readers/document/index.ts';
import type { Meta } from '../../../readers/html/index.ts';
import { beginning, numbered, oneLine } from '../../../readers/text/index.ts';

const maxValue = 8 * 1024;
const maxValuesPerName = 64;
const maxDublinCore = 128;

// The meta elements of each attribute; the first name with values counts.
const sources: readonly (readonly [attribute: string, names: readonly string[]])[] = [
  ['Description', ['description', 'dc.description', 'dcterms.description', 'dcterms.abstract']],
  ['Keywords', ['keywords', 'dc.subject', 'dcterms.subject']],
  ['Author', ['author', 'dc.creator', 'dcterms.creator']],
  ['Abstract', ['abstract']],
  ['Publisher', ['publisher']],
  ['Copyright', ['copyright']],
  ['Date', ['date']],
];

/** Attributes from a page's `meta` elements. */
export interface MetaFields {
  readonly fields: readonly Field[];
  /** Dublin Core as given, `DC.title` as `DC-Title`. */
  readonly dublinCore: readonly Field[];
  readonly language?: string;
}

/**
 * Turn `meta` elements into attributes: description, keywords, author (Dublin Core replaces a missing plain name) and
 * Dublin Core itself. Repeated values are numbered, `Author-1`, `Author-2` (RFC 2655 section 4), except keywords, which
 * are joined by commas.
 */
export function metaFields(metas: readonly Meta[]): MetaFields {
  const values = new Map<string, string[]>();
  for (const { name, content } of metas) {
    const value = beginning(oneLine(content), maxValue);
    if (value === '') continue;
    const list = values.get(name);
    if (list === undefined) values.set(name, [value]);
    else if (list.length < maxValuesPerName && !list.includes(value)) list.push(value);
  }
  const fields = sources.flatMap(([attribute, names]) => {
    const found = names.map((name) => values.get(name)).find((list) => list !== undefined) ?? [];
    return attribute === 'Keywords' && found.length > 0
      ? [[attribute, found.join(', ')] as const]
      : numbered(attribute, found);
  });
  const dublinCore = [...values]
    .flatMap(([name, list]) => {
      const attribute = dublinCoreName(name);
      return attribute === undefined ? [] : numbered(attribute, list);
    })
    .slice(0, maxDublinCore);
  const language = (values.get('content-language') ??
    values.get('dc.language') ??
    values.get('dcterms.language'))?.[0];
  return { fields, dublinCore, ...(language === undefined ? {} : { language }) };
}

/**
 * The SOIF name of a Dublin Core `meta` name in lower case: `dc.title` is `DC-Title`, `dcterms.issued` is
 * `DCTERMS-Issued`. Undefined for other names, for names that no SOIF identifier can express, and for names that would
 * end in a number, which means something else there.
 */
function dublinCoreName(name: string): string | undefined {
  const parts = /^(dc|dcterms)((?:[.:][a-z]{1,40}){1,3})$/.exec(name);
  if (parts === null) return undefined;
  const [, prefix = '', rest = ''] = parts;
  const words = rest.slice(1).split(/[.:]/);
  return [prefix.toUpperCase(), ...words.map((word) => word.charAt(0).toUpperCase() + word.slice(1))].join(
    '-',
  );
}
