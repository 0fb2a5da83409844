import { failure } from '../../kernel/index.ts';
import { brokerErrors } from '../errors.ts';

/** Max federated searches at once. */
const maxSearches = 16;

/** Max for each client, so that one cannot take all. */
const maxOfClient = 8;

/** The federated searches that run, for all clients and for each. */
export class SearchSlots {
  readonly #ofClient = new Map<string, number>();
  #running = 0;

  /** Take a place, which disposing frees. Throws BROKER_FEDERATED_BUSY. */
  enter(client: string): Disposable {
    const own = this.#ofClient.get(client) ?? 0;
    if (this.#running >= maxSearches || own >= maxOfClient)
      throw failure(brokerErrors.BROKER_FEDERATED_BUSY, {});
    this.#running++;
    this.#ofClient.set(client, own + 1);
    return {
      [Symbol.dispose]: () => {
        this.#running--;
        const left = (this.#ofClient.get(client) ?? 1) - 1;
        if (left === 0) this.#ofClient.delete(client);
        else this.#ofClient.set(client, left);
      },
    };
  }
}
