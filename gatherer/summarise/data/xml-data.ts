import type { AttributeNote } from '../../../readers/document/index.ts';
import {
  declaredCharset,
  decodeText,
  extractOf,
  fact,
  languageTag,
  numbered,
  ReferenceCollector,
  TextBlocks,
} from '../../../readers/text/index.ts';
import { scanXml, XmlOutline } from '../../../readers/xml/index.ts';
import type { SyncSummariser } from '../summariser.ts';

/** Attributes of summaries of XML. */
export const xmlDataAttributes: readonly AttributeNote[] = [
  { name: 'Description', what: 'Abstract or description element' },
  { name: 'Keywords', what: 'Keyword and subject elements, joined by commas' },
  {
    name: 'Author',
    what: 'Author and creator elements (DocBook, TEI, Dublin Core and others); several are numbered',
  },
  { name: 'Publisher', what: 'Publisher element' },
  { name: 'Date', what: 'Date of publication' },
  { name: 'Language', what: 'xml:lang of the root' },
  {
    name: 'Format',
    what: 'Vocabulary by the root element and its namespace: DocBook, TEI, RDF, GPX, XSD, XSLT ...',
  },
  { name: 'Root-Element', what: 'Name of the root element' },
  { name: 'Namespaces', what: 'Namespaces declared, one per line' },
  { name: 'Document-Type', what: 'Name and public identifier of the document type declaration' },
  { name: 'Element-Count', what: 'Number of elements' },
  { name: 'Elements', what: 'Names of elements with their frequency, the commonest first, one per line' },
  { name: 'Headings', what: 'Titles of parts, one per line' },
  { name: 'Full-Text', what: 'All text between tags' },
];

const vocabularies: readonly (readonly [pattern: RegExp, format: string])[] = [
  [
    /^(?:book|article|chapter|refentry|set|part|section|reference|sect1|appendix|glossary) .*docbook/i,
    'DocBook',
  ],
  [/^TEI(?:\.2|Corpus)? /, 'TEI'],
  [/^rdf:RDF /i, 'RDF'],
  [/^gpx /, 'GPX'],
  [/^kml /, 'KML'],
  [/^(?:xs|xsd):schema |^schema .*XMLSchema/, 'XML Schema'],
  [/^(?:xsl:)?(?:stylesheet|transform) .*Transform/, 'XSLT'],
  [/^(?:rss|feed) /, 'feed'],
  [/^plist /, 'property list'],
  [/^(?:mods|modsCollection) /, 'MODS'],
  [/^(?:\w+:)?(?:record|collection) .*MARC/, 'MARCXML'],
  [/^project .*maven/i, 'Maven project'],
  [/^(?:article|mml:math|front) .*(?:jats|nlm|ncbi)/i, 'JATS'],
  [/^mediawiki /, 'MediaWiki export'],
  [/^component /, 'AppStream component'],
  [/^wsdl:definitions |^definitions .*wsdl/, 'WSDL'],
  [/^(?:ncx|package) .*(?:daisy|idpf)/, 'EPUB'],
  [/^(?:page|mallard) .*mallard/, 'Mallard'],
  [/^opml /, 'OPML'],
  [/^score-(?:partwise|timewise) /, 'MusicXML'],
];

/** XML of any vocabulary: root, namespaces, element counts, text, and elements that vocabularies share. */
export const summariseXmlData: SyncSummariser = (document, options) => {
  const text = decodeText(document.bytes, document.charset, declaredCharset(document.bytes));
  const blocks = new TextBlocks(options);
  const outline = new XmlOutline(blocks);
  scanXml(text, outline);
  outline.finish();
  const { root } = outline;
  if (root === undefined) throw new SyntaxError('no element');
  const signs = `${root} ${[...outline.namespaces, outline.doctype ?? ''].join(' ')}`;
  const format = vocabularies.find(([pattern]) => pattern.test(signs))?.[1];
  const references = new ReferenceCollector();
  for (const link of outline.links) references.add(link, true);
  return extractOf({
    title: outline.first('title') ?? outline.headings[0] ?? outline.first('name'),
    fields: [
      fact('Description', outline.first('description')),
      fact('Keywords', outline.all('keywords').join(', ')),
      ...numbered('Author', outline.all('author')),
      fact('Publisher', outline.first('publisher')),
      fact('Date', outline.first('date')),
      fact('Language', languageTag(outline.language)),
      fact('Format', format),
      fact('Root-Element', root),
      ['Namespaces', outline.namespaces.join('\n')],
      fact('Document-Type', outline.doctype),
      fact('Element-Count', outline.elements),
      ['Elements', outline.commonest().join('\n')],
      ['Headings', outline.headings.join('\n')],
    ],
    blocks,
    references: references.resolve(document.url),
  });
};
