import { type Address, pageHref, readAddress } from './address.ts';

/**
 * The page's states in the browser's history. Typing writes over one entry, so that Back leads to what was there
 * before the typing began and not through every letter of it.
 */
export class Visits {
  #current: Address;
  #typing = false;

  constructor(changed: (address: Address) => void) {
    this.#current = readAddress(location.search);
    window.addEventListener('popstate', () => {
      this.#typing = false;
      this.#current = readAddress(location.search);
      changed(this.#current);
    });
  }

  get current(): Address {
    return this.#current;
  }

  /** A state on the way: the first after a settled one gets an entry, the following ones replace it. */
  type(address: Address): void {
    if (this.#typing) history.replaceState(null, '', pageHref(address));
    else history.pushState(null, '', pageHref(address));
    this.#typing = true;
    this.#current = address;
  }

  /** A state the reader chose: it keeps its entry. */
  commit(address: Address): void {
    if (pageHref(address) !== pageHref(this.#current)) history.pushState(null, '', pageHref(address));
    this.#typing = false;
    this.#current = address;
  }
}
