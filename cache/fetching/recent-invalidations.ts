import { urlKey } from '../requests/index.ts';

/** URLs whose last change is known one by one. */
const mostKnown = 10_000;

/**
 * Which URLs were changed or purged of late. What was asked for before a change may come in after it, and is then not
 * to be kept as if it were new (RFC 9111 4.4).
 */
export class RecentInvalidations {
  #count = 0;
  /** Up to this change anything may have been meant. */
  #unknown = 0;
  readonly #byUrl = new Map<string, number>();
  readonly #made = new Set<string>();

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** What is under this URL changed. */
  note(url: string): void {
    const key = urlKey(url);
    this.#byUrl.delete(key);
    this.#byUrl.set(key, ++this.#count);
    if (this.#byUrl.size <= mostKnown) return;
    const [oldest] = this.#byUrl;
    if (oldest === undefined) return;
    this.#byUrl.delete(oldest[0]);
    this.#unknown = oldest[1];
  }

  /** Something changed that is not one URL. */
  noteMany(): void {
    this.#unknown = ++this.#count;
    this.#byUrl.clear();
  }

  /** Whether this URL was changed, or may have been, after there were `count` changes. */
  since(count: number, url: string): boolean {
    return this.#unknown > count || (this.#byUrl.get(urlKey(url)) ?? 0) > count;
  }

  /**
   * What is under this URL was changed by a request that came through here. It may have gone past caches that the next
   * request goes through, which have what was before as fresh.
   */
  noteMade(url: string): void {
    const key = urlKey(url);
    this.#made.delete(key);
    this.#made.add(key);
    if (this.#made.size <= mostKnown) return;
    for (const oldest of this.#made) {
      this.#made.delete(oldest);
      return;
    }
  }

  /** Whether nothing has come from upstream since it was changed so. */
  isUnseen(url: string): boolean {
    return this.#made.size > 0 && this.#made.has(urlKey(url));
  }

  /** What came from upstream is what the change made. */
  seen(url: string): void {
    this.#made.delete(urlKey(url));
  }
}
