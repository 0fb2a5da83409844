import type { Clock } from '../../../kernel/index.ts';
import { DetailColumn, type DocDetails } from '../documents/doc-details.ts';
import { linkingHosts } from '../documents/link-counts.ts';
import type { PostingDatabase } from '../index-database/posting-database.ts';

/** How much counts that is not said in a text. Neither does at 0. */
export interface SignalOptions {
  /** The most that being new adds, as a part of a score: 0 to 1. */
  readonly freshness: number;
  /** After so many seconds half of it is left. */
  readonly halfLifeSeconds: number;
  /** The most that links from other hosts add, as a part of a score: 0 to 1. */
  readonly popularity: number;
  readonly clock: Clock;
}

/** What adds to the score of one object, as a part of it, and why. */
export interface Signals {
  /** Seconds since 1970 of the document's own date; 0 for none. */
  readonly modifiedAt: number;
  readonly freshness: number;
  /** Other hosts with a page that links to it. */
  readonly linkingHosts: number;
  readonly popularity: number;
}

/** Who has that many links is as popular as any. */
const maxHosts = 1023;
/** Lists that are read on after minutes keep their order: the time is that of the last full hour. */
const stepSeconds = 3600;

/** 1 for what is new or dated ahead, half of it after each half-life, 0 for what has no date (all in seconds). */
export function freshnessOf(modifiedAt: number, now: number, halfLifeSeconds: number): number {
  return modifiedAt === 0 ? 0 : 2 ** (-Math.max(0, now - modifiedAt) / halfLifeSeconds);
}

/** From 0 for no host to 1 for 1,023 and more: each doubling adds as much. */
export function popularityOf(hosts: number): number {
  return Math.log2(1 + Math.min(maxHosts, hosts)) / Math.log2(1 + maxHosts);
}

/** Tells what objects gain by what their text does not say. */
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
