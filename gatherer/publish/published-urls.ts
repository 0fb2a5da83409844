import type { FetchRow } from './fetch-row.ts';
import type { FetchStore } from './fetch-store.ts';
import type { Production } from './production.ts';
import type { SeenSet } from './seen-set.ts';

/** The rule that leaves out the second of two documents. */
export const sameAddressRule = 'another document is published at the same address (gatherer.rewrite)';

/** A published URL goes to the first document of a run that claims it, and is deleted only with that. */
export class PublishedUrls {
  readonly #fetchStore: FetchStore;
  readonly #production: Production;

  constructor(fetchStore: FetchStore, production: Production) {
    this.#fetchStore = fetchStore;
    this.#production = production;
  }

  /** Claim a published URL: false when another document of this run has it. An older owner is read again. */
  async claim(url: string, as: string, seen: SeenSet): Promise<boolean> {
    if (as === url && !this.#fetchStore.publishesElsewhere) return true;
    const found = await this.#fetchStore.publishedAs(as);
    if (found === undefined || found[0] === url) return true;
    const [owner, row] = found;
    if (seen.has(row.ordinal)) return false;
    const { digest: _, as: __, due: ___, refresh: ____, ...rest } = row;
    await this.distrust(owner, rest);
    return true;
  }

  /** Delete the summary of a row, unless another document has the URL now; resolves to whether it was deleted. */
  async release(url: string, row: FetchRow): Promise<boolean> {
    const at = row.as ?? url;
    if (this.#fetchStore.publishesElsewhere) {
      const found = await this.#fetchStore.publishedAs(at);
      if (found !== undefined && found[0] !== url) return false;
    }
    await this.#production.delete(at);
    return true;
  }

  /** The URLs of the summaries without a row; none unless the stores are doubtful. */
  async *unvouched(): AsyncIterable<string> {
    if (!this.#fetchStore.isDoubtful) return;
    for await (const url of this.#production.urls())
      if ((await this.#fetchStore.publishedAs(url)) === undefined) yield url;
  }

  /** Have a document read in the next run; for a part, its outer document. */
  async distrust(url: string, row: FetchRow): Promise<void> {
    const outer = url.replace(/#.*$/s, '');
    const whole = row.part === undefined ? undefined : await this.#fetchStore.recall(outer);
    // Rows stay: without a row a deletion of the document would not be noticed.
    this.#fetchStore.remember(url, { ...row, profile: '' }, row);
    if (whole !== undefined) this.#fetchStore.remember(outer, { ...whole, profile: '' }, whole);
  }
}
