import type { UnreadRow } from './fetch-store.ts';

/** Finds rows by URLs that come in ascending order: one sweep, and a promise only where it must read on. */
export class RowSweep implements AsyncDisposable {
  readonly #batches: AsyncIterator<readonly UnreadRow[]>;
  #batch: readonly UnreadRow[] = [];
  #at = 0;
  #ended = false;

  constructor(batches: AsyncIterable<readonly UnreadRow[]>) {
    this.#batches = batches[Symbol.asyncIterator]();
  }

  /** The row of a URL, if there is one. */
  find(url: string): UnreadRow | undefined | Promise<UnreadRow | undefined> {
    if (this.#forward(url) || this.#ended) return this.#current(url);
    return this.#readOn(url);
  }

  async [Symbol.asyncDispose](): Promise<void> {
    await this.#batches.return?.();
  }

  /** Whether a row that does not come before the URL has been reached. */
  #forward(url: string): boolean {
    const batch = this.#batch;
    while (this.#at < batch.length && (batch[this.#at] as UnreadRow).url < url) this.#at++;
    return this.#at < batch.length;
  }

  async #readOn(url: string): Promise<UnreadRow | undefined> {
    while (!this.#forward(url)) {
      const next = await this.#batches.next();
      this.#ended = next.done === true;
      if (next.done === true) return undefined;
      this.#batch = next.value;
      this.#at = 0;
    }
    return this.#current(url);
  }

  #current(url: string): UnreadRow | undefined {
    const found = this.#batch[this.#at];
    return found?.url === url ? found : undefined;
  }
}
