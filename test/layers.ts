/** The folders by layer, lowest row first: a folder may import every row below its own and nothing of its own row. */
export const layers: readonly (readonly string[])[] = [
  ['kernel'],
  ['soif', 'readers'],
  ['query', 'awareness', 'schedule', 'htmldiff'],
  ['store', 'wire', 'fetch', 'http', 'line-protocol', 'notices'],
  ['exchange'],
  ['publication'],
  ['gatherer', 'broker', 'replicator', 'cache', 'tracker', 'oai', 'registry'],
  ['web'],
  ['cli', 'library'],
];
