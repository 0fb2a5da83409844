import type { Setting } from '../../kernel/index.ts';
import { usualIgnored } from './addresses/ignored-parameters.ts';

/** Settings of the enumeration of web sites and folders. For counted limits, 0 means no limit. */
export const enumerationSettings: readonly Setting[] = [
  {
    key: 'gatherer.roots',
    kind: 'records',
    default: [],
    bare: 'url',
    entry: 'a URL, alone or as url with options beside it (docs/roots.md)',
    example: "['https://www.example.org/', { url: 'ftp://ftp.example.org/pub/', url-max: 5000 }]",
    describe:
      'Roots gathered besides the site: url, and url-max, url-filter, host-max, host-filter, access, delay, depth, search, enumeration, credentials',
  },
  {
    key: 'gatherer.leaves',
    kind: 'list',
    default: [],
    entry: 'an http, https, ftp or gopher URL',
    example: "['https://www.example.org/one-page.html']",
    describe: 'Single URLs that are gathered without following their links',
  },
  {
    key: 'gatherer.local-mapping',
    kind: 'records',
    default: [],
    entry: 'a URL that ends in a slash, and the folder of its documents',
    example: "[{ url: 'https://www.example.org/docs/', path: /srv/www/docs }]",
    describe: 'URLs that are read from the disk of their server: url (a prefix) and path',
  },
  { key: 'gatherer.robots', kind: 'flag', default: true, describe: 'Obey robots.txt (RFC 9309).' },
  {
    key: 'gatherer.sitemaps',
    kind: 'flag',
    default: true,
    describe: 'Read sitemap.xml for URLs that no link leads to.',
  },
  {
    key: 'gatherer.page-lists',
    kind: 'flag',
    default: true,
    describe:
      'Read the search index that Sphinx and MkDocs write beside their pages for URLs that no link leads to.',
  },
  {
    key: 'gatherer.ignore-parameters',
    kind: 'list',
    default: usualIgnored,
    entry: 'the name of a parameter; * at its end means any further characters',
    example: '[phpsessid, jsessionid, utm_*, sid]',
    describe:
      'Parameters of a web address that are no part of it: sessions and campaigns. Your list replaces the usual one.',
  },
  {
    key: 'gatherer.learn-parameters',
    kind: 'flag',
    default: true,
    describe: 'Ignore a parameter of a web address too when the page is the same for all its values.',
  },
  {
    key: 'gatherer.trap-pages',
    kind: 'count',
    default: 250,
    min: 0,
    describe:
      'Max pages of a web site whose addresses follow one pattern and that show nothing new; 0 is no limit.',
  },
  {
    key: 'gatherer.stay-below',
    kind: 'flag',
    default: false,
    describe: "Gather only documents below the root's folder, not the whole host.",
  },
  {
    key: 'gatherer.concurrency',
    kind: 'count',
    default: 0,
    min: 0,
    max: 64,
    describe: 'Documents read at a time from one site; 0 is 4, and 8 from this machine itself.',
  },
  {
    key: 'gatherer.max-urls',
    kind: 'count',
    default: 0,
    min: 0,
    describe: 'Max URLs requested, or files of a folder, in one run over one root; 0 is no limit.',
  },
  {
    key: 'gatherer.max-depth',
    kind: 'count',
    default: 0,
    min: 0,
    describe:
      'Max links from the root to a document, or steps down to a file (1: those of the root folder); 0 is no limit.',
  },
  {
    key: 'gatherer.max-document-bytes',
    kind: 'size',
    default: 64 * 1024 * 1024,
    describe: 'Max size of a document; larger ones are left out and reported.',
  },
  {
    key: 'gatherer.frontier-urls',
    kind: 'count',
    default: 100_000,
    min: 2,
    describe: 'Max URLs waiting in memory; more wait in a temporary file.',
  },
];
