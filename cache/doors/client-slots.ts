import { InFlightMap } from '../waiting/index.ts';

/** Counts the open slots of each address, so that one client cannot take all of them. */
export class ClientSlots {
  readonly #total: number;
  readonly #each: number;
  /** Only addresses with open slots, so max `total` entries. */
  readonly #open = new InFlightMap<string, number>();
  #count = 0;

  constructor(total: number, each: number) {
    this.#total = total;
    this.#each = each;
  }

  get count(): number {
    return this.#count;
  }

  /** Take a slot; `leave` gives it back. Otherwise returns the limit that was reached. */
  take(address: string): 'taken' | 'all' | 'client' {
    if (this.#count >= this.#total) return 'all';
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#each) return 'client';
    this.#open.set(address, open + 1);
    this.#count += 1;
    return 'taken';
  }

  hasRoom(address: string): boolean {
    if (this.#count >= this.#total) return false;
    // While all clients together have fewer slots than one may have, no look-up is needed.
    return this.#count < this.#each || (this.#open.get(address) ?? 0) < this.#each;
  }

  leave(address: string): void {
    const open = this.#open.get(address);
    if (open === undefined) return;
    this.#count -= 1;
    if (open === 1) this.#open.delete(address);
    else this.#open.set(address, open - 1);
  }
}
