import type { Area } from './feature.ts';

export const topology: Area = {
  'registry.topology': {
    feature:
      'The topology is a picture of sites, Gatherers, Brokers, caches and Registries, with a table of the same facts.',
    test: 'layers from sites to Registries, and every fact in the table too',
  },
  'registry.topology-live': {
    feature: 'A killed server turns broken on an open page within 2 s after its lease, without a reload.',
    test: 'a server that was killed turns broken, with its lines, within two seconds',
  },
  'registry.topology-keys': {
    feature: 'The keys lead through the boxes of the picture, and Enter to the row of a box.',
    test: 'the keys lead to a box, and Enter to its facts',
  },
  'registry.topology-many': {
    feature: 'Servers beyond the room of the picture are one box with their number.',
    test: 'three hundred servers are a number where they have no place, in picture and table',
  },
  'registry.topology-plain': {
    feature: 'The topology has a form for phones, and needs no script.',
    test: 'on a phone and without scripts',
  },
  'registry.topology-lines': {
    feature: 'A source is found by its server id or its address, whatever form its address has.',
    test: 'who collects from whom is found by server id, and by address in any form',
  },
  'registry.topology-state': {
    feature: 'A connection is as the collector reports it, and no better than the lease of the collector.',
    test: 'a line is no better than the lease of its collector, nor than that of a source that was not heard of since',
  },
  'registry.topology-bound': {
    feature: 'The topology has bounds for servers, sites and connections, and counts what it leaves out.',
    test: 'a topology has bounds, and counts what is left out, the healthy first',
  },
  'registry.topology-hostile': {
    feature: 'No description makes the topology fail or exceed its bounds.',
    test: 'whatever a description says of other servers, what is no link is left out and the rest is bounded',
  },
  'registry.topology-pace': {
    feature: 'A reader of its events gets each change, two a second at most, and none for an age.',
    test: 'a reader gets the version of a topology at each change, at most one in half a second, and none for an age',
  },
  'registry.ended': {
    feature:
      'The directory reports a server that turns late and a lease that ends, and remembers it for an hour.',
    test: 'a directory calls back when a server turns late, when its lease ends, and not for its deletion alone',
  },
  'registry.topology-shared': {
    feature: 'Readers of one topology share one rendering of its page.',
    test: 'the picture of a topology is made once for all its readers',
  },
  'registry.topology-page-pace': {
    feature: 'An open page of the topology is loaded again every two seconds at most, and not while hidden.',
    test: 'an open page is loaded again every two seconds at most, and never while it is hidden',
  },
};
