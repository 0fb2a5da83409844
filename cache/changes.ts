/** URLs whose last change is known one by one. */
const mostKnown = 10_000;

/**
 * Which URLs were changed or purged of late. What was asked for before a change may come in after it, and is then not to be
 * kept as if it were new (RFC 9111 4.4).
 */
export class Changes {
  #count = 0;
  /** Up to this change anything may have been meant. */
  #unknown = 0;
  readonly #byUrl = new Map<string, number>();

  /** How many there were. */
  get count(): number {
    return this.#count;
  }

  /** What is under this URL changed. */
  note(url: string): void {
    this.#byUrl.delete(url);
    this.#byUrl.set(url, ++this.#count);
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
    return this.#unknown > count || (this.#byUrl.get(url) ?? 0) > count;
  }
}
