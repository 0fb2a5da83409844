import type { Area } from './feature.ts';

const form = 'a stranger applies by form without scripts, and an administrator approves or refuses';
const demo =
  'the demo runs nine servers that are searched as one, shows the one that is killed, and leaves none behind';
const proved = 'a server is proved when the site of each of its addresses names its id and key';

export const applications: Area = {
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
  'registry.gathered': {
    feature:
      'A new Gatherer or source is noted where a registered server covers it, with how to collect from that; the run goes on.',
    test: 'a new Gatherer and a new source are noted when a registered server covers them, and run all the same',
  },
  'registry.covers': {
    feature: 'A site is covered by its address: the whole, a part, another part of the host, or a source.',
    test: 'an address finds who gathers it, a part of it, or its host, and who collects from it',
  },
  'registry.alike': {
    feature: 'Servers with half or more of their contents in common are found by a small fingerprint.',
    test: 'fingerprints estimate the share of equal contents, by whichever Gatherer',
  },
  'registry.demo': {
    feature:
      '`garner up --demo-federation` runs a Registry, three Gatherers, three Brokers and two caches, and leaves none behind.',
    test: demo,
  },
  'registry.alike-found': {
    feature: 'Servers of the same contents are found without a comparison with each.',
    test: 'servers with half of their contents in common are those that a comparison with each would find',
  },
  'registry.queries': {
    feature: 'The directory answers queries such as `Type: broker AND Topic: tide AND Objects: >1000`.',
    test: 'the directory answers queries by type, topic and size, and a webhook of a view fires once for a new Gatherer',
  },
  'registry.standing-query': {
    feature: 'A view on the directory reports each new Gatherer to its webhook once.',
    test: 'the directory answers queries by type, topic and size, and a webhook of a view fires once for a new Gatherer',
  },
  'registry.tutorial': {
    feature:
      'A tutorial leads from three machines with nginx to one search page; its commands are run from the page.',
    test: 'the tutorial of three departments, copied from its page, makes three machines one search',
  },
  'registry.first-objects': {
    feature: 'A new Broker is listed with its objects before its first renewal.',
    test: 'a Broker that was empty is listed with its objects before its first renewal',
  },
  'registry.application-rate': {
    feature: 'A client network applies at a bounded rate, by the form and by the API.',
    test: form,
  },
  'registry.held-wide': {
    feature: 'An IPv6 /48 cannot fill the places for applications, and a refusal names the time to return.',
    test: 'an IPv6 /48 has four times the applications of one network, and who is refused learns when to return',
  },
  'registry.gathered-safe': {
    feature: 'The command in a note about a gathered address is quoted for the shell.',
    test: 'the command in a note is safe to copy, and a Registry sends no codes to the terminal',
  },
  'registry.gathered-once': {
    feature: 'A server is noted once, also when it gathers an address and has the same contents.',
    test: 'a server that gathers an address and has the same contents is noted once, and at most three are',
  },
  'registry.list-safe': {
    feature: '`garner registry list` prints no terminal codes of a Registry.',
    test: 'the list of a Registry sends no codes to the terminal, whatever attribute has them',
  },
  'registry.proof-cache': {
    feature: 'A cache serves the document that confirms it at its administration port.',
    test: 'a cache serves the document that confirms it at its administration port',
  },
  'registry.demo-start': {
    feature: 'A demo that is interrupted while it starts ends every server that it has started.',
    test: 'a server of the demo that is still starting is ended when the demo fails or is interrupted',
  },
  'registry.demo-addresses': {
    feature: 'The demo prints the addresses that its Registry lists, and where each cache shows its state.',
    test: demo,
  },
  'registry.demo-leases': {
    feature: 'A server of the demo that is held up for two seconds is not shown as late.',
    test: demo,
  },
  'registry.sigstop': {
    feature:
      'A Broker whose process is stopped is named after the deadline, on the page without scripts too.',
    test: demo,
  },
  'broker.proof-kept': {
    feature:
      'An object that was proved is removed only by an answer of its site, never by silence or a restart.',
    test: 'an object that was proved stays while its site is silent or not asked, and goes when its site does not name it',
  },
  'broker.proof-key': {
    feature: 'A Gatherer that changes its key keeps its objects in Brokers that require proof.',
    test: 'an answer of before a Gatherer changed its key removes none of its objects',
  },
  'broker.proof-fair': {
    feature: 'Silent sites delay neither the sources of a Broker nor the proof of other sites.',
    test: 'a look at many silent sites holds up no source, and asks each of them once an hour',
  },
  'broker.proof-waits': {
    feature: 'Two sources with objects of one site wait for the same answer of that site.',
    test: 'an object waits for the answer of its site that another source has asked for',
  },
  'broker.proof-sources': {
    feature: 'An object that was kept out returns from each source that lists it once it is proved.',
    test: 'an object that two sources list returns when one has left it out before its site names it',
  },
  'broker.proof-published': {
    feature: 'Documents that come by `POST /publish` need no proof.',
    test: 'what was published at the Broker needs no proof, also when a source sends it',
  },
  'broker.proof-siteless': {
    feature: 'An object whose URL has no site is kept out where proof is required.',
    test: 'an object without a site is kept out, and its look disturbs no other one',
  },
  'registry.fingerprint-whole': {
    feature: 'A server that counts slowly still registers the fingerprint of all its contents.',
    test: 'two readings at once of a store of which most was deleted have all that remains',
  },
  'registry.application-url': {
    feature: 'An application whose URL cannot be read is refused with 422 and the URL.',
    test: 'an application with a URL that cannot be read is refused with 422 and that URL',
  },
  'registry.unreached': {
    feature: 'An approved server that has never answered is shown as late and not reached yet.',
    test: 'an approved server that has never answered is late and not reached yet, and live when it has answered',
  },
  'registry.unreached-words': {
    feature: 'The list, the page and the topology of a Registry say of a server that it is not reached yet.',
    test: form,
  },
};
