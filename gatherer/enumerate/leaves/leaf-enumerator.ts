import type { Enumerated, EnumerationMemory, Enumerator, ScopeVerdict } from '../enumerator.ts';
import { LeafReader, type LeafReaderOptions, leafUrl } from './leaf-reader.ts';

/** Options of reading the leaves of any enumerator. */
export type LeafReading = Pick<LeafReaderOptions, 'fetch' | 'robots' | 'delayMs'> & {
  /** Max size of a document that is read; 64 MiB when absent. */
  readonly maxBytes?: number;
  /** Documents read at a time; 4 when absent. */
  readonly concurrency?: number;
};

/** The defaults filled in. */
export function leafReading(reading: LeafReading) {
  return {
    ...reading,
    maxBytes: reading.maxBytes ?? 64 * 1024 * 1024,
    concurrency: reading.concurrency || 4,
  };
}

/** Enumerates single URLs (Harvest's LeafNodes), which are summarised and not expanded. */
export class LeafEnumerator implements Enumerator {
  readonly #urls: readonly string[];
  readonly #reading: LeafReading;

  constructor(urls: readonly string[], reading: LeafReading) {
    this.#urls = urls;
    this.#reading = reading;
  }

  enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated> {
    const reader = new LeafReader({ ...leafReading(this.#reading), memory, signal });
    return reader.read(this.#urls.map((url) => ({ url, depth: 0 })));
  }

  async decide(url: string, signal?: AbortSignal): Promise<ScopeVerdict> {
    const normal = leafUrl(url) ?? url;
    const named = this.#urls.some((leaf) => leafUrl(leaf) === normal);
    if (!named) return { url: normal, included: false, rule: 'it is no leaf node' };
    const { robots } = this.#reading;
    if (!robots || !/^https?:/.test(normal))
      return { url: normal, included: true, rule: 'it is a leaf node' };
    const { allowed, rule } = await robots.allowed(normal, signal);
    return { url: normal, included: allowed, rule: allowed ? `it is a leaf node; ${rule}` : rule };
  }
}
