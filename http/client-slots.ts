/** The bounds of what is open at once. */
export interface SlotLimits {
  readonly max: number;
  /** Max for each client, so that one cannot take all. */
  readonly perClient: number;
}

/** Counts what is open at once, within a bound for all and a bound for each client. */
export class ClientSlots {
  readonly #limits: SlotLimits;
  /** Only clients with something open, so max `max` entries. */
  readonly #byClient = new Map<string, number>();
  #open = 0;

  constructor(limits: SlotLimits) {
    this.#limits = limits;
  }

  /** Take a place, which disposing frees; the bound that is reached where there is none. */
  enter(client: string): Disposable | 'all' | 'client' {
    const own = this.#byClient.get(client) ?? 0;
    if (this.#open >= this.#limits.max) return 'all';
    if (own >= this.#limits.perClient) return 'client';
    this.#open++;
    this.#byClient.set(client, own + 1);
    return { [Symbol.dispose]: () => this.#leave(client) };
  }

  #leave(client: string): void {
    this.#open--;
    const left = (this.#byClient.get(client) ?? 1) - 1;
    if (left === 0) this.#byClient.delete(client);
    else this.#byClient.set(client, left);
  }
}
