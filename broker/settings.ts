import type { Setting } from '../kernel/index.ts';

/** Objects given to the engine in one batch, at the most. */
export const indexBatchObjects = 1000;

/** Summary bytes given to the engine in one batch, at the most (one object may be larger). */
export const indexBatchBytes = 4 * 1024 * 1024;

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
    key: 'broker.snippet',
    kind: 'count',
    default: 240,
    min: 40,
    max: 2000,
    describe: 'Characters of a snippet',
  },
];
