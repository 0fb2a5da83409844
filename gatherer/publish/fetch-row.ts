import type { Remembered } from '../enumerate/index.ts';
import type { Findings } from './document-findings.ts';

/** The row of a URL between runs, so that an unchanged document is neither read nor fetched. */
export interface FetchRow extends Remembered {
  /** Small dense number, by which a run marks the documents it has met. */
  readonly ordinal: number;
  /** Digest of the settings of its summary; with other settings the document is read again. */
  readonly profile: string;
  /** Hex digest of its summary, if any; a row whose summary is not in the store does not count. */
  readonly digest?: string;
  /** Number of documents inside this one with summaries of their own. */
  readonly parts?: number;
  /** This is a document inside another, whose row is that of the URL before the fragment. */
  readonly part?: true;
  /** The URL under which its summary is published, if it differs. */
  readonly as?: string;
  /** Refresh-Rate of its summary in seconds, if it differs from the Gatherer's. */
  readonly refresh?: number;
  /** Time of the next refresh of its summary, in seconds since 1970. */
  readonly due?: number;
  /** Its findings for the report of each run. */
  readonly findings?: Findings;
  /** Other addresses of the same page, as its summary names them. */
  readonly others?: readonly string[];
  /** Time from which its document counts as unknown, because a passing fault reduced its summary. */
  readonly retry?: Retry;
}

/** The enumerator's part of a row, in a fixed order. */
export function remembered(row: Remembered): Remembered {
  const { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped, dull } = row;
  const all = { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped, dull };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** The Gatherer's part of a row. */
export type Vouch = Pick<
  FetchRow,
  'digest' | 'parts' | 'part' | 'as' | 'refresh' | 'due' | 'findings' | 'others' | 'retry'
>;

/** Its due time alone, as part of a row. */
export function dueOf({ due }: { readonly due?: number }): { readonly due?: number } {
  return due === undefined ? {} : { due };
}

/** The Gatherer's part of a row, in a fixed order. */
export function vouchOf({ digest, parts, part, as, refresh, due, findings, others, retry }: Vouch): Vouch {
  const all = { digest, refresh, due, parts, part, as, findings, others, retry };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** When an unchanged document is read again, because its fault may have passed. */
export interface Retry {
  /** The time and memory of a document when it failed; with others it is read again at once. */
  readonly bounds?: string;
  /** In seconds since 1970. */
  readonly at: number;
  /** Seconds of this wait. */
  readonly after: number;
}

const firstSeconds = 3600;
const maxSeconds = 24 * 3600;

/** An hour after the first fault, then twice as long after each further one, max a day. */
export function nextRetry(before: Retry | undefined, nowSeconds: number, bounds?: string): Retry {
  const after = before === undefined ? firstSeconds : Math.min(before.after * 2, maxSeconds);
  return { at: nowSeconds + after, after, ...(bounds !== undefined && { bounds }) };
}
