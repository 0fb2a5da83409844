import { escapeHtml, type Route } from '../http/index.ts';
import { graphemeStart } from '../kernel/index.ts';
import { type Logo, logoHref } from './logo.ts';

/** What the description of the search is made with. */
export interface OpenSearchOptions {
  readonly title: string;
  readonly logo?: Logo | undefined;
  /** The address of the server for others (`server.public-url`); empty for the one that a request names. */
  readonly publicUrl: string;
  /** Whether the server itself serves TLS. */
  readonly isSecure: boolean;
}

/** The beginning of a text, of which so many characters may be sent. */
const fitting = (text: string, max: number) => text.slice(0, graphemeStart(text, max)).trim();

/** `/opensearch.xml`, by which a browser adds this search (OpenSearch 1.1 draft 6). */
export function openSearchRoute({ title, logo, publicUrl, isSecure }: OpenSearchOptions): Route {
  return {
    method: 'GET',
    path: '/opensearch.xml',
    summary: 'The OpenSearch description of this search',
    scope: 'public',
    media: { 'application/opensearchdescription+xml': { type: 'string' } },
    handle: ({ headers }) => {
      const given = publicUrl || `${isSecure ? 'https' : 'http'}://${headers.host ?? 'localhost'}/`;
      const base = given.endsWith('/') ? given : `${given}/`;
      const url = (type: string, rest: string, more = '') =>
        `<Url type="${type}"${more} template="${escapeHtml(base + rest)}"/>`;
      const body = [
        '<?xml version="1.0" encoding="UTF-8"?>',
        '<OpenSearchDescription xmlns="http://a9.com/-/spec/opensearch/1.1/">',
        `<ShortName>${escapeHtml(fitting(title, 16))}</ShortName>`,
        `<LongName>${escapeHtml(fitting(title, 48))}</LongName>`,
        `<Description>${escapeHtml(fitting(`Search ${title}`, 1024))}</Description>`,
        '<InputEncoding>UTF-8</InputEncoding>',
        `<Image type="${logo?.type ?? 'image/svg+xml'}">${escapeHtml(base + (logo ? logoHref(logo) : 'favicon.ico'))}</Image>`,
        url('text/html', '?q={searchTerms}'),
        url(
          'application/json',
          'search?q={searchTerms}&limit={count?}&offset={startIndex?}',
          ' indexOffset="0"',
        ),
        url(
          'application/x-suggestions+json',
          'complete?format=suggestions&q={searchTerms}',
          ' rel="suggestions"',
        ),
        url('application/opensearchdescription+xml', 'opensearch.xml', ' rel="self"'),
        '</OpenSearchDescription>\n',
      ].join('\n');
      const type = 'application/opensearchdescription+xml; charset=utf-8';
      return { body, headers: { 'content-type': type, 'cache-control': 'no-cache' } };
    },
  };
}
