import type { Setting } from '../kernel/index.ts';
import { defaultLanguage, languages } from '../query/index.ts';
import { defaultTtlSeconds } from '../store/index.ts';
import { classicSettings } from './classic/settings.ts';

/** How much the index says of where a word stands: in which object (a common one in which eight), or at which place of it. */
export const glimpseSizes = ['tiny', 'small', 'medium'] as const;

export type GlimpseSize = (typeof glimpseSizes)[number];

export const brokerSettings: readonly Setting[] = [
  {
    key: 'broker.name',
    kind: 'text',
    default: 'Garner',
    describe: 'What this Broker is called on its pages and to its peers',
  },
  {
    key: 'broker.collect',
    kind: 'list',
    default: [],
    entry: 'the address of a Gatherer or Broker, or push:ID.KEY of one that pushes',
    example: '[ws://127.0.0.1:8500, wss://www.example.org/garner/wire]',
    describe: 'Addresses to collect from, such as ws://127.0.0.1:8500; push:ID.KEY of one that pushes',
  },
  {
    key: 'broker.filters',
    kind: 'records',
    default: [],
    entry: 'a table with the source and the query or the greatest age of what is wanted of it',
    example:
      '[{source: "ws://127.0.0.1:8500", query: "Type: report", max-age: 260w, age-attribute: Last-Modification-Time}]',
    describe:
      'Which objects are wanted of a source: those that match a query, those whose time in an attribute (Last-Modification-Time) is not too long ago, or both',
  },
  {
    key: 'broker.scheme',
    kind: 'text',
    default: '',
    describe:
      'Insist on one scheme of awareness with every source instead of letting each choose; for measurements',
  },
  {
    key: 'broker.interval',
    kind: 'duration',
    default: 300,
    describe: 'How long to wait for a hint before asking a source anyway',
  },
  {
    key: 'broker.grace',
    kind: 'duration',
    default: 3600,
    describe:
      'How long an object outlives its time-to-live here, so that its Gatherer can refresh or delete it first',
  },
  {
    key: 'broker.facets',
    kind: 'list',
    default: ['Language'],
    entry: 'the name of an attribute',
    example: '[Language, Author, Keywords]',
    describe:
      'Attributes whose values are counted beside the results and can be chosen, at most 4; another list indexes anew',
  },
  {
    key: 'broker.synonyms',
    kind: 'list',
    default: [],
    entry:
      'words that mean the same, as "car, automobile", "js => javascript" for one way, or the path of a file of such lines',
    example: '["car, automobile, motor car", "js => javascript", ./synonyms.txt]',
    describe:
      'Words that mean the same in this topic: each is searched as the others too, which count less; quotes or #nosynonyms in a query leave them out',
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
      'Whether readers may have the link of a result checked: it is asked for with HEAD, at most one in two seconds, and what is missing twice is no result any more',
  },
  {
    key: 'broker.tables',
    kind: 'flag',
    default: true,
    describe:
      'Whether readers may look at CSV and SQLite results as tables here: the Broker reads the document, at most 16 MiB and one in a second',
  },
  {
    key: 'broker.cache',
    kind: 'text',
    default: '',
    describe:
      'Address of an Object Cache that results are opened through: the encoded URL is put behind it; results open directly when empty',
  },
  {
    key: 'broker.templates',
    kind: 'records',
    default: [],
    entry: 'a table with a type and the attributes that results of it show',
    example: '[{type: Report, show: [Author as By, Keywords]}, {type: "*", show: [Author]}]',
    describe:
      'Attributes that results show beside title and passage, by type: each under its name, or as a label; "*" is for types without a table',
  },
  {
    key: 'broker.engine',
    kind: 'choice',
    choices: ['flexsearch', 'glimpse'],
    default: 'flexsearch',
    describe:
      'What indexes and searches: flexsearch ranks; glimpse is unranked and small, and reads stored objects to decide',
  },
  {
    key: 'broker.glimpse-size',
    kind: 'choice',
    choices: glimpseSizes,
    default: 'small',
    describe:
      'How much the glimpse index says of where a word stands: in which object, but of common words in which eight (tiny), in which one (small), or at which place of it (medium: phrases, NEAR, case and single attributes need no reading). Another size fills the index anew',
  },
  {
    key: 'broker.positions',
    kind: 'flag',
    default: true,
    describe:
      'Keep in the index where words stand; without, it is a third as large, phrases are found by reading objects and nearness does not count. Changing it builds the index anew',
  },
  {
    key: 'broker.feedback',
    kind: 'flag',
    default: true,
    describe:
      'Rank the results of long queries (seven words and more) also by what the best of them have in common',
  },
  {
    key: 'broker.freshness',
    kind: 'count',
    default: 0,
    min: 0,
    max: 100,
    describe:
      'Percent that the score of a document of today gains by its Last-Modification-Time; older ones gain less, see broker.freshness-half-life',
  },
  {
    key: 'broker.freshness-half-life',
    kind: 'duration',
    default: 180 * 86_400,
    describe: 'After how long a document has half of what broker.freshness gives',
  },
  {
    key: 'broker.popularity',
    kind: 'count',
    default: 0,
    min: 0,
    max: 100,
    describe:
      'Percent that the score of a document gains that more than a thousand other hosts link to (URL-References); fewer give less. Changing it to or from 0 builds the index anew',
  },
  {
    key: 'broker.time-to-live',
    kind: 'duration',
    default: defaultTtlSeconds,
    describe: 'How long an object lives that names no Time-to-Live, from its Update-Time',
  },
  {
    key: 'broker.cleaning',
    kind: 'duration',
    default: 60,
    describe: 'How often expired objects and old tombstones are looked for',
  },
  {
    key: 'broker.log-level',
    kind: 'choice',
    choices: ['debug', 'info', 'warn', 'error', 'silent'],
    default: 'info',
    describe: 'Least level of the lines that are kept for `garner broker log` and the administration page',
  },
  {
    key: 'broker.log-events',
    kind: 'list',
    default: [],
    entry: 'the name of an event, as `msg` in the log',
    example: '[round, source]',
    describe: 'Events whose lines are kept for `garner broker log`; every event when there are none',
  },
  {
    key: 'broker.language',
    kind: 'choice',
    choices: languages,
    default: defaultLanguage,
    describe:
      'The language of objects that neither name theirs nor show it by their text; the index is built anew when it changes',
  },
  {
    key: 'broker.snippet',
    kind: 'count',
    default: 240,
    min: 40,
    max: 2000,
    describe: 'Characters of a snippet',
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
];
