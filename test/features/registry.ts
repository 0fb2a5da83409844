import type { Area } from './feature.ts';

const slice = 'a Registry lists two Brokers and searches them as one, and names the one that stopped';
const refused =
  'a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum';
const deadline =
  'a federated search waits for no Broker longer than its deadline, and names each that failed';
const form = 'a stranger applies by form without scripts, and an administrator approves or refuses';
const proved = 'a server is proved when the site of each of its addresses names its id and key';

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
  'registry.form': {
    feature: 'The form `/register` holds an application for a server that does not register itself.',
    test: form,
  },
  'registry.held': {
    feature:
      'An application is never listed before an administrator has approved it, and nothing of it is fetched.',
    test: 'an application is held, never listed, until an administrator approves it, and is then unsigned',
  },
  'registry.held-bound': {
    feature: 'At most 200 applications are held, few of one network, for 30 days, over a restart too.',
    test: 'held applications are bounded in all and for each network, end after 30 days and outlive a restart',
  },
  'registry.application': {
    feature: 'An application that is no description is refused by name.',
    test: 'an application that is no description is refused by name',
  },
  'registry.approve': {
    feature:
      'The administration page and `garner registry approve` decide about applications, with an audit.',
    test: form,
  },
  'registry.register': {
    feature: '`garner registry register` applies from a terminal, and lists at once with the token.',
    test: form,
  },
  'registry.foreign-lease': {
    feature: 'The lease of an approved server is renewed while it answers.',
    test: 'the lease of an approved server is renewed while it answers, and ends when it does not',
  },
  'registry.proof': {
    feature: 'A Registry shows whether the site of each address of a server names its id and key.',
    test: proved,
  },
  'registry.proof-own': {
    feature: 'Every server serves the document that proves its own address.',
    test: 'a server proves its address by its own document, and a site proves or does not prove one below it',
  },
  'registry.proof-bound': {
    feature: 'A site is asked once an hour or for a new claim, at most once a minute.',
    test: 'a site is asked once an hour, and at once for a new claim, but once a minute at most',
  },
  'registry.proof-hostile': {
    feature: 'Private addresses are never asked for a proof, and no other answer than the document is one.',
    test: 'a site that is not reached, private or failing leaves a server unchecked; any other answer is no proof',
  },
  'broker.require-proof': {
    feature:
      'With `broker.require-proof` an object is taken only where the site of its URL names its Gatherer.',
    test: 'a Broker that requires proof keeps the objects of the Gatherer that a site names, and not those of a liar',
  },
};
