import { isoDate } from './page-dates.ts';
import {
  address,
  author,
  element,
  language,
  meta,
  type PageFacts,
  type Rule,
  schema,
  unlessSite,
  webAddress,
  words,
} from './sources.ts';

/** Titles that programs write when the author wrote none. */
const placeholder =
  /^(?:untitled(?:[ -]?(?:document|page|\d+))?|document|new page(?: \d+)?|no title|page title|title|index(?:\.\w{3,5})?|unbenanntes dokument|document sans nom)$/i;

function ownTitle({ title, heading, firstLine }: PageFacts): string | undefined {
  return placeholder.test(title ?? '') && (heading ?? firstLine) !== undefined ? undefined : title;
}

/**
 * The order of precedence: of each attribute the sources from the first to the last. The order of the vocabularies is
 * the same for all: bibliographic names (Highwire, EPrints), schema.org about the thing that the page is about, Open
 * Graph, HTML's own names, Dublin Core, Twitter, schema.org about the page, other elements. The language begins with
 * `lang`, which belongs to the text, and a Twitter handle is the last name of an author.
 */
export const precedence: Readonly<Record<string, Rule>> = {
  Title: {
    what: 'the title that the page names, else its first heading or line',
    keep: 'first',
    sources: [
      meta('citation_title', 'eprints.title'),
      unlessSite(schema('main', 'headline', 'name', 'title')),
      unlessSite(meta('og:title')),
      element('`<title>`', ownTitle),
      meta('dc.title', 'dcterms.title'),
      meta('twitter:title'),
      schema('page', 'headline', 'name'),
      element('first heading', ({ heading }) => heading),
      element('first line', ({ firstLine }) => firstLine),
    ],
  },
  Author: {
    what: 'the authors that the page names; several are numbered',
    keep: 'each',
    value: author,
    sources: [
      meta('citation_author', 'citation_authors', 'eprints.creators_name'),
      schema('main', 'author', 'creator', 'byArtist', 'director'),
      meta('article:author', 'og:article:author', 'book:author'),
      meta('author', 'parsely-author', 'sailthru.author'),
      meta('dc.creator', 'dcterms.creator', 'dc.creator.personalname'),
      schema('page', 'author', 'creator'),
      element('`rel=author`', ({ authors }) => authors),
      schema('people', 'name'),
      meta('twitter:creator'),
    ],
  },
  Date: {
    what: 'the date of publication, in ISO 8601 where it can be read',
    keep: 'first',
    value: isoDate,
    sources: [
      meta(
        'citation_publication_date',
        'citation_date',
        'citation_online_date',
        'citation_cover_date',
        'citation_year',
        'prism.publicationdate',
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
    what: 'the description that the page names',
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
    what: 'the keywords that the page names',
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
    what: 'the language of the page',
    keep: 'first',
    value: language,
    sources: [
      element('`lang`', (page) => page.language),
      meta('citation_language'),
      schema('main', 'inLanguage'),
      meta('og:locale'),
      meta('content-language', 'language'),
      meta('dc.language', 'dcterms.language'),
      schema('page', 'inLanguage'),
    ],
  },
  Publisher: {
    what: 'the publisher, or the name of the site',
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
    what: 'the address of the picture of the page',
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
