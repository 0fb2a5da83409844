/** The database of an engine's index in a data folder. The first engine's has the plain name. */
export const indexName = (engine: string): string => (engine === 'flexsearch' ? 'index' : `index-${engine}`);
