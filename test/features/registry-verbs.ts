import type { Area } from './feature.ts';

export const registryVerbs: Area = {
  'registry.refusal-words': {
    feature:
      'A command whose Registry refuses prints the code, the reason and the hint of that Registry as bounded text.',
    test: 'a refusal of a Registry has its code, reason and hint, as bounded text without control characters',
  },
  'registry.refusal-token': {
    feature: 'A decision without a token is answered with the variable that holds the token of the Registry.',
    test: 'a decision without the token of a Registry is answered with the variable that holds it',
  },
  'registry.no-registry': {
    feature: 'A Broker or another server at the address of a Registry is named as such.',
    test: 'a server that is not a Registry is named as such, whatever it answers',
  },
  'registry.list-filters': {
    feature:
      'An unknown type is a usage error that names every type; a list without a match differs from an empty one.',
    test: 'a list without a match says so, an unknown type names the types, and each id can be described',
  },
  'registry.list-empty': {
    feature: 'An empty list says whether no server is registered or none matches the filters.',
    test: 'an empty list says whether filters are the reason',
  },
  'registry.list-units': {
    feature: 'The verbs of a Registry print ages, durations, times and sizes with units, in one style.',
    test: 'ages, durations, times and sizes of servers have units, in one style',
  },
  'registry.key-absent': {
    feature: '`garner registry key` names the cure where a folder has no key, or not that of the role.',
    test: 'the key of an absent server is answered with the folder or the role to name',
  },
  'registry.allow-setting': {
    feature: 'A federated search names `registry.allow-hosts` where it refuses a private address.',
    test: 'a federated search names the setting that allows a private address, which may be a URL',
  },
  'registry.two-brokers': {
    feature: 'The commands of the manual for two Brokers and a Registry work as printed, and find documents.',
    test: 'the commands of docs/registry.md run',
  },
  'registry.gathered-spelled': {
    feature: 'The command in a note about a gathered address is typed as it works on the machine.',
    test: 'a server that gathers an address and has the same contents is noted once, and at most three are',
  },
  'registry.verb-examples': {
    feature: 'Each verb of a Registry has an example in its help, and the examples work.',
    test: 'each verb of a Registry has examples, which work',
  },
  'fetch.allow-setting': {
    feature: 'The error of a refused private address names the setting that allows it.',
    test: 'a refused private address names the setting that allows it',
  },
  'config.allow-hosts': {
    feature: 'A list of allowed hosts takes host:port, hosts and URLs, and another text is an error.',
    test: 'allowed hosts are host:port, host or URL, and another text is an error with its place',
  },
  'cli.spelled-verbs': {
    feature: 'Hints type the commands of every verb in the way that works on the machine.',
    test: 'commands of every verb are spelled out',
  },
  'registry.token-data': {
    feature: 'A token is made only where its server has data, or for a Broker that is not started yet.',
    test: 'a token is made only where its server has data, or in the default folder before the first start',
  },
  'registry.wrong-option': {
    feature:
      'A wrong option, address or type of a verb of a Registry is refused with exit code 2 and the reason.',
    test: 'a wrong option of a verb of a Registry is refused with exit code 2, the reason and what to write',
  },
  'registry.of-settings': {
    feature:
      '`garner registry list` reads the Registry of `server.registry` where none serves the data folder.',
    test: 'a Registry of the settings is listed and described, and its deadline is a time',
  },
  'registry.unknown-token': {
    feature: 'A token that a Registry does not know, and a value that it refuses, are named as such.',
    test: 'a token that a Registry does not know, and a value that it refuses, are named as such',
  },
  'registry.unsigned-brokers': {
    feature: 'A search where all Brokers are unsigned reports their number and that they are not asked.',
    test: 'a search where all Brokers are unsigned says how many there are and that they are not asked',
  },
  'registry.decision-scope': {
    feature: 'Every decision about an application needs a token of scope admin.',
    test: 'every decision about an application needs scope admin',
  },
  'registry.not-a-registry': {
    feature:
      'A server that registers at a server without the path of registrations reports that it is no Registry.',
    test: 'a server that has no path for registrations is reported as no Registry',
  },
};
