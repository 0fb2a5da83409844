import type { Language } from '../../../query/index.ts';
import type { Oid, SummaryObject } from '../../../soif/index.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SignalOptions } from '../scoring/score-signals.ts';

export interface FlexsearchOptions {
  /** Owned by the engine alone. It stays open when the engine is disposed. */
  readonly database: PostingDatabase;
  /** The stored object, for attributes without postings; undefined when it was deleted. */
  readonly objectOf: (oid: Oid) => Promise<SummaryObject | undefined>;
  /** Language of objects that name none; a change rebuilds the index. Absent: the index's own, or English. */
  readonly language?: Language;
  /** Max bytes of decoded postings in memory. Default 96 MiB. */
  readonly cacheBytes?: number;
  /** Max objects that one query may read through `objectOf`. Default 20,000. */
  readonly maxObjectsRead?: number;
  /**
   * Attributes whose values are counted, besides source, type and time; at most 4. A changed list refills the
   * index.
   */
  readonly facetAttributes?: readonly string[];
  /**
   * Store the positions of terms; default true. Without them the index is a third as large, nearness does not
   * count, and phrases are found by reading objects.
   */
  readonly positions?: boolean;
  /** Rank long queries also by terms that the best objects share. Default true. */
  readonly feedback?: boolean;
  /** Rank new and much linked objects higher. A change in counting links rebuilds the index. */
  readonly signals?: SignalOptions;
}
