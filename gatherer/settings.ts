import type { Setting } from '../kernel/index.ts';
import { summaryTexts } from '../readers/document/index.ts';
import { annotationSettings } from './annotate/settings.ts';
import { enumerationSettings } from './enumerate/settings.ts';
import { gatherdSettings } from './serve/gatherd/settings.ts';
import { unnestSettings } from './unnest/settings.ts';

/** The objects of a source distribution: one, one for each member, or both. */
export type DistributionObjects = (typeof distributionObjects)[number];

export const distributionObjects = ['one', 'members', 'both'] as const;

export const gathererSettings: readonly Setting[] = [
  {
    key: 'gatherer.name',
    kind: 'text',
    default: '',
    describe: 'Name of this Gatherer; when empty, the host or folder it gathers',
  },
  {
    key: 'gatherer.text',
    kind: 'choice',
    choices: summaryTexts,
    default: 'full',
    describe: 'How much text a summary holds: all of it, the most significant parts, the best words, or none',
  },
  {
    key: 'gatherer.max-text',
    kind: 'size',
    default: 8 * 1024 * 1024,
    describe: 'Max text of one summary; a cut is reported in its Summary-Note',
  },
  {
    key: 'gatherer.ttl',
    kind: 'duration',
    default: 30 * 24 * 3600,
    describe: 'Time-to-Live of a summary: how long it is valid without a refresh',
  },
  {
    key: 'gatherer.refresh',
    kind: 'duration',
    default: 7 * 24 * 3600,
    describe: 'Refresh-Rate: how often an unchanged summary is refreshed and the site is gathered again',
  },
  {
    key: 'gatherer.recheck',
    kind: 'duration',
    default: 0,
    describe: 'How often a web site is checked for changes (conditional requests); 0 means at Refresh-Rate',
  },
  {
    key: 'gatherer.stop',
    kind: 'list',
    default: [],
    entry: 'a type, as the attribute Type of a summary has it, or one of your own',
    example: '[Image, Archive]',
    describe: 'Types that are left out, such as Image or Archive',
  },
  {
    key: 'gatherer.allow',
    kind: 'list',
    default: [],
    entry: 'a type, as the attribute Type of a summary has it, or one of your own',
    example: '[HTML, PDF]',
    describe: 'Keep only these types; every type when empty',
  },
  {
    key: 'gatherer.types-by-url',
    kind: 'records',
    default: [],
    entry: 'a pattern (a JavaScript regular expression) and its type',
    example: "[{ pattern: '/minutes/', type: Minutes }]",
    describe: 'Own rules of type recognition by URL: pattern and type',
  },
  {
    key: 'gatherer.types-by-name',
    kind: 'records',
    default: [],
    entry: 'a pattern (a JavaScript regular expression) and its type',
    example: "[{ pattern: '\\.recipe$', type: Recipe }]",
    describe: 'Own rules of type recognition by file name: pattern and type',
  },
  {
    key: 'gatherer.types-by-content',
    kind: 'records',
    default: [],
    entry: 'a pattern (a JavaScript regular expression) and its type',
    example: "[{ pattern: '^Ingredients:', type: Recipe }]",
    describe: 'Own rules of type recognition by the first kilobyte: pattern and type',
  },
  {
    key: 'gatherer.siblings',
    kind: 'records',
    default: [],
    entry: 'the type to drop and the types beside which it is dropped, * for any',
    example: '[{ drop: PostScript, beside: [Troff, Tex] }]',
    describe: 'Types that are left out beside their source: drop a type beside others of the same name',
  },
  {
    key: 'gatherer.explode',
    kind: 'list',
    default: ['mbox', 'bibtex', 'ris'],
    entry: 'one of mbox, bibtex, ris, jsonl and csv',
    example: '[mbox, bibtex, ris, csv]',
    describe: 'Files of many objects that are split: mbox, bibtex, ris, jsonl, csv',
  },
  {
    key: 'gatherer.source-distributions',
    kind: 'choice',
    choices: distributionObjects,
    default: 'one',
    describe: 'Objects made from a source archive: one, one for each member, or both',
  },
  {
    key: 'gatherer.quick-sum',
    kind: 'records',
    default: [],
    entry: 'a type, an attribute, and a pattern whose first group is its value',
    example: "[{ type: Text, attribute: Author, pattern: '^Written by (.*)' }]",
    describe: 'Attributes from the lines of a text: type, attribute and pattern',
  },
  {
    key: 'gatherer.summarisers',
    kind: 'records',
    default: [],
    entry: 'a type, with a command (and seconds) or a module, and mode if it is to replace',
    example: '[{ type: Text, command: [cat], seconds: 10 }]',
    describe:
      'Programs and modules that summarise a type: type, command (with seconds) or module, and mode add or replace',
  },
  {
    key: 'gatherer.rules',
    kind: 'records',
    default: [],
    entry: 'a condition (if; every summary without one), and the actions',
    example: '[{ if: \'Type == "Mail" && !Subject\', delete: true }]',
    describe: 'Rules for finished summaries: if, and set, remove, pipe, filter or delete',
  },
  {
    key: 'gatherer.rewrite',
    kind: 'records',
    default: [],
    entry: 'a pattern (from) and the address that replaces it (to), $1 for its first group',
    example: "[{ from: '^file:///srv/www/(.*)', to: 'https://www.example.org/$1' }]",
    describe: 'Publish documents under other URLs: from (a pattern) and to',
  },
  {
    key: 'gatherer.access',
    kind: 'records',
    default: [],
    entry: 'a name, a title and an address, in which {url} and {Attribute} are filled in; with if for some',
    example: "[{ name: map, title: Show it on a map, url: 'https://maps.example.org/?q={Title}' }]",
    describe: 'Access methods attached to objects: name, title, url, and if',
  },
  {
    key: 'gatherer.cpu-share',
    kind: 'count',
    default: 100,
    min: 1,
    max: 100,
    describe:
      'Max per cent of the CPU time of all cores for gathering, including other work of this process; 100 is no limit',
  },
  {
    key: 'gatherer.read-rate',
    kind: 'size',
    default: 0,
    zero: 'no limit',
    describe: 'Max bytes of documents read per second, from folders and servers; 0 is no limit',
  },
  {
    key: 'gatherer.request-rate',
    kind: 'count',
    default: 0,
    max: 100_000,
    describe:
      'Max requests per second to web, FTP, Gopher and news servers, over all hosts together, besides fetch.delay; 0 is no limit',
  },
  {
    key: 'gatherer.threads',
    kind: 'count',
    default: 0,
    max: 64,
    describe: 'Threads that summarise documents; 0 means one for each core',
  },
  {
    key: 'gatherer.thread-memory',
    kind: 'size',
    default: 512 * 1024 * 1024,
    describe: 'Max memory of a summarising thread; a document that needs more gets the plain summary',
  },
  {
    key: 'gatherer.document-time',
    kind: 'duration',
    default: 60,
    describe:
      'Max time for one document, or for each document in an archive; one that needs longer gets the plain summary',
  },
  {
    key: 'gatherer.hidden',
    kind: 'flag',
    default: false,
    describe: 'Gather files and folders whose name begins with a dot',
  },
  {
    key: 'gatherer.allow-empty',
    kind: 'flag',
    default: false,
    describe:
      'Accept that a folder is suddenly empty although it has 100 or more summaries, or is on another device now',
  },
  {
    key: 'gatherer.push-to',
    kind: 'list',
    default: [],
    entry: 'the address of a Broker',
    example: '[wss://search.example.org]',
    describe:
      'Brokers to which this Gatherer pushes every change, over a session that it opens; for Brokers that cannot connect to it',
  },
  ...enumerationSettings,
  ...unnestSettings,
  ...annotationSettings,
  ...gatherdSettings,
];
