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
  'publish.token': {
    feature:
      'A Broker takes SOIF or JSON under a write token, and objects are refreshed and withdrawn the same way.',
    test: 'a token publishes, refreshes and withdraws SOIF below its prefix, as SOIF and as JSON',
  },
  'publish.signed': {
    feature:
      'A Broker takes what a listed server has signed, and refuses replays, old versions and other keys.',
    test: 'a listed server publishes what it signs; another key, replays, older and foreign ones are refused',
  },
  'publish.soif': {
    feature: 'The signature of a SOIF body is in headers, which openssl and curl can make.',
    test: 'a signature travels with SOIF in headers',
  },
  'publish.prefix': {
    feature: 'A publisher has URL prefixes, which no spelling of an address leaves.',
    test: 'a URL is below a prefix by its normal form and at a border of the path',
  },
  'publish.refused': {
    feature:
      'A publication outside the prefix, without a token or with a wrong time-to-live is refused by name.',
    test: 'what is outside the prefix, without a token, too long-lived, empty or too much is refused by name',
  },
  'publish.blocked': {
    feature: 'What an administrator has deleted cannot be published again until it changes, or for good.',
    test: 'a document that an administrator deleted is refused until it changes, or for good',
  },
  'publish.bound': {
    feature: 'A publisher has no more documents at a Broker than `broker.max-publications`.',
    test: 'a publisher has no more documents than its maximum, also after a restart, and expired ones leave room',
  },
  'publish.collected': {
    feature:
      '`garner publish` sends SOIF files; they are found, audited where refused, collected by other Brokers, and outlive a restart.',
    test: 'a site without a Gatherer publishes to a Broker, from which another one collects',
  },
  'broker.centroid': {
    feature: '`GET /centroid` of a Broker is a full centroid by the grammar of RFC 1913.',
    test: 'the centroid of a Broker follows the grammar of RFC 1913 and lists the words of each attribute',
  },
  'broker.centroid.memory': {
    feature: 'A centroid of any size takes bounded memory.',
    test: 'a centroid larger than the memory it may take is the same, and follows deletions',
  },
  'broker.centroid.bounds': {
    feature:
      'An unchanged centroid is answered with 304, and a client that reads slowly or goes away holds one place at most.',
    test: 'an unchanged centroid is not made again; each client has one at a time, read as fast as it reads',
  },
};
