import type { Area } from './feature.ts';

export const administration: Area = {
  'admin.command': {
    feature:
      'A Broker is administered from the command line while it serves, and its orders survive `kill -9`.',
    test: 'a Broker is administered from the command line while it serves; orders survive kill -9',
  },
  'admin.wrong-use': {
    feature: 'Wrong use of the administration commands is explained.',
    test: 'wrong usage is explained, in the program of a group too',
  },
  'admin.sources': {
    feature: 'Sources are added, paused, resumed and removed while the Broker serves.',
    test: 'a source is added, paused, resumed and removed while the Broker serves, and orders outlive a restart',
  },
  'admin.orders': {
    feature: 'An order that cannot be followed any more is reported and left out.',
    test: 'orders that are no longer possible are reported and left out; the others apply',
  },
  'admin.password': {
    feature: 'An address with a password is refused and not repeated.',
    test: 'a password in an address is refused, and not shown',
  },
  'admin.delete': {
    feature: 'A dry run deletes nothing, and deleted objects come back when they change or are unblocked.',
    test: 'a dry run deletes nothing; a deletion is passed on, and the object returns when it changes or is unblocked',
  },
  'admin.blocked': {
    feature: 'What was deleted stays out although its source is forgotten and added again.',
    test: 'a deleted object stays out when its source is forgotten and added again',
  },
  'admin.block-version': {
    feature: 'A block of one version ends when another version arrives.',
    test: 'a block of one version holds until no source lists the object, or another version of it arrives',
  },
  'admin.settings': {
    feature: 'Settings change at once, survive a restart and are checked.',
    test: 'settings change at once, survive a restart, and are validated',
  },
  'admin.statistics': {
    feature: 'Statistics count objects by source, type, language and age.',
    test: 'statistics count the stored objects; compaction and a new index lose nothing',
  },
  'admin.tokens': {
    feature: 'A named token is shown once, kept as a hash, and counts until it expires or is removed.',
    test: 'a token is shown once, stored as a hash, and valid until it expires or is removed',
  },
  'admin.scopes': {
    feature: 'Every administration route refuses a token with too small a scope.',
    test: 'every route refuses a lesser token, and each refusal of one is in the audit',
  },
  'admin.audit': {
    feature: 'Views, webhooks, checks and everything else that changes a Broker is audited.',
    test: 'views, webhooks, checks and duplicates are audited like everything that changes a Broker',
  },
  'admin.audit-first': {
    feature: 'An action is in the audit before it is done, and one that a crash cut is shown as unfinished.',
    test: 'an action is written before it is done, and one cut short by a crash is reported as unfinished',
  },
  'admin.audit-or-nothing': {
    feature: 'Nothing is done when the audit cannot be written.',
    test: 'nothing is done when the audit cannot be written',
  },
  'admin.audit-bounded': {
    feature: 'The audit is bounded, and a flood of refusals removes no action from it.',
    test: 'the files are bounded, and a flood of refusals pushes no action out',
  },
  'admin.page': {
    feature: 'The administration page works in a browser without scripts, by keyboard and mouse.',
    test: 'sources, deletion and settings by keyboard and mouse, without scripts',
  },
  'admin.page-login': {
    feature: 'A visitor without a good token sees nothing of the administration page.',
    test: 'without a valid token nothing is shown',
  },
  'admin.page-lesser': {
    feature: 'A lesser token sees its part of the administration page, and a removed one is logged out.',
    test: 'a lesser token sees its part; a removed one is logged out',
  },
  'admin.page-accessible': {
    feature: 'The administration page is accessible in light and dark, wide and narrow.',
    test: 'axe finds nothing, light and dark, wide and narrow',
  },
  'admin.session-end': {
    feature: 'A session of the administration page ends when it is idle, old or closed.',
    test: 'a session ends when it is idle, when it is old, when it is closed, and when too many follow',
  },
  'admin.session-key': {
    feature: 'Only the key of the session itself opens its forms.',
    test: 'only the key of the session itself opens its forms',
  },
  'admin.collect-token': {
    feature: 'A wire that asks for a token takes named tokens of scope collect.',
    test: 'a wire that asks for a token takes those of the settings and named ones of scope collect',
  },
  'classic.search': {
    feature: 'A WHOIS++ gateway of 1998 searches a Broker on the classic port.',
    test: 'a WHOIS++ gateway of 1998 gets a reply that it can read',
  },
  'classic.answers': {
    feature: 'A classic client gets lines, descriptions and as many objects as it asks for.',
    test: 'a client gets what it requests: lines, descriptions, and the number that it wants',
  },
  'classic.bulk': {
    feature: 'Bulk transfer on the classic port is a SOIF stream, everything or since a time.',
    test: 'bulk transfer is a SOIF stream of whole objects, all of them or those since a time',
  },
  'classic.admin': {
    feature: 'Administration on the classic port asks for a token.',
    test: 'administration needs the password and executes the supported commands',
  },
  'classic.noise': {
    feature: 'Whatever is sent to the classic port, it answers and serves the next caller.',
    test: 'it answers any input and continues with the next client',
  },
  'classic.access': {
    feature: 'The classic port drops silent clients and lets in only those that are named.',
    test: 'a silent client is disconnected, and a client outside the access list is refused',
  },
  'classic.grammar': {
    feature: "Queries of the original Broker are translated into Garner's query language.",
    test: 'the grammar of the original in our own language',
  },
  'classic.flags': {
    feature: 'Flags of the classic port choose case, whole words and errors.',
    test: 'flags select how words are compared',
  },
  'classic.delete-guard': {
    feature: 'A classic query that is not understood exactly deletes nothing.',
    test: 'a query that cannot be used as written is reported, so that it deletes nothing',
  },
  'classic.access-list': {
    feature: 'Access lists take addresses, networks and names, and denied outweighs allowed.',
    test: 'addresses, networks, names and all; denied outweighs allowed',
  },
  'registry.tokens': {
    feature:
      'Tokens and audit of a Registry are at hand on its machine, while it serves and while it does not.',
    test: 'the tokens and the audit of a Registry are those of its data folder, while it serves and while it does not',
  },
};
