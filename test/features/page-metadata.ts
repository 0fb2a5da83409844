import type { Area } from './feature.ts';

export const pageMetadata: Area = {
  'page.precedence': {
    feature:
      'Title, author, date, description, keywords, language, publisher and image of a page come from its sources in one documented order.',
    test: 'the sources of each attribute count in the order of the table',
  },
  'page.precedence-docs': {
    feature: 'The manual has the order of precedence as a table that is written from the program.',
    test: 'the generated pages are fresh',
  },
  'page.json-ld': {
    feature: 'JSON-LD is read with graphs, arrays, nested things and references, also from script to script.',
    test: 'an article of a graph has its author, publisher, picture and page by reference',
  },
  'page.json-ld-kinds': {
    feature: 'Papers, books, data sets, events, products and instructions have attributes of their own.',
    test: 'kinds of things have attributes of their own',
  },
  'page.json-ld-people': {
    feature: 'A person or an organisation is the title of a page about it, and of no other page of the site.',
    test: 'a person or organisation is the title of a page about it alone',
  },
  'page.json-ld-subject': {
    feature: 'Of several things that a page describes, the one with its address or title counts.',
    test: 'of several things the one with the page’s address or title is its subject; a list has none',
  },
  'page.json-ld-faults': {
    feature:
      'JSON-LD in comments or CDATA, with line breaks, missing or superfluous signs, or cut off, is read.',
    test: 'JSON-LD in wrappings and with faults',
  },
  'page.microdata': {
    feature: 'Microdata is read with things within things, names of links and missing end tags.',
    test: 'microdata: things within things, links with names, missing end tags',
  },
  'page.rdfa': { feature: 'RDFa Lite of schema.org and of Dublin Core is read.', test: 'RDFa Lite' },
  'page.highwire': {
    feature:
      'Bibliographic meta elements give authors, journal, volume, pages, DOI and the address of the PDF.',
    test: 'bibliographic meta elements of journals and repositories',
  },
  'page.dublin-core': {
    feature: 'Dublin Core is read with each of its prefixes.',
    test: 'Dublin Core is read with each of its prefixes',
  },
  'page.open-graph': {
    feature: 'Open Graph is read; addresses are no names, and the name of the site is no title.',
    test: 'Open Graph: addresses are no names, locales are tags, the name of the site is no title',
  },
  'page.no-value': {
    feature:
      'A value that a program left empty, such as `{{title}}` or `0000-00-00`, gives way to the next source.',
    test: 'a source without a value gives way to the next',
  },
  'page.elements': {
    feature: 'Links with `rel=author` and `rel=tag` and `time` elements name author, keywords and date.',
    test: 'authors, dates and tags of links and time elements',
  },
  'page.dates': {
    feature: 'Dates of pages become ISO 8601, by which objects are compared.',
    test: 'dates become ISO 8601 where they can be read',
  },
  'page.relations': {
    feature:
      'The canonical address, the licence and the other languages of a page are attributes of its object.',
    test: 'canonical address, licence and other languages are recorded',
  },
  'page.hidden': {
    feature: 'Hidden text of a page is left out, unless the page has no other.',
    test: 'hidden text is left out by attribute, style, dialog and icon, unless there is no other',
  },
  'page.ruby': {
    feature: 'Readings of ruby annotations do not part the words that they explain.',
    test: 'readings of ruby annotations are left out, with and without end tags, at every level of text',
  },
  'page.ruby-office': {
    feature: 'Readings of ruby annotations in Word and OpenDocument texts do not part words either.',
    test: 'readings of ruby annotations in office documents do not part the words',
  },
  'page.first-line': {
    feature: 'A page without title and heading is named by its first line.',
    test: 'a page without title and heading is named by its first line, not by its navigation',
  },
  'page.placeholder': {
    feature: 'A title such as `Untitled Document` gives way to the first heading or line.',
    test: 'a title that a program wrote gives way to the first heading or line',
  },
  'page.hostile': {
    feature: 'Metadata of hostile pages is read in bounded time and memory.',
    test: 'any JSON as JSON-LD gives attributes and never throws',
  },
};
