import type { Lsn } from '../../../awareness/index.ts';
import type { Language } from '../../../query/index.ts';
import type { Oid } from '../../../soif/index.ts';
import { countedAttributes } from '../documents/facet-attributes.ts';
import type { IndexChange } from '../model/search-engine.ts';
import type { SegmentedIndex } from './segmented-index.ts';

/** What a search engine over a segmented index does by the index alone. */
export abstract class IndexedEngine {
  protected readonly index: SegmentedIndex;
  readonly facetAttributes: readonly string[];

  constructor(index: SegmentedIndex, facetAttributes: readonly string[] | undefined) {
    this.index = index;
    this.facetAttributes = countedAttributes(facetAttributes);
  }

  get lsn(): Lsn {
    return this.index.view.moment.lsn;
  }

  get count(): number {
    return this.index.view.moment.count;
  }

  get fallback(): Language {
    return this.index.view.moment.fallback;
  }

  get languages(): ReadonlyMap<Language, number> {
    return new Map(Object.entries(this.index.view.moment.languages) as [Language, number][]);
  }

  apply(changes: readonly IndexChange[], lsn: Lsn): Promise<void> {
    return this.index.apply(changes, lsn);
  }

  oids(): AsyncIterable<Oid> {
    return this.index.oids();
  }

  clear(): Promise<void> {
    return this.index.clear();
  }

  /** Wait until no background work is left. */
  settled(): Promise<void> {
    return this.index.settled();
  }
}
