import type { FetchRow } from './fetch-row.ts';
import type { FetchStore } from './fetch-store.ts';
import type { Production } from './production.ts';
import type { SeenSet } from './seen-set.ts';

/** The rule that leaves out the second of two documents. */
export const sameAddressRule = 'another document is published at the same address (gatherer.rewrite)';

/**
 * Who is published where. An address that is rewritten may go from one document to another, or two may ask for it: the
 * first of a run has it, and what stands there goes only with the document that put it there.
 */
export class PublishedUrls {
  readonly #fetchStore: FetchStore;
  readonly #production: Production;

  constructor(fetchStore: FetchStore, production: Production) {
    this.#fetchStore = fetchStore;
    this.#production = production;
  }

  /**
   * Take an address for a document. False when another document of this run has it. One that had it before this run
   * loses it: if it is still there, it is read in the next run and finds it taken.
   */
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

  /** Delete what a row led to, unless another document has the address by now; resolves to whether it was deleted. */
  async release(url: string, row: FetchRow): Promise<boolean> {
    const at = row.as ?? url;
    if (this.#fetchStore.publishesElsewhere) {
      const found = await this.#fetchStore.publishedAs(at);
      if (found !== undefined && found[0] !== url) return false;
    }
    this.#production.delete(at);
    return true;
  }

  /** Have a document read in the next run; of one that lies inside another, that other. */
  async distrust(url: string, row: FetchRow): Promise<void> {
    const outer = url.replace(/#.*$/s, '');
    const whole = row.part === undefined ? undefined : await this.#fetchStore.recall(outer);
    // Rows stay: without one nobody would notice that the document is gone.
    this.#fetchStore.remember(url, { ...row, profile: '' }, row);
    if (whole !== undefined) this.#fetchStore.remember(outer, { ...whole, profile: '' }, whole);
  }
}
