import type { Meta } from '../html/index.ts';
import { languageTag } from '../text/index.ts';
import { isoDate } from './page-dates.ts';
import { addressesOf, containers, type Subjects, textsOf } from './page-subject.ts';
import type { Thing } from './thing.ts';

/** What a page's elements say, besides `meta` and structured data; as written, in the page's order. */
export interface PageElements {
  readonly title: string | undefined;
  readonly heading: string | undefined;
  readonly firstLine: string | undefined;
  readonly language: string | undefined;
  /** Words of links with `rel=author` and `rel=tag`. */
  readonly authors: readonly string[];
  readonly tags: readonly string[];
  /** Dates of `time` elements that say that they are the date of publication, or of the only one. */
  readonly dates: readonly string[];
  readonly licences: readonly string[];
  readonly image: string | undefined;
}

/** Everything that a page says of itself. */
export interface PageFacts extends PageElements {
  readonly metas: ReadonlyMap<string, readonly string[]>;
  readonly subjects: Subjects;
  /** The address that relative ones are relative to. */
  readonly base: string;
}

/** A place that an attribute's values can come from. */
export interface Source {
  /** As docs/summarisers.md names it. */
  readonly label: string;
  readonly read: (page: PageFacts) => readonly string[];
}

/** `meta` elements; the first name that has values counts. */
function meta(...names: readonly string[]): Source {
  const read = ({ metas }: PageFacts) =>
    names.map((name) => metas.get(name)).find((list) => list !== undefined) ?? [];
  return { label: names.map((name) => `\`${name}\``).join(', '), read };
}

type Tier = keyof Subjects;
const tiers: Readonly<Record<Tier, string>> = {
  main: 'schema.org',
  page: 'schema.org of the page',
  site: 'schema.org of the site',
  people: 'schema.org of the only person',
};

function schema(tier: Tier, ...properties: readonly string[]): Source {
  return {
    label: `${tiers[tier]} ${properties.map((name) => `\`${name}\``).join(', ')}`,
    read: ({ subjects }) => fromFirst(subjects[tier], (thing) => textsOf(thing, properties)),
  };
}

function address(tier: Tier, ...properties: readonly string[]): Source {
  return {
    ...schema(tier, ...properties),
    read: ({ subjects, base }) =>
      fromFirst(subjects[tier], (thing) => properties.flatMap((name) => addressesOf(thing, name, base))),
  };
}

/** A property of the journal or book, the outermost first: its issues and volumes have names too. */
function inContainer(property: string): Source {
  return {
    label: `schema.org \`isPartOf\` \`${property}\``,
    read: ({ subjects: { main } }) =>
      fromFirst(main, (thing) =>
        fromFirst(containers(thing).toReversed(), (outer) => textsOf(outer, [property])),
      ),
  };
}

function fromFirst(things: readonly Thing[], read: (thing: Thing) => readonly string[]): readonly string[] {
  for (const thing of things) {
    const values = read(thing);
    if (values.length > 0) return values;
  }
  return [];
}

const element = (
  label: string,
  read: (page: PageFacts) => string | undefined | readonly string[],
): Source => ({
  label,
  read: (page) => [read(page) ?? []].flat(),
});

const isAddress = /^(?:(?:[a-z][a-z\d+.-]*:)?\/\/|www\.|facebook\.com\/)/i;

/** A title that is the name of the whole site is no page's title. */
const unlessSite = (source: Source): Source => ({
  ...source,
  read: (page) => {
    const site = page.metas.get('og:site_name')?.[0];
    return source
      .read(page)
      .filter((value) => value !== site || page.title === undefined || page.title === site);
  },
});

/** An attribute with its sources, the first with a good value counts. */
export interface Rule {
  readonly sources: readonly Source[];
  /** A value as it is kept; undefined when it is none. */
  readonly value?: (value: string, page: PageFacts) => string | undefined;
  /** `first` value alone, all `joined` by commas or as `lines`, or `each` as an attribute of its own. */
  readonly keep: 'first' | 'joined' | 'lines' | 'each';
}

const words = (value: string) => (isAddress.test(value) ? undefined : value);
const author = (value: string) => words(value)?.replace(/^by\s+(?=\p{Lu})/iu, '');
/** `de_AT` of Open Graph is `de-AT`; the name of a language is no tag. */
const language = (value: string) => {
  const tag = languageTag(value.replace(/_/g, '-'));
  return tag === undefined || /^[a-z]{4}/i.test(tag) ? undefined : tag;
};

function webAddress(value: string, { base }: PageFacts): string | undefined {
  const url = URL.parse(value, base);
  return url !== null && /^https?:$/.test(url.protocol) && url.href.length <= 2048 ? url.href : undefined;
}

