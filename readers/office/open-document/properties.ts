import type { Field } from '../../document/index.ts';
import { eachOf, fact, joined, languageTag } from '../../text/index.ts';
import { elementTexts, readXml, type XmlAttributes } from '../../xml/index.ts';

/** The metadata of an OpenDocument. */
export interface OpenDocumentProperties {
  readonly title: string | undefined;
  readonly fields: readonly Field[];
}

// Counts of the statistics element, and their attributes.
const counts = [
  ['meta:page-count', 'Pages'],
  ['meta:word-count', 'Words'],
  ['meta:table-count', 'Tables'],
  ['meta:image-count', 'Images'],
  ['meta:object-count', 'Objects'],
  ['meta:cell-count', 'Cells'],
] as const;

/** Read meta.xml, or a flat document, whose metadata are within it (OpenDocument 1.3 part 3, section 4). */
export function readProperties(bytes: Uint8Array): OpenDocumentProperties {
  const texts = elementTexts(bytes);
  const one = (name: string) => texts.get(name)?.[0];
  let statistics: XmlAttributes = {};
  readXml(bytes, {
    open: (name, attributes) => {
      if (name === 'meta:document-statistic') statistics = attributes;
    },
  });
  const authors = texts.get('meta:initial-creator') ?? texts.get('dc:creator') ?? [];
  return {
    title: one('dc:title'),
    fields: [
      ...eachOf(
        'Author',
        authors.flatMap((author) => author.split(';')),
      ),
      fact('Subject', one('dc:subject')),
      joined(
        'Keywords',
        (texts.get('meta:keyword') ?? []).flatMap((keyword) => keyword.split(/[,;]/)),
      ),
      fact('Description', one('dc:description')),
      fact('Language', languageTag(one('dc:language')) ?? ''),
      fact('Creation-Date', one('meta:creation-date')),
      fact('Modification-Date', one('dc:date')),
      fact('Creator', one('meta:generator')),
      ...counts.map(([attribute, field]) => fact(field, statistics[attribute])),
    ],
  };
}
