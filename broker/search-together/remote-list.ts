import type { SearchAnswer, SearchHit, SearchParameters } from '../searching/index.ts';
import type { SearchedBroker } from './searched-broker.ts';

/** Hits asked for at once: the most that a Broker gives. */
const pageSize = 100;

/** Hits of one Broker that are looked at, however many it says it has. */
const maxHits = 10_000;

/** One Broker's list of hits, asked for page by page as far as a merge comes. A page that fails ends the list. */
export class RemoteList {
  readonly broker: SearchedBroker;
  /** The answer to its first page. */
  readonly answer: SearchAnswer;
  readonly #parameters: SearchParameters;
  #page: readonly SearchHit[];
  #at = 0;
  #next: number;
  #error: unknown;

  private constructor(broker: SearchedBroker, parameters: SearchParameters, answer: SearchAnswer) {
    this.broker = broker;
    this.answer = answer;
    this.#parameters = parameters;
    this.#page = answer.hits;
    this.#next = parameters.limit;
  }

  /** Ask for the first page, of as many hits as are wanted where these are few. Rejects as the Broker does. */
  static async open(
    broker: SearchedBroker,
    asked: Omit<SearchParameters, 'limit' | 'offset'>,
    wanted: number,
  ): Promise<RemoteList> {
    const parameters = { ...asked, offset: 0, limit: Math.min(pageSize, wanted) };
    return new RemoteList(broker, parameters, await broker.search(parameters));
  }

  /** Why it ended before its end. */
  get error(): unknown {
    return this.#error;
  }

  /** The next hit, undefined at the end. */
  async head(): Promise<SearchHit | undefined> {
    if (this.#at >= this.#page.length) await this.#turn();
    return this.#page[this.#at];
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
      const page = { ...this.#parameters, offset: this.#next, limit: pageSize };
      this.#page = (await this.broker.search(page)).hits;
      this.#next += pageSize;
    } catch (error) {
      this.#error = error;
    }
  }
}
