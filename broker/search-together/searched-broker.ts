import type { CollectionStatistics } from '../engines/index.ts';
import type { SearchAnswer, SearchParameters } from '../searching/index.ts';

/** A Broker that can be searched together with others: this process's own, or a remote one. */
export interface SearchedBroker {
  /** Its name for people: its address. */
  readonly name: string;
  statistics(q: string): Promise<CollectionStatistics>;
  search(parameters: SearchParameters): Promise<SearchAnswer>;
}
