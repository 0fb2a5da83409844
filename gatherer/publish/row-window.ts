import type { FetchRow } from './fetch-row.ts';
import type { FetchStore, UnreadRow } from './fetch-store.ts';

/** Rows read ahead at once. */
const rowsAhead = 512;

/** Max wasted reads ahead; after them there are no more. */
const patience = 8;

/** Rows read ahead of many small roots, in URL order; valid only while no row is noted or written. */
export class RowWindow {
  readonly #fetchStore: Pick<FetchStore, 'rowBatches' | 'rowsFrom'>;
  #rows: readonly UnreadRow[] = [];
  /** Every row from here to the last one is present; with `#isLast` there are no more. */
  #from: string | undefined;
  #isLast = false;
  #served = true;
  #wasted = 0;

  constructor(fetchStore: Pick<FetchStore, 'rowBatches' | 'rowsFrom'>) {
    this.#fetchStore = fetchStore;
  }

  /** The rows of all URLs that begin with `prefix`, in order. */
  async *below(prefix: string): AsyncIterable<readonly UnreadRow[]> {
    const known = this.#within(prefix);
    if (known !== undefined) {
      this.#served = true;
      return yield known;
    }
    if (!this.#served) this.#wasted++;
    const read = this.#wasted < patience ? await this.#read(prefix) : undefined;
    // A prefix with many rows does not use the rows after it.
    this.#served = read === undefined;
    if (read === undefined) yield* this.#fetchStore.rowBatches(prefix);
    else yield read;
  }

  /** The row of a URL, if it is among those read ahead. */
  find(url: string): FetchRow | undefined {
    const found = this.#rows[this.#place(url)];
    return found?.url === url ? found.row() : undefined;
  }

  async #read(prefix: string): Promise<readonly UnreadRow[] | undefined> {
    this.#rows = await this.#fetchStore.rowsFrom(prefix, rowsAhead);
    this.#from = prefix;
    this.#isLast = this.#rows.length < rowsAhead;
    return this.#within(prefix);
  }

  /** Undefined when not all of them are present. */
  #within(prefix: string): readonly UnreadRow[] | undefined {
    if (this.#from === undefined || prefix < this.#from) return undefined;
    const last = this.#rows.at(-1)?.url ?? '';
    if (!this.#isLast && (last < prefix || last.startsWith(prefix))) return undefined;
    const first = this.#place(prefix);
    let end = first;
    while (this.#rows[end]?.url.startsWith(prefix) === true) end++;
    return this.#rows.slice(first, end);
  }

  /** Index of the first row that does not come before a URL. */
  #place(url: string): number {
    let [low, high] = [0, this.#rows.length];
    while (low < high) {
      const middle = (low + high) >> 1;
      if ((this.#rows[middle] as UnreadRow).url < url) low = middle + 1;
      else high = middle;
    }
    return low;
  }
}
