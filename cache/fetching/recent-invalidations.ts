import { urlKey } from '../requests/index.ts';

/** The max number of URLs whose last change is recorded individually. */
const maxKnown = 10_000;

/** Recently changed or purged URLs: a response requested before may arrive after (RFC 9111 4.4). */
export class RecentInvalidations {
  #count = 0;
  /** Changes up to this one may concern any URL. */
  #unknown = 0;
  readonly #byUrl = new Map<string, number>();
  readonly #changedHere = new Set<string>();

  get count(): number {
    return this.#count;
  }

  /** The responses under this URL changed. */
  note(url: string): void {
    const key = urlKey(url);
    this.#byUrl.delete(key);
    this.#byUrl.set(key, ++this.#count);
    if (this.#byUrl.size <= maxKnown) return;
    const [oldest] = this.#byUrl;
    if (oldest === undefined) return;
    this.#byUrl.delete(oldest[0]);
    this.#unknown = oldest[1];
  }

  /** A change that concerns more than one URL. */
  noteMany(): void {
    this.#unknown = ++this.#count;
    this.#byUrl.clear();
  }

  /** Whether this URL changed, or may have changed, after `count` changes. */
  since(count: number, url: string): boolean {
    return this.#unknown > count || (this.#byUrl.get(urlKey(url)) ?? 0) > count;
  }

  /** A request changed this URL's resource. The caches of the next request may have the old response. */
  noteMade(url: string): void {
    const key = urlKey(url);
    this.#changedHere.delete(key);
    this.#changedHere.add(key);
    if (this.#changedHere.size <= maxKnown) return;
    for (const oldest of this.#changedHere) {
      this.#changedHere.delete(oldest);
      return;
    }
  }

  /** Whether no answer has come from upstream since such a change. */
  isUnseen(url: string): boolean {
    return this.#changedHere.size > 0 && this.#changedHere.has(urlKey(url));
  }

  /** An answer from upstream shows the state after the change. */
  seen(url: string): void {
    this.#changedHere.delete(urlKey(url));
  }
}
