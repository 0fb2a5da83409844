import type { Area } from './feature.ts';

const slice = 'a Registry lists two Brokers and searches them as one, and names the one that stopped';
const refused =
  'a Registry refuses forged, stale and future registrations, other objects, and servers beyond its maximum';
const deadline =
  'a federated search waits for no Broker longer than its deadline, and names each that failed';
const liars = 'a federated search has the order of one Broker with all objects, and no liar changes it';

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
  'registry.chosen': {
    feature: 'A search that asks fewer Brokers than are listed asks those whose summaries have its words.',
    test: slice,
  },
};
