import type { RawFields } from '../rules/index.ts';

/** The store as the doors for peers use it. URLs are normalised. */
export interface PeerLookup {
  /** From memory, at once; may be wrong occasionally. */
  has(url: string): boolean;
  /** Whether a GET with these fields (none by ICP) can be answered from the store for `seconds` more. */
  isFresh(url: string, fields: RawFields, seconds: number): boolean | Promise<boolean>;
}

/** RFC 2187 5: no hit for a response that may become stale before the peer requests it. */
export const freshSeconds = 30;

/** Max look-ups at a time; further queries get no answer, which peers tolerate. */
export const maxLookups = 1024;
