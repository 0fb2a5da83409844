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
  'registry.own-keys': {
    feature: 'A registration under a foreign id does not affect collecting from that server.',
    test: 'a registration under a foreign id leaves the keys of collecting alone, and theirs are respected',
  },
  'registry.kept-keys': {
    feature: 'The key of a server outlives its last description by a month, within a bound.',
    test: 'the key of a server is known for a month after its last description, and no more of them than servers',
  },
  'registry.refusals': {
    feature: 'A forged, copied, replayed, oversized or blocked registration is refused by name.',
    test: 'each refused registration is named in the answer and in the audit',
  },
  'registry.audit': {
    feature: 'The audit of a Registry has the registrations that it refused, each with the reason.',
    test: 'a real Registry audits what it refuses, keeps out what its operator blocked, and lists by pages',
  },
  'registry.blocked': {
    feature: 'A server or URL that the operator has removed for good does not register again.',
    test: 'a real Registry audits what it refuses, keeps out what its operator blocked, and lists by pages',
  },
  'registry.audit-flood': {
    feature: 'Strangers cannot fill the audit with refusals: each network and all together have a bound.',
    test: 'a flood of refusals is reported in few lines, and its size in the next one',
  },
  'registry.client-rate': {
    feature: 'A client network registers at a bounded rate, and gets the time after which it may return.',
    test: 'a client network has a rate of registrations, and learns when to return',
  },
  'registry.client-slots': {
    feature: 'A client network has a bounded number of registrations verified at once.',
    test: 'a client gate bounds the rate and the number at once, for each client and for all',
  },
  'registry.identities': {
    feature: 'One server id has at most eight descriptions.',
    test: 'one server id has few descriptions, and an ended one makes room',
  },
  'registry.flood': {
    feature: 'Servers that register and withdraw again and again fill neither the store nor the keys.',
    test: 'ids that are registered and withdrawn again and again fill neither the store nor the keys',
  },
  'registry.kept-registration': {
    feature: 'A registration that somebody has kept brings no server back, even when its end is forgotten.',
    test: 'a registration that was kept does not bring a withdrawn server back, even when its end is forgotten',
  },
  'registry.race': {
    feature: 'A registration does not overwrite what is collected at the same moment.',
    test: 'a version that is collected while a registration is verified is not overwritten',
  },
  'registry.pages': {
    feature: '`GET /servers` has pages and filters by type, state, words and the start of the address.',
    test: 'GET /servers has pages, and filters by type, state, words and the start of the address',
  },
  'registry.look-up': {
    feature: 'A server is found by id, server id, address and the start of an address.',
    test: 'servers are found by id, server id, address and the start of an address as in a plain list',
  },
  'registry.list-pages': {
    feature: '`garner registry list` follows all pages, and passes its filters on.',
    test: 'registry list follows the pages of a Registry to their end',
  },
  'registry.retries': {
    feature: 'A server that is refused returns later and later, at a time of chance.',
    test: 'a refused server returns later and later, never within a second, and not with the others',
  },
  'registry.retry-after': {
    feature: 'A server obeys the `Retry-After` of a Registry that is overloaded.',
    test: 'a Registry that is overloaded is obeyed, up to an hour',
  },
  'registry.farewell': {
    feature: 'A registration whose answer was lost is withdrawn too when the server ends.',
    test: 'a registration whose answer was lost is withdrawn too',
  },
  'registry.renewal-setting': {
    feature: 'A renewal that is not in whole seconds, or not shorter than the lease, is refused by name.',
    test: 'a renewal is in whole seconds, at least one, and shorter than the lease, or the setting is named',
  },
  'registry.summary': {
    feature:
      'A Broker lists its telling words in a summary of at most 4 KiB, or 60 KiB with more than 100 MB of text.',
    test: 'a small Broker has a summary of at most 4 KiB, and one with more than 100 MB of text has a larger one',
  },
  'registry.summary-form': {
    feature: 'The summary of any vocabulary fits, and is read back from its text.',
    test: 'any vocabulary becomes a summary that fits and is read back as it was',
  },
  'registry.summary-hostile': {
    feature: 'A text that is no content summary is refused with the reason.',
    test: 'what is no summary is refused with the reason',
  },
  'registry.summary-liar': {
    feature: 'A summary claims at most the number of objects of its description for each word.',
    test: 'a summary claims no more than its number of objects, and a liar takes one place only',
  },
  'registry.summary-steady': {
    feature: 'A summary is sent again only when enough of its words have changed.',
    test: 'a summary is not worth sending again after one object of a hundred changed, and is after many',
  },
  'registry.summary-read': {
    feature: 'A Broker reads its vocabulary only when its index has changed, and at most once per renewal.',
    test: 'a summary is read from the index once for each change of it, not more often than allowed',
  },
  'registry.choosing-languages': {
    feature: 'Brokers in German, Japanese and English are chosen for queries in these languages.',
    test: 'a Broker in German, one in Japanese and one in English are chosen for queries in their language',
  },
  'registry.choosing-sizes': {
    feature: 'A large Broker with many objects on a word is chosen before a tiny one with a single object.',
    test: 'a large Broker with many objects on a word comes before a tiny one with a single object',
  },
  'registry.delta': {
    feature: 'A description that changed is sent as its change, and the signature covers the result.',
    test: 'of a description with a long attribute, a later change is sent alone, and fits what is stored',
  },
  'registry.vocabulary': {
    feature: 'Both embedded engines list the words of an index, each with its number of objects.',
    test: 'flexsearch: the vocabulary has every word of bare words with its number of objects',
  },
  'figure.federation-cranfield-clustered': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cranfield, cut by topic.',
    bench: 'federation',
    table: 'cranfield, clustered: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cranfield-random': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cranfield, cut at random.',
    bench: 'federation',
    table: 'cranfield, random: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cisi-clustered': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cisi, cut by topic.',
    bench: 'federation',
    table: 'cisi, clustered: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-cisi-random': {
    feature: 'The quality of five chosen Brokers of thirty is measured: cisi, cut at random.',
    bench: 'federation',
    table: 'cisi, random: nDCG@10 of five Brokers, of asking all',
    row: "Garner's choice by the summaries",
  },
  'figure.federation-summary': {
    feature: 'The size of a content summary is measured.',
    bench: 'federation',
    row: 'largest summary of a Broker',
  },
  'figure.federation-large': {
    feature: 'The size of the content summary of a Broker with more than 100 MB of text is measured.',
    bench: 'federation',
    row: 'its summary, of the text',
  },
  'figure.federation-update': {
    feature: 'The bytes that a description sends after 1 % of the objects changed are measured.',
    bench: 'federation',
    row: 'sent after 1 % of its objects changed, of the first sending',
  },
};
