import type { Setting } from '../../kernel/index.ts';

/** What an operator may set about the enumeration of web sites and folders. 0 means no limit where a limit is counted. */
export const enumerationSettings: readonly Setting[] = [
  {
    key: 'gatherer.roots',
    kind: 'records',
    default: [],
    bare: 'url',
    entry: 'a URL, alone or as url with options beside it (docs/roots.md)',
    example: "['https://www.example.org/', { url: 'ftp://ftp.example.org/pub/', url-max: 5000 }]",
    describe:
      'What is gathered beside the site: url, and url-max, url-filter, host-max, host-filter, access, delay, depth, search, enumeration, credentials',
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
    entry: 'a URL that ends in a slash, and the folder that its documents lie in',
    example: "[{ url: 'https://www.example.org/docs/', path: /srv/www/docs }]",
    describe: 'URLs that are read from disk where their server lies: url (a prefix) and path',
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
      'Read the search index that Sphinx and MkDocs leave beside their pages for URLs that no link leads to.',
  },
  {
    key: 'gatherer.stay-below',
    kind: 'flag',
    default: false,
    describe: "Gather only what lies below the root's folder, not the whole host.",
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
    describe: 'Most URLs asked for, or files of a folder, in one run over one root; 0 is no limit.',
  },
  {
    key: 'gatherer.max-depth',
    kind: 'count',
    default: 0,
    min: 0,
    describe:
      'Most links from the root to a document, or steps down to a file (1: those of the root folder); 0 is no limit.',
  },
  {
    key: 'gatherer.max-document-bytes',
    kind: 'size',
    default: 64 * 1024 * 1024,
    describe: 'Largest document that is read; larger ones are left out and reported.',
  },
  {
    key: 'gatherer.frontier-urls',
    kind: 'count',
    default: 100_000,
    min: 2,
    describe: 'URLs waiting in memory; more of them wait in a temporary file.',
  },
];
