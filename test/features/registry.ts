import type { Area } from './feature.ts';

const slice = 'a Registry lists two Brokers and searches them as one, and names the one that stopped';
const refused =
  'a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum';
const deadline =
  'a federated search waits for no Broker longer than its deadline, and names each that failed';
const liars = 'a federated search has the order of one Broker with all objects, and no liar changes it';

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
  'registry.federated-order': {
    feature: 'A federated search has the order of one Broker that holds all objects.',
    test: liars,
  },
  'registry.liar': {
    feature:
      'A Broker with impossible counts or scores is left out and named, and the others keep their order.',
    test: liars,
  },
  'registry.duplicates': {
    feature: 'A page of two Gatherers in two Brokers is one hit that names both Brokers.',
    test: 'a page of two Gatherers in two Brokers is one hit that names both',
  },
  'registry.version-skew': {
    feature: 'A Broker of version 0.2 is searched together with newer ones.',
    test: 'an answer of version 0.2 is merged with those of today',
  },
  'registry.hostile': {
    feature: 'Any registered Broker costs a federated search at most its deadline and 16 MB.',
    test: 'any registered Broker costs a federated search at most its deadline and 16 MB, and is named',
  },
  'registry.private-address': {
    feature: 'A federated search connects to no private address, whatever its name resolves to.',
    test: 'a federated search connects to no private address, whatever its name resolves to',
  },
  'registry.asked-brokers': {
    feature:
      'A search asks a bounded number of Brokers, live and long registered ones first, few of a host, and names the others.',
    test: 'of the listed Brokers the live and longest registered are chosen, few of a host, each address once',
  },
  'registry.busy': {
    feature:
      'Few federated searches run at once, for each client and for all; others get 503 with Retry-After.',
    test: 'few federated searches run at once, for each client and for all',
  },
  'registry.stragglers': {
    feature:
      'A federated search takes as long as the slowest Broker in each of its two rounds, and no longer.',
    test: 'a federated search takes as long as the slowest Broker of each of its two rounds, and no longer',
  },
  'registry.late-answer': {
    feature: 'At its deadline a federated search answers, and a later answer is thrown away.',
    test: 'at its deadline a federated search answers with the Brokers that have answered, even beside stubborn ones',
  },
  'registry.search-parameters': {
    feature: 'The number of Brokers and the deadline of a federated search are bounded parameters.',
    test: 'the parameters of a federated search are bounded',
  },
  'registry.search-verb': {
    feature: '`garner search` prints the answer of the page of a Registry, as text and as JSON.',
    test: slice,
  },
  'registry.partial': {
    feature:
      'The total of a federated search says of how many Brokers it is, in JSON, on the page and in a terminal.',
    test: slice,
  },
};
