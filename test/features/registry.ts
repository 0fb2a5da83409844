import type { Area } from './feature.ts';

const slice = 'a Registry lists two Brokers and searches them as one, and names the one that stopped';
const refused =
  'a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum';
const deadline =
  'a federated search waits for no Broker longer than its deadline, and names each that failed';

export const registry: Area = {
  'registry.page': {
    feature: 'The page of a Registry lists every registered server, in light and dark, on a phone too.',
    test: slice,
  },
  'registry.federated': {
    feature:
      'Its box searches the objects of all registered Brokers as one list, and each hit names its Broker.',
    test: slice,
  },
  'registry.stopped': {
    feature: 'A Broker that stopped is named in the answer, and the results of the others are shown.',
    test: slice,
  },
  'registry.self-registration': {
    feature: 'A Broker, Gatherer or Registry with `server.registry` lists itself.',
    test: slice,
  },
  'registry.renewal': {
    feature: 'A lease is renewed by a short message, and a changed description is sent with it.',
    test: 'a server is listed, renews its lease with a short message, and sends what changed',
  },
  'registry.lease': {
    feature: 'A server without a renewal is late, and gone when its lease has ended.',
    test: 'a server whose lease is not renewed is late, then gone',
  },
  'registry.withdrawal': {
    feature:
      'A server that ends in order is withdrawn at once, and a kept registration does not bring it back.',
    test: 'a server that ends in order is withdrawn at once, and may return in the next second',
  },
  'registry.signature': {
    feature: 'A registration with a wrong signature or with another key than the known one is refused.',
    test: refused,
  },
  'registry.replay': {
    feature: 'A registration with an old or future Update-Time is refused.',
    test: refused,
  },
  'registry.bound': { feature: 'A Registry lists no more servers than its maximum.', test: refused },
  'registry.description': {
    feature: 'A description is a summary object; any is read back from its SOIF.',
    test: 'a description of any server is read back from its SOIF',
  },
  'registry.attributes': {
    feature: 'A description without a mandatory attribute, or larger than allowed, is refused by name.',
    test: 'a description without what it must have, or with what it may not have, is refused by name',
  },
  'registry.deadline': {
    feature: 'A stalled, late, endless, garbled, failing or redirecting Broker costs at most its deadline.',
    test: deadline,
  },
  'registry.list': {
    feature: '`garner registry list` and `describe` print the servers, as text and as JSON.',
    test: slice,
  },
  'publish.invalid': {
    feature: 'A `POST /publish` that is no publication is refused with the reason.',
    test: 'what is no publication is refused with the reason',
  },
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
};
