/** The folders by layer, lowest row first: a folder sees every row below its own and nothing beside it. */
export const layers: readonly (readonly string[])[] = [
  ['kernel'],
  ['soif'],
  ['query', 'awareness', 'schedule', 'tables'],
  ['store', 'wire', 'fetch', 'http', 'lines'],
  ['exchange'],
  ['gatherer', 'broker', 'replicator', 'cache', 'tracker', 'oai', 'registry'],
  ['web'],
  ['cli'],
];
