import type { RawFields } from '../rules/index.ts';

/** What the doors for peers must know of the store. URLs are normalised. */
export interface PeerLookup {
  /** From memory alone, at once; may be wrong now and then. */
  has(url: string): boolean;
  /**
   * Whether a GET with these fields would be answered from the store without asking anybody, for so many seconds to
   * come. ICP tells no fields: then those are empty.
   */
  isFresh(url: string, fields: RawFields, seconds: number): boolean | Promise<boolean>;
}

/** RFC 2187 5: no hit is told for what is about to be stale when the asker comes for it. */
export const freshSeconds = 30;

/** Answers that may be looked up at once; what comes then stays without one, which askers bear. */
export const maxLookups = 1024;