/** `9.50 EUR`. */
function prices(thing: Thing): string[] {
  return (thing.properties.get('offers') ?? []).slice(0, 10).flatMap((offer) => {
    if (typeof offer === 'string') return [];
    const [price] = textsOf(offer, ['price', 'lowPrice']);
    return price === undefined ? [] : [`${price} ${textsOf(offer, ['priceCurrency'])[0] ?? ''}`];
  });
}

/** A licence by its address, or by its name where it has none. */
function licence(value: string, page: PageFacts): string | undefined {
  return value.includes('/') || value.includes('.htm') ? webAddress(value, page) : value;
}

/**
 * The order of precedence: of each attribute the sources from the first to the last. The order of the vocabularies is
 * the same for all: bibliographic names (Highwire, EPrints), schema.org about the thing that the page is about, Open
 * Graph, HTML's own names, Dublin Core, Twitter, schema.org about the page, other elements. Only the language begins
 * with `lang`, which belongs to the text.
 */
export const precedence: Readonly<Record<string, Rule>> = {
  Title: {
    keep: 'first',
    sources: [
      meta('citation_title', 'eprints.title'),
      unlessSite(schema('main', 'headline', 'name', 'title')),
      unlessSite(meta('og:title')),
      element('`<title>`', ({ title }) => title),
      meta('dc.title', 'dcterms.title'),
      meta('twitter:title'),
      schema('page', 'headline', 'name'),
      element('first heading', ({ heading }) => heading),
      element('first line', ({ firstLine }) => firstLine),
    ],
  },
  Author: {
    keep: 'each',
    value: author,
    sources: [
      meta('citation_author', 'citation_authors', 'eprints.creators_name'),
      schema('main', 'author', 'creator', 'byArtist', 'director'),
      meta('article:author', 'og:article:author', 'book:author'),
      meta('author', 'parsely-author', 'sailthru.author'),
      meta('dc.creator', 'dcterms.creator', 'dc.creator.personalname'),
      meta('twitter:creator'),
      schema('page', 'author', 'creator'),
      element('`rel=author`', ({ authors }) => authors),
      schema('people', 'name'),
    ],
  },
  Date: {
    keep: 'first',
    value: isoDate,
    sources: [
      meta(
        'citation_publication_date',
        'citation_date',
        'citation_online_date',
        'citation_cover_date',
        'eprints.date',
      ),
      schema('main', 'datePublished', 'uploadDate', 'datePosted', 'dateCreated', 'dateModified'),
      meta('article:published_time', 'og:published_time', 'book:release_date', 'video:release_date'),
      meta('date', 'pubdate', 'publish-date', 'publication_date', 'parsely-pub-date', 'sailthru.date'),
      meta(
        'dcterms.issued',
        'dc.date.issued',
        'dcterms.created',
        'dc.date.created',
        'dcterms.date',
        'dc.date',
      ),
      schema('page', 'datePublished', 'dateCreated'),
      element('`<time>`', ({ dates }) => dates),
      meta(
        'article:modified_time',
        'og:updated_time',
        'dcterms.modified',
        'dc.date.modified',
        'last-modified',
      ),
      schema('page', 'dateModified'),
    ],
  },
  Description: {
    keep: 'first',
    sources: [
      meta('citation_abstract', 'eprints.abstract'),
      schema('main', 'description', 'abstract'),
      meta('og:description'),
      meta('description'),
      meta('dc.description', 'dcterms.description', 'dcterms.abstract', 'dc.description.abstract'),
      meta('twitter:description'),
      schema('page', 'description'),
    ],
  },
  Keywords: {
    keep: 'joined',
    sources: [
      meta('citation_keywords', 'citation_keyword', 'eprints.keywords'),
      schema('main', 'keywords'),
      meta('article:tag', 'og:article:tag', 'book:tag', 'video:tag'),
      meta('keywords', 'news_keywords', 'parsely-tags', 'sailthru.tags'),
      meta('dc.subject', 'dcterms.subject'),
      schema('page', 'keywords'),
      element('`rel=tag`', ({ tags }) => tags),
    ],
  },
  Language: {
    keep: 'first',
    value: language,
    sources: [
      element('`lang`', (page) => page.language),
      meta('citation_language'),
      schema('main', 'inLanguage'),
      meta('og:locale'),
      meta('content-language'),
      meta('dc.language', 'dcterms.language'),
      schema('page', 'inLanguage'),
    ],
  },
  Publisher: {
    keep: 'first',
    value: words,
    sources: [
      meta(
        'citation_publisher',
        'eprints.publisher',
        'citation_dissertation_institution',
        'citation_technical_report_institution',
      ),
      schema('main', 'publisher', 'provider', 'sourceOrganization', 'hiringOrganization'),
      meta('article:publisher', 'og:site_name'),
      meta('publisher', 'application-name'),
      meta('dc.publisher', 'dcterms.publisher'),
      schema('page', 'publisher'),
      schema('site', 'name'),
    ],
  },
  Image: {
    keep: 'first',
    value: webAddress,
    sources: [
      address('main', 'image', 'thumbnailUrl', 'thumbnail'),
      meta('og:image', 'og:image:url', 'og:image:secure_url'),
      element('`rel=image_src`', (page) => page.image),
      meta('thumbnail'),
      meta('twitter:image', 'twitter:image:src'),
      address('page', 'primaryImageOfPage', 'image', 'thumbnailUrl'),
    ],
  },
};

