import type { Setting } from '../kernel/index.ts';
import { defaultLanguage, languages } from '../query/index.ts';
import { defaultTtlSeconds } from '../store/index.ts';
import { classicSettings } from './classic/settings.ts';
import { publishingSettings } from './publishing/settings.ts';

/** Whether the index records a word by object (tiny: common words by blocks of eight) or by place in it. */
export const glimpseSizes = ['tiny', 'small', 'medium'] as const;

export type GlimpseSize = (typeof glimpseSizes)[number];

export const brokerSettings: readonly Setting[] = [
  {
    key: 'broker.name',
    kind: 'text',
    default: 'Garner',
    describe:
      'Name of this Broker or Registry on its pages and to its peers; that of a Registry is its host and port when absent',
  },
  {
    key: 'broker.collect',
    kind: 'list',
    default: [],
    entry: 'the address of a Gatherer or Broker, or push:ID.KEY of one that pushes',
    example: '[ws://127.0.0.1:8500, wss://www.example.org/garner/wire]',
    describe:
      'Addresses to collect from, for example ws://127.0.0.1:8500; push:ID.KEY for a source that pushes',
  },
  {
    key: 'broker.filters',
    kind: 'records',
    default: [],
    entry: 'a table with the source, and the query or the maximum age of its wanted objects',
    example:
      '[{source: "ws://127.0.0.1:8500", query: "Type: report", max-age: 260w, age-attribute: Last-Modification-Time}]',
    describe:
      'Objects wanted from a source: those that match a query, those whose time in an attribute (Last-Modification-Time) is recent enough, or both',
  },
  {
    key: 'broker.source-access',
    kind: 'records',
    default: [],
    secret: true,
    entry: 'a table with the source, and its token, token-env, ca (a PEM file), max-objects or max-bytes',
    example:
      '[{source: "wss://www.example.org/garner/wire", token-env: EXAMPLE_TOKEN, ca: ./our-authority.pem}]',
    describe:
      'Token that is sent to one source in the place of wire.token (token, or token-env for a variable), the authority that signs the certificate of that source (ca), and its quota (max-objects, max-bytes)',
  },
  {
    key: 'broker.scheme',
    kind: 'text',
    default: '',
    describe:
      'Force one scheme of awareness with every source instead of letting each choose; for measurements',
  },
  {
    key: 'broker.interval',
    kind: 'duration',
    default: 300,
    describe: 'How long to wait for a hint before querying a source anyway',
  },
  {
    key: 'broker.grace',
    kind: 'duration',
    default: 3600,
    describe:
      'How long an object stays in this Broker after its time-to-live, so that its Gatherer can refresh or delete it first',
  },
  {
    key: 'broker.recent-searches',
    kind: 'flag',
    default: true,
    describe:
      "Whether the search page may keep a reader's last searches in the browser, which are never sent; each reader can turn this off",
  },
  {
    key: 'broker.facets',
    kind: 'list',
    default: ['Language'],
    entry: 'the name of an attribute',
    example: '[Language, Author, Keywords]',
    describe:
      'Attributes whose values are counted beside the results and can be filtered by, at most 4; a changed list rebuilds the index',
  },
  {
    key: 'broker.synonyms',
    kind: 'list',
    default: [],
    entry:
      'words with the same meaning, "car, automobile" for both ways or "js => javascript" for one way, or the path of a file of such lines',
    example: '["car, automobile, motor car", "js => javascript", ./synonyms.txt]',
    describe:
      'Words with the same meaning in this topic: a search for one also finds the others, which count less; quotes or #nosynonyms in a query turn this off',
  },
  {
    key: 'broker.search-log',
    kind: 'choice',
    choices: ['off', 'counts'],
    default: 'off',
    describe:
      'Whether queries are counted, without addresses and times, for garner broker searches; at most 10,000 different ones',
  },
  {
    key: 'broker.link-checks',
    kind: 'flag',
    default: true,
    describe:
      'Whether readers may have the link of a result checked: the Broker sends a HEAD request, at most one in two seconds, and hides a result whose page was missing twice',
  },
  {
    key: 'broker.tables',
    kind: 'flag',
    default: true,
    describe:
      'Whether readers may view CSV and SQLite results as tables: the Broker reads the document, at most 16 MiB and one a second',
  },
  {
    key: 'broker.cache',
    kind: 'text',
    default: '',
    describe:
      'Address of an Object Cache through which results are opened: the encoded URL is appended to it; results open directly when empty',
  },
  {
    key: 'broker.templates',
    kind: 'records',
    default: [],
    entry: 'a table with a type and the attributes that results of it show',
    example: '[{type: Report, show: [Author as By, Keywords]}, {type: "*", show: [Author]}]',
    describe:
      'Attributes that results show beside title and passage, by type: each under its name or under a label; "*" is for types without a table',
  },
  {
    key: 'broker.engine',
    kind: 'choice',
    choices: ['flexsearch', 'glimpse'],
    default: 'flexsearch',
    describe:
      'The search engine: flexsearch ranks; glimpse is unranked and small, and reads stored objects to complete its answers',
  },
  {
    key: 'broker.glimpse-size',
    kind: 'choice',
    choices: glimpseSizes,
    default: 'small',
    describe:
      'How precisely the glimpse index records a word: the object, but for common words the block of eight objects (tiny), the object (small), or the place in the object (medium: phrases, NEAR, case and single attributes need no reading). A changed size rebuilds the index',
  },
  {
    key: 'broker.positions',
    kind: 'flag',
    default: true,
    describe:
      'Store the positions of words in the index. Without them the index is a third as large, phrases are found by reading objects, and nearness does not count. Changing it rebuilds the index',
  },
  {
    key: 'broker.feedback',
    kind: 'flag',
    default: true,
    describe:
      'Rank the results of long queries (seven words or more) also by what the best results have in common',
  },
  {
    key: 'broker.freshness',
    kind: 'count',
    default: 0,
    min: 0,
    max: 100,
    describe:
      'Percent added to the score of a document whose Last-Modification-Time is today; older documents gain less, see broker.freshness-half-life',
  },
  {
    key: 'broker.freshness-half-life',
    kind: 'duration',
    default: 180 * 86_400,
    describe: 'Time after which a document has half of the gain of broker.freshness',
  },
  {
    key: 'broker.popularity',
    kind: 'count',
    default: 0,
    min: 0,
    max: 100,
    describe:
      'Percent added to the score of a document to which more than a thousand other hosts link (URL-References); fewer hosts add less. Changing it to or from 0 rebuilds the index',
  },
  {
    key: 'broker.time-to-live',
    kind: 'duration',
    default: defaultTtlSeconds,
    describe: 'Lifetime of an object without a Time-to-Live, from its Update-Time',
  },
  {
    key: 'broker.max-time-to-live',
    kind: 'duration',
    default: 10 * 365 * 86_400,
    describe:
      'Maximum lifetime of an object, whatever its Time-to-Live; no limit when 0. An Update-Time more than a day ahead counts as the time of arrival',
  },
  {
    key: 'broker.max-objects',
    kind: 'count',
    default: 0,
    min: 0,
    max: 1_000_000_000,
    describe:
      'Maximum objects of one source; no limit when 0. A source with more is full: changes and deletions of what is here still arrive, and nothing stored is deleted',
  },
  {
    key: 'broker.max-bytes',
    kind: 'size',
    default: 0,
    zero: 'no limit',
    describe: 'Maximum bytes of the summaries of one source, as broker.max-objects; no limit when 0',
  },
  {
    key: 'broker.min-free-disk',
    kind: 'size',
    default: 64 * 2 ** 20,
    zero: 'no floor',
    describe: 'Free disk space below which collecting waits, and then continues by itself; no floor when 0',
  },
  {
    key: 'broker.silent-after',
    kind: 'duration',
    default: 3600,
    describe: 'Time without an answer from a source after which /health reports it as silent',
  },
  {
    key: 'broker.require-proof',
    kind: 'flag',
    default: false,
    describe:
      'Take an object from a source only when the site of its URL names its Gatherer in /.well-known/garner.json; hosts in private networks must be in fetch.allow-hosts',
  },
  {
    key: 'broker.cleaning',
    kind: 'duration',
    default: 60,
    describe: 'How often expired objects and old tombstones are removed',
  },
  {
    key: 'broker.log-level',
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    describe: 'Minimum level of the log lines stored for `garner broker log` and the administration page',
  },
  {
    key: 'broker.log-events',
    kind: 'list',
    default: [],
    entry: 'the name of an event, as `msg` in the log',
    example: '[round, source]',
    describe: 'Events whose log lines are stored for `garner broker log`; every event when the list is empty',
  },
  {
    key: 'broker.language',
    kind: 'choice',
    choices: languages,
    default: defaultLanguage,
    describe:
      'The language of objects that neither name it nor show it by their text; changing it rebuilds the index',
  },
  {
    key: 'broker.snippet',
    kind: 'count',
    default: 240,
    min: 40,
    max: 2000,
    describe: 'Maximum length of a snippet in characters',
  },
  {
    key: 'broker.webhook-hosts',
    kind: 'list',
    default: [],
    entry: 'a host (its ports 80 and 443), or host:port',
    example: '[127.0.0.1:9000, intranet.example.org]',
    describe:
      'Hosts at private addresses to which changes of views may be sent; public addresses need not be listed',
  },
  ...classicSettings,
  ...publishingSettings,
];
