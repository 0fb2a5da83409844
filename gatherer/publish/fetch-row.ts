import type { Remembered } from '../enumerate/index.ts';
import type { Findings } from './document-findings.ts';
import type { Retry } from './retry.ts';

/** What the Gatherer remembers of a URL between runs, so that an unchanged document is neither read nor fetched. */
export interface FetchRow extends Remembered {
  /** Small dense number, by which a run marks what it has seen. */
  readonly ordinal: number;
  /** How documents were summarised then; under other settings they are read again. */
  readonly profile: string;
  /** Hex digest of the summary this row led to, if any; a row whose summary is not in the store counts for nothing. */
  readonly digest?: string;
  /** How many documents inside this one have summaries of their own. */
  readonly parts?: number;
  /** This is a document inside another, whose row is that of the URL before the fragment. */
  readonly part?: true;
  /** The URL under which its summary is published, when that is another. */
  readonly as?: string;
  /** Refresh-Rate of its summary in seconds, when that is its own. */
  readonly refresh?: number;
  /** When its summary is to be refreshed though its document has not changed, in seconds since 1970. */
  readonly due?: number;
  /** What the report of each run says of it. */
  readonly findings?: Findings;
  /** When its document counts as unknown, because its summary lacks what a passing fault kept from it. */
  readonly retry?: Retry;
}

/** The enumerator's part of a row, in a fixed order. */
export function remembered(row: Remembered): Remembered {
  const { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped } = row;
  const all = { etag, lastModified, md5, stamp, links, canonicalUrl, sitemaps, lists, skipped };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}

/** What a row says beside what the enumerator remembers. */
export type Vouch = Pick<
  FetchRow,
  'digest' | 'parts' | 'part' | 'as' | 'refresh' | 'due' | 'findings' | 'retry'
>;

/** Its due time alone, as part of a row. */
export function dueOf({ due }: { readonly due?: number }): { readonly due?: number } {
  return due === undefined ? {} : { due };
}

/** What a row says beside what the enumerator remembers, in a fixed order. */
export function vouchOf({ digest, parts, part, as, refresh, due, findings, retry }: Vouch): Vouch {
  const all = { digest, refresh, due, parts, part, as, findings, retry };
  return Object.fromEntries(Object.entries(all).filter(([, value]) => value !== undefined));
}
