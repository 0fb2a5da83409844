import { isoDate } from './page-dates.ts';
import { textsOf } from './page-subject.ts';
import { address, element, inContainer, licence, meta, offers, type Rule, schema } from './sources.ts';

/** Other attributes of works, found in the same way. */
export const workAttributes: Readonly<Record<string, Rule>> = {
  Abstract: {
    what: 'the abstract of a paper',
    keep: 'first',
    sources: [
      meta('citation_abstract', 'eprints.abstract'),
      schema('main', 'abstract'),
      meta('abstract'),
      meta('dcterms.abstract', 'dc.description.abstract'),
    ],
  },
  Publication: {
    what: 'the journal, collection or book that contains the work',
    keep: 'first',
    sources: [
      meta(
        'citation_journal_title',
        'citation_conference_title',
        'citation_conference',
        'citation_inbook_title',
        'citation_book_title',
        'eprints.publication',
        'prism.publicationname',
      ),
      inContainer('name'),
    ],
  },
  Volume: {
    what: 'the volume',
    keep: 'first',
    sources: [meta('citation_volume', 'prism.volume'), inContainer('volumeNumber')],
  },
  Number: {
    what: 'the issue',
    keep: 'first',
    sources: [meta('citation_issue', 'prism.number'), inContainer('issueNumber')],
  },
  Pages: {
    what: 'the pages',
    keep: 'first',
    sources: [
      element('`citation_firstpage`, `citation_lastpage`', ({ metas }) => {
        const [first] = metas.get('citation_firstpage') ?? [];
        const [last] = metas.get('citation_lastpage') ?? [];
        return first === undefined || last === undefined ? first : `${first}-${last}`;
      }),
      schema('main', 'pagination'),
      element('schema.org `pageStart`, `pageEnd`', ({ subjects: { main } }) => {
        const ends = main
          .slice(0, 1)
          .flatMap((work) => ['pageStart', 'pageEnd'].flatMap((end) => textsOf(work, [end])));
        return ends.length === 0 ? undefined : ends.join('-');
      }),
    ],
  },
  DOI: {
    what: 'the digital object identifier of the work',
    keep: 'first',
    value: (value) => /\b10\.\d{4,9}\/[^\s"<>]{1,200}/.exec(value)?.[0],
    sources: [
      meta('citation_doi', 'prism.doi', 'dc.identifier.doi'),
      schema('main', 'identifier', 'sameAs'),
      address('main', 'sameAs'),
      meta('dc.identifier', 'dcterms.identifier'),
    ],
  },
  ISBN: {
    what: 'the ISBN of a book',
    keep: 'each',
    sources: [meta('citation_isbn'), schema('main', 'isbn'), meta('book:isbn')],
  },
  ISSN: {
    what: 'the ISSN of a journal',
    keep: 'each',
    sources: [meta('citation_issn', 'prism.issn'), schema('main', 'issn')],
  },
  Section: {
    what: 'the section of the site',
    keep: 'first',
    sources: [schema('main', 'articleSection'), meta('article:section')],
  },
  Version: {
    what: 'the version of a program or data set',
    keep: 'first',
    sources: [schema('main', 'softwareVersion', 'version')],
  },
  'Start-Date': {
    what: 'when an event begins',
    keep: 'first',
    value: isoDate,
    sources: [schema('main', 'startDate')],
  },
  'End-Date': {
    what: 'when an event ends',
    keep: 'first',
    value: isoDate,
    sources: [schema('main', 'endDate')],
  },
  Location: {
    what: 'where an event or job is, or what place the work is about',
    keep: 'first',
    sources: [schema('main', 'location', 'contentLocation', 'spatialCoverage', 'jobLocation')],
  },
  Organizer: {
    what: 'the organisers of an event; several are numbered',
    keep: 'each',
    sources: [schema('main', 'organizer')],
  },
  Brand: {
    what: 'the brand of a product',
    keep: 'first',
    sources: [schema('main', 'brand', 'manufacturer')],
  },
  SKU: {
    what: 'the number of a product',
    keep: 'first',
    sources: [schema('main', 'sku', 'mpn', 'gtin13', 'gtin')],
  },
  Price: { what: 'the price of a product with its currency', keep: 'first', sources: [offers] },
  Coverage: {
    what: 'the time that a data set covers',
    keep: 'first',
    sources: [schema('main', 'temporalCoverage'), meta('dcterms.temporal', 'dc.coverage')],
  },
  'Job-Title': {
    what: 'the occupation of the person that the page presents',
    keep: 'first',
    sources: [schema('main', 'jobTitle'), schema('people', 'jobTitle')],
  },
  Organization: {
    what: 'the organisation of the author or of the person that the page presents',
    keep: 'first',
    sources: [
      meta('citation_author_institution'),
      schema('main', 'worksFor', 'affiliation'),
      schema('people', 'worksFor', 'affiliation'),
    ],
  },
  Steps: {
    what: 'the steps of instructions, one per line',
    keep: 'lines',
    sources: [schema('main', 'step', 'recipeInstructions')],
  },
  Copyright: {
    what: 'the copyright notice',
    keep: 'first',
    sources: [schema('main', 'copyrightNotice'), meta('copyright'), meta('dc.rights', 'dcterms.rights')],
  },
  License: {
    what: 'the address or name of the licence',
    keep: 'first',
    value: licence,
    sources: [
      element('`rel=license`', ({ licences }) => licences),
      schema('main', 'license'),
      address('main', 'license'),
      meta('dcterms.license', 'dc.rights.license'),
      schema('page', 'license'),
    ],
  },
  'Schema-Type': {
    what: 'the kind of thing that the page is about, with its name in schema.org',
    keep: 'first',
    sources: [element('schema.org type', ({ subjects }) => subjects.main[0]?.types[0])],
  },
};
