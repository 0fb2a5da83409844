import type { CollectionStatistics } from '../engines/index.ts';
import type { SearchAnswer, SearchHit, SearchParameters } from '../searching/index.ts';

/** A Broker that can be searched together with others: this process's own, or a remote one. */
export interface SearchedBroker {
  /** Its name for people: its address. */
  readonly name: string;
  /** What its operator calls it. */
  readonly title?: string;
  statistics(q: string): Promise<CollectionStatistics>;
  search(parameters: SearchParameters): Promise<SearchAnswer>;
}

/** Hits in one request: the limit of a Broker. */
export const maxPageSize = 100;

/** Max hits of one Broker that are read, whatever number it reports. */
const maxHits = 10_000;

/** One Broker's hits, requested page by page as a merge reads them. A page that fails ends the list. */
export class RemoteList {
  readonly broker: SearchedBroker;
  readonly answer: SearchAnswer;
  readonly #parameters: SearchParameters;
  readonly #pageSize: number;
  #page: readonly SearchHit[];
  #at = 0;
  #next: number;
  #error: unknown;

  private constructor(
    broker: SearchedBroker,
    parameters: SearchParameters,
    answer: SearchAnswer,
    pageSize: number,
  ) {
    this.broker = broker;
    this.#pageSize = pageSize;
    this.answer = answer;
    this.#parameters = parameters;
    this.#page = answer.hits;
    this.#next = parameters.limit;
  }

  /** Request the first page, with fewer hits where fewer are wanted. Rejects as the Broker does. */
  static async open(
    broker: SearchedBroker,
    search: Omit<SearchParameters, 'limit' | 'offset'>,
    { wanted, pageSize }: { readonly wanted: number; readonly pageSize: number },
  ): Promise<RemoteList> {
    const parameters = { ...search, offset: 0, limit: Math.min(pageSize, wanted) };
    return new RemoteList(broker, parameters, await broker.search(parameters), pageSize);
  }

  get error(): unknown {
    return this.#error;
  }

  /** The next hit, undefined at the end. */
  async head(): Promise<SearchHit | undefined> {
    if (this.#at >= this.#page.length) await this.#turn();
    return this.#page[this.#at];
  }

  /** The hits that have arrived and have not been passed. */
  get arrived(): readonly SearchHit[] {
    return this.#page.slice(this.#at);
  }

  pass(): void {
    this.#at++;
  }

  async #turn(): Promise<void> {
    const hasMore = this.#page.length > 0 && this.#next < Math.min(this.answer.entries, maxHits);
    this.#page = [];
    this.#at = 0;
    if (!hasMore) return;
    try {
      const page = { ...this.#parameters, offset: this.#next, limit: this.#pageSize };
      this.#page = (await this.broker.search(page)).hits;
      this.#next += this.#pageSize;
    } catch (error) {
      this.#error = error;
    }
  }
}