/** Other attributes of works, found in the same way. */
export const further: Readonly<Record<string, Rule>> = {
  Abstract: {
    keep: 'first',
    sources: [
      meta('citation_abstract', 'eprints.abstract'),
      schema('main', 'abstract'),
      meta('abstract'),
      meta('dcterms.abstract', 'dc.description.abstract'),
    ],
  },
  Publication: {
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
    keep: 'first',
    sources: [meta('citation_volume', 'prism.volume'), inContainer('volumeNumber')],
  },
  Number: { keep: 'first', sources: [meta('citation_issue', 'prism.number'), inContainer('issueNumber')] },
  Pages: {
    keep: 'first',
    sources: [
      element('`citation_firstpage`, `citation_lastpage`', ({ metas }) => {
        const [first] = metas.get('citation_firstpage') ?? [];
        const [last] = metas.get('citation_lastpage') ?? [];
        return first === undefined || last === undefined ? first : `${first}-${last}`;
      }),
      schema('main', 'pagination'),
    ],
  },
  DOI: {
    keep: 'first',
    value: (value) => /\b10\.\d{4,9}\/[^\s"<>]{1,200}/.exec(value)?.[0],
    sources: [
      meta('citation_doi', 'prism.doi', 'dc.identifier.doi', 'bepress_citation_doi'),
      schema('main', 'identifier', 'sameAs'),
      meta('dc.identifier', 'dcterms.identifier'),
    ],
  },
  ISBN: { keep: 'each', sources: [meta('citation_isbn'), schema('main', 'isbn'), meta('book:isbn')] },
  ISSN: { keep: 'each', sources: [meta('citation_issn', 'prism.issn'), schema('main', 'issn')] },
  Section: { keep: 'first', sources: [schema('main', 'articleSection'), meta('article:section')] },
  Version: { keep: 'first', sources: [schema('main', 'softwareVersion', 'version')] },
  'Start-Date': { keep: 'first', value: isoDate, sources: [schema('main', 'startDate')] },
  'End-Date': { keep: 'first', value: isoDate, sources: [schema('main', 'endDate')] },
  Location: {
    keep: 'first',
    sources: [schema('main', 'location', 'contentLocation', 'spatialCoverage', 'jobLocation')],
  },
  Organizer: { keep: 'each', sources: [schema('main', 'organizer')] },
  Brand: { keep: 'first', sources: [schema('main', 'brand', 'manufacturer')] },
  SKU: { keep: 'first', sources: [schema('main', 'sku', 'mpn', 'gtin13', 'gtin')] },
  Price: {
    keep: 'first',
    sources: [element('schema.org `offers`', ({ subjects }) => fromFirst(subjects.main, prices))],
  },
  Coverage: {
    keep: 'first',
    sources: [schema('main', 'temporalCoverage'), meta('dcterms.temporal', 'dc.coverage')],
  },
  'Job-Title': { keep: 'first', sources: [schema('main', 'jobTitle'), schema('people', 'jobTitle')] },
  Organization: {
    keep: 'first',
    sources: [
      meta('citation_author_institution'),
      schema('main', 'worksFor', 'affiliation'),
      schema('people', 'worksFor', 'affiliation'),
    ],
  },
  Steps: { keep: 'lines', sources: [schema('main', 'step', 'recipeInstructions')] },
  Copyright: {
    keep: 'first',
    sources: [schema('main', 'copyrightNotice'), meta('copyright'), meta('dc.rights', 'dcterms.rights')],
  },
  License: {
    keep: 'first',
    value: licence,
    sources: [
      element('`rel=license`', ({ licences }) => licences),
      schema('main', 'license'),
      meta('dcterms.license', 'dc.rights.license'),
      schema('page', 'license'),
    ],
  },
  'Schema-Type': {
    keep: 'first',
    sources: [element('schema.org type', ({ subjects }) => subjects.main[0]?.types[0])],
  },
};

/** `meta` values by name in lower case, with one spelling for the names of Dublin Core and of Highwire. */
export function metaNames(metas: readonly Meta[]): ReadonlyMap<string, readonly string[]> {
  const values = new Map<string, string[]>();
  for (const { name, content } of metas) {
    const known = name
      .replace(
        /^(dc|dcterms?|eprints|prism)[.:_]/,
        (_, prefix: string) => `${prefix.replace(/^dcterm$/, 'dcterms')}.`,
      )
      .replace(/^bepress_(?=citation_)/, '');
    const list = values.get(known);
    if (list === undefined) values.set(known, [content]);
    else if (list.length < 200 && !list.includes(content)) list.push(content);
  }
  return values;
}
