import type { Area } from './feature.ts';

const slice = 'a Registry lists two Brokers and searches them as one, and names the one that stopped';
const refused =
  'a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum';
const deadline =
  'a federated search waits for no Broker longer than its deadline, and names each that failed';

const tables =
  'each type of server has its mandatory attributes, and a description without one is refused by its name';
const counted =
  'a Broker counts its types, languages, size and backlog, and asks its index once for all that did not change';
const every =
  'every kind of server lists itself within two seconds with what it counted, and nothing that is private';

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
    feature: 'A description with a wrong attribute, or larger than allowed, is refused by name.',
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
  'registry.tables': {
    feature:
      'Each type of server has mandatory attributes, and a description without one is refused by its name.',
    test: tables,
  },
  'registry.sound': { feature: 'The description of each type is sound SOIF.', test: tables },
  'registry.harvest-names': {
    feature: 'A Gatherer is described by the names of Harvest, such as Gatherer-Host and Refresh-Rate.',
    test: 'a Gatherer is described by the names that Harvest gave',
  },
  'registry.links': {
    feature:
      'Sources, roots and parents are listed by address, without user, password, query and path of a file.',
    test: 'the links, roots and counts of a description are read back, and an address loses what is private',
  },
  'registry.topic': {
    feature: 'A server counts a few telling words of its objects.',
    test: 'the topic of a collection is words that many of its objects have and other texts do not',
  },
  'registry.counted': {
    feature:
      'A Broker counts its types, languages and size with one facet query, and none where nothing changed.',
    test: counted,
  },
  'registry.backlog': { feature: 'A Broker whose index is behind shows by how many changes.', test: counted },
  'registry.changes': {
    feature: 'A link that breaks is sent a second later, many together, and the renewal keeps its time.',
    test: 'changes are sent together a second later, and the renewal keeps its time',
  },
  'registry.every-server': {
    feature: 'A Gatherer, Broker, cache or Registry is listed within two seconds, with no private fact.',
    test: every,
  },
  'registry.four': {
    feature:
      '`garner registry describe` shows the administrator, location, version and counted types of a Broker.',
    test: every,
  },
  'registry.found': { feature: 'Every attribute of a description is found by a query.', test: every },
  'registry.unset': {
    feature: 'Without `server.registry` no server opens a connection.',
    test: 'without server.registry no server opens a connection',
  },
  'registry.up-asks': {
    feature: '`garner up` asks on a terminal before it registers; the default is no.',
    test: 'garner up asks on a terminal before it registers, and elsewhere registers where the file says so',
  },
};
