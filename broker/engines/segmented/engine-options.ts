import type { Language } from '../../../query/index.ts';
import type { Oid, SummaryObject } from '../../../soif/index.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';
import type { SignalOptions } from '../scoring/score-signals.ts';

export interface FlexsearchOptions {
  /** Owned by the engine alone; stays open when the engine is disposed. */
  readonly database: PostingDatabase;
  /** The stored object, for attributes that have no postings; undefined when it is gone. */
  readonly objectOf: (oid: Oid) => Promise<SummaryObject | undefined>;
  /** The language of objects that tell none; the index is built anew when it had another. Absent: as it has, or English. */
  readonly language?: Language;
  /** Decoded postings kept in memory, in bytes. Default 96 MiB. */
  readonly cacheBytes?: number;
  /** Objects one query may read through `objectOf`. Default 20,000. */
  readonly maxObjectsRead?: number;
  /** Attributes whose values are counted, besides source, type and time; at most 4. Another list fills the index anew. */
  readonly facetAttributes?: readonly string[];
  /**
   * Keep where terms stand. Without, the index is a third as large, nearness does not count, and phrases are found by
   * reading the objects that have all their words. Default true; an index of the other kind is built anew.
   */
  readonly positions?: boolean;
  /** Rank long queries also by what the best objects share. Default true. */
  readonly feedback?: boolean;
  /**
   * Let what is new, or linked to from other hosts, stand higher. An index where links count is built anew when they
   * did not before, and the other way round. Absent: neither counts.
   */
  readonly signals?: SignalOptions;
}
