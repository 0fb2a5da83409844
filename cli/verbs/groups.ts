import type { Verb } from '../command/verb.ts';

/** The verbs that begin with a word, where a command line needs no others. */
const verbsByWord: Readonly<Record<string, () => Promise<readonly Verb[]>>> = {
  up: async () => [(await import('../up/up.ts')).up],
  publish: async () => [(await import('./publish.ts')).publishVerb],
  gatherer: async () => (await import('./gatherer-verbs.ts')).gathererVerbs,
  broker: async () => (await import('./broker-verbs.ts')).brokerVerbs,
  cache: async () => (await import('./cache-verbs.ts')).cacheVerbs,
  search: async () => (await import('./registry-verbs.ts')).registryVerbs,
  registry: async () => (await import('./registry-verbs.ts')).registryVerbs,
};

/** The verbs that a command line with this first word may name: those of the word, or else all. */
export async function verbsFor(word = ''): Promise<readonly Verb[]> {
  const load = Object.hasOwn(verbsByWord, word) ? verbsByWord[word] : undefined;
  return load === undefined ? (await import('./verbs.ts')).verbs : load();
}

/** One line for each group of verbs. */
export const groups: Readonly<Record<string, string>> = {
  gatherer: 'Summarise a site where it is, and let others collect the summaries',
  broker: 'Collect summaries from many sites, index them, and answer queries',
  'broker source': 'Add, pause, remove and ask the sources of a Broker while it serves',
  'broker token': 'Say who may search, collect, change and administer',
  'broker view': 'Keep named queries that others collect, subscribe and search within',
  cache: 'Cache responses from the Web, alone or in a hierarchy of caches',
  registry: 'List servers, and search many Brokers as one',
  'registry token': 'Say who may collect from a Registry and administer it',
  awareness: 'See how a Broker becomes aware of what changed at its sources, and what that takes',
  soif: 'Look at summary objects in SOIF text',
};
