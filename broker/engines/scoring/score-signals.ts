import type { Clock } from '../../../kernel/index.ts';
import { DetailColumn, type DocDetails } from '../documents/doc-details.ts';
import { linkingHosts } from '../documents/link-counts.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';

/** The weights of signals from outside the text. A signal does not count at 0. */
export interface SignalOptions {
  /** The maximum gain by age, as a part of a score: 0 to 1. */
  readonly freshness: number;
  /** The time after which half of it is left; seconds. */
  readonly halfLifeSeconds: number;
  /** The maximum gain by links from other hosts, as a part of a score: 0 to 1. */
  readonly popularity: number;
  readonly clock: Clock;
}

/** The gains of one object, as parts of its score, with their causes. */
export interface Signals {
  /** The document's own date in seconds since 1970; 0 for none. */
  readonly modifiedAt: number;
  readonly freshness: number;
  /** Other hosts with a page that links to it. */
  readonly linkingHosts: number;
  readonly popularity: number;
}

/** More links than this add nothing further. */
const maxHosts = 1023;
/** The time is that of the last full hour, so that a list still has the same order minutes later. */
const stepSeconds = 3600;

/** 1 for a new or future date, half of it after each half-life, 0 without a date (all in seconds). */
export function freshnessOf(modifiedAt: number, now: number, halfLifeSeconds: number): number {
  return modifiedAt === 0 ? 0 : 2 ** (-Math.max(0, now - modifiedAt) / halfLifeSeconds);
}

/** From 0 for no host to 1 for 1,023 and more; each doubling adds the same. */
export function popularityOf(hosts: number): number {
  return Math.log2(1 + Math.min(maxHosts, hosts)) / Math.log2(1 + maxHosts);
}

/** The gains of objects by signals from outside their text. */
export class ScoreSignals {
  readonly #options: SignalOptions;
  readonly #database: PostingDatabase;
  readonly #details: DocDetails;

  constructor(options: SignalOptions, database: PostingDatabase, details: DocDetails) {
    this.#options = options;
    this.#database = database;
    this.#details = details;
  }

  /** For docnos in ascending order. */
  async of(docnos: Uint32Array): Promise<readonly Signals[]> {
    const { freshness, popularity, halfLifeSeconds, clock } = this.#options;
    const now = Math.floor(clock.now() / 1000 / stepSeconds) * stepSeconds;
    const [modified, hosts] = await Promise.all([
      freshness > 0 ? this.#details.view(DetailColumn.modified, docnos) : () => 0,
      popularity > 0 ? linkingHosts(this.#database, docnos) : undefined,
    ]);
    return Array.from(docnos, (docno, index) => {
      const [modifiedAt, linking] = [modified(docno), hosts?.[index] ?? 0];
      return {
        modifiedAt,
        freshness: freshness * freshnessOf(modifiedAt, now, halfLifeSeconds),
        linkingHosts: linking,
        popularity: popularity * popularityOf(linking),
      };
    });
  }
}
