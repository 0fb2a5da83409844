import type { SummaryObject } from '../../../soif/index.ts';

/** What the gatherd port serves: a Gatherer's production store as SOIF. */
export interface ClassicSource {
  /** How much there is. */
  state(): Promise<{ readonly objects: number }>;
  /** The Gatherer's description of itself, an object of type GATHERER (Harvest: INFO.soif). */
  info(): Promise<SummaryObject>;
  /** The object of an identifier (an OID, or a URL as with the original), or undefined. */
  object(id: string): Promise<SummaryObject | undefined>;
  /**
   * What changed since a time in seconds since 1970, as SOIF text in the sections @DELETE, @REFRESH and @UPDATE; 0
   * stands for everything. Asked for only as fast as it is taken; ending it early lets go of what it holds.
   */
  updates(since: number): AsyncIterable<Uint8Array>;
  /** The same for 0, ready as gzip (Harvest: All-Templates.gz); undefined when there is no such file. */
  everything?(): Promise<AsyncIterable<Uint8Array> | undefined>;
}
