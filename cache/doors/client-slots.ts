import { InFlightMap } from '../waiting/index.ts';

/** Counts what each address has open, so that one client cannot take all there is. */
export class ClientSlots {
  readonly #total: number;
  readonly #each: number;
  /** Only addresses with something open: as many as `total` at most. */
  readonly #open = new InFlightMap<string, number>();
  #count = 0;

  constructor(total: number, each: number) {
    this.#total = total;
    this.#each = each;
  }

  /** Everything open now. */
  get count(): number {
    return this.#count;
  }

  /** Take a slot; `leave` gives it back. Otherwise says which bound was reached. */
  take(address: string): 'taken' | 'all' | 'client' {
    if (this.#count >= this.#total) return 'all';
    const open = this.#open.get(address) ?? 0;
    if (open >= this.#each) return 'client';
    this.#open.set(address, open + 1);
    this.#count += 1;
    return 'taken';
  }

  /** Whether `take` would give one. */
  hasRoom(address: string): boolean {
    if (this.#count >= this.#total) return false;
    // As long as all together have less than one may have, nobody needs to be looked up.
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
