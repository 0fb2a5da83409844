import type { Area } from './feature.ts';

export const broker: Area = {
  'broker.collect': {
    feature: 'A Broker collects several sources, searches them apart and together, and learns their changes.',
    test: 'two sources are collected, searched apart and together, and changes are found',
  },
  'broker.hint': { feature: 'A hint alone brings a change.', test: 'a hint alone brings a change' },
  'broker.restart': {
    feature: 'A restarted Broker collects nothing again and answers before any source does.',
    test: 'a restart collects nothing again and answers before any source does',
  },
  'broker.replaced': {
    feature: 'Another server at an address replaces what the one before offered.',
    test: 'another server at an address replaces what the one before offered',
  },
  'broker.away': {
    feature: 'A source that is away is shown with its error, and its objects stay.',
    test: 'an unreachable source is reported with its error, and its objects stay',
  },
  'broker.lost-index': {
    feature: 'A lost index is built again from the store.',
    test: 'a lost index is rebuilt from the store',
  },
  'broker.api': {
    feature: 'The HTTP API answers as described and refuses what it cannot read.',
    test: 'the HTTP API answers as described, and refuses invalid requests',
  },
  'broker.bulk': {
    feature: 'Bulk transfer gives whole objects that match a query, with their signatures.',
    test: 'bulk transfer gives whole objects with their provenance',
  },
  'broker.bad-address': {
    feature: 'An address that is none is refused with its cure.',
    test: 'an invalid address is refused with a hint',
  },
  'broker.of-brokers': {
    feature: 'A Broker that collects from a Broker checks signatures of Gatherers that it never met.',
    test: 'a Broker that collects from a Broker checks the signatures of Gatherers that it never connected to',
  },
  'broker.proved-key': {
    feature: 'A key that a server proved outweighs what others said of it.',
    test: 'a key that a server has proved overrides keys reported by others',
  },
  'broker.removed-source': {
    feature: 'Objects of a source that was only removed from the settings stay.',
    test: 'a source replaced at its place is removed with its objects; objects of a removed source stay',
  },
  'broker.index-pace': {
    feature: 'A single change is indexed at once, and a stream of changes twice a second.',
    test: 'a single change is indexed at once, a stream of changes in passes of half a second, unless a caller waits',
  },
  'broker.check': {
    feature: '`garner broker check` finds damage, `--repair` mends it, and lost objects are collected again.',
    test: 'garner broker check finds damage and repairs it, and lost objects are collected again',
  },
  'broker.duplicates': {
    feature: 'URLs that several Gatherers have summarised are found, and the older summaries go on request.',
    test: 'a site under a new Gatherer: the older summaries of its URLs are found, and deleted on request',
  },
  'broker.duplicates-known': {
    feature: 'Duplicates are known as they come, after any history.',
    test: 'the known duplicates equal those of a full scan, after any history (seed 1)',
  },
  'broker.own-commands': {
    feature: 'A Gatherer and a Broker work by their own commands, with and without a serving process.',
    test: 'a Gatherer and a Broker by their own verbs, with and without servers',
  },
  'broker.held': {
    feature: '`broker collect` goes through the process that serves the Broker.',
    test: 'a Broker that is served and gets an order to collect',
  },
  'broker.unserved': {
    feature: 'Commands open the data themselves when no process serves the Broker.',
    test: 'a Broker that is not served',
  },
  'broker.verbs': {
    feature: '`garner broker searches`, `duplicates` and `source set` work for a Broker.',
    test: 'searches, duplicates and source set are verbs of a Broker, served or not',
  },
  'broker.upkeep': {
    feature:
      '`garner broker log`, `statistics`, `clean`, `compact` and `reindex` work while a Broker serves.',
    test: 'a Broker is administered from the command line while it serves; orders survive kill -9',
  },
};
