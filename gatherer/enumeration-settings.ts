import type { Setting } from '../kernel/index.ts';

/** What an operator may set about the enumeration of web sites. 0 means no limit where a limit is counted. */
export const enumerationSettings: readonly Setting[] = [
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
    describe: 'Most URLs asked for in one run over one root; 0 is no limit.',
  },
  {
    key: 'gatherer.max-depth',
    kind: 'count',
    default: 0,
    min: 0,
    describe: 'Most links from the root to a document; 0 is no limit.',
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
