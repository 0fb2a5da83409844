import type { GarnerError } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';

/**
 * The row of a URL that is stored from one run to the next, as plain JSON. The enumerator decides its content. The
 * Gatherer stores it and returns it, unless the summary of the URL is missing. A row with `canonicalUrl`, `sitemaps` or
 * `skipped` never had a summary and is always returned.
 */
export interface Remembered {
  readonly etag?: string;
  /** Seconds since 1970. */
  readonly lastModified?: number;
  /** Of the document's bytes, hex. */
  readonly md5?: string;
  /** State of a file: size, times and inode in one text. */
  readonly stamp?: string;
  /** Links within the site, or names in a page list; absent when unknown: then the body is needed. */
  readonly links?: readonly string[];
  /** The URL under which the same bytes are summarised instead. */
  readonly canonicalUrl?: string;
  /** Sitemaps that a sitemap index names; present only for sitemaps and page lists, which are no documents. */
  readonly sitemaps?: readonly string[];
  /** Page lists that the generator of this page writes beside its pages. */
  readonly lists?: readonly string[];
  /** The rule that left this page list out. */
  readonly skipped?: string;
  /** It showed nothing new when it was read. */
  readonly dull?: true;
}

/** What the summary of a document says that the enumeration needs. */
export interface PageFacts {
  /** Links to follow, absolute or relative. */
  readonly links: readonly string[];
  /** The address that it names as its own, absolute. */
  readonly canonical?: string;
  /** Whether it gets a summary: no rule of the operator or the page forbids it. */
  readonly kept: boolean;
}

/** Recalls URLs in ascending order; returns a promise only when it must read more rows. */
export interface OrderedRecall extends AsyncDisposable {
  recall(url: string): Remembered | undefined | Promise<Remembered | undefined>;
  /** Note that the last recalled document is unchanged. True: do not yield it; false: yield it as usual. */
  keep(url: string, remembered: Remembered): boolean;
  /** Instead of `recall`, before a skipped item is yielded: an unknown URL costs no read. */
  leaveOut(item: Enumerated): void | Promise<void>;
}

/** The Gatherer's memory of earlier runs over the same root. */
export interface EnumerationMemory {
  recall(url: string): Promise<Remembered | undefined>;
  /** `recall` for URLs below `prefix` in order, each at most once. The caller disposes of the result. */
  inOrder?(prefix: string): OrderedRecall;
  /**
   * Every URL that has a summary. At the end of a run, the enumerator requests those that no link led to, so that a
   * page deleted together with all links to it is noticed. Without this function they are not yielded. With a prefix
   * only URLs that begin with it.
   */
  known?(prefix?: string): AsyncIterable<string>;
}

interface Met {
  readonly url: string;
  /** The page, redirect, sitemap or page list that named the URL first; absent for the root. */
  readonly discoveredFrom?: string;
  /** Links from the root; 1 for a URL in a sitemap or page list, 0 for a URL known only from memory. */
  readonly depth: number;
  /** The row to store with the summary until the next run; absent: no row. */
  readonly remember?: Remembered;
}

/** The result for one URL. Each URL is yielded once, but a `document` may later prove to be a `double`. */
export type Enumerated =
  /** A document to summarise. */
  | (Met & { readonly kind: 'document'; readonly document: DocumentInput; readonly remember: Remembered })
  /** Unchanged since the last summary; no body was read, or one of `readBytes` bytes with the same MD5. */
  | (Met & {
      readonly kind: 'unchanged';
      readonly remember: Remembered;
      readonly readBytes?: number | undefined;
    })
  /**
   * The same bytes as `of`, or by `named` a page that names `of` as its own address: not a document of its own; its
   * summary is deleted.
   */
  | (Met & {
      readonly kind: 'double';
      readonly of: string;
      readonly named?: true;
      readonly remember: Remembered;
    })
  /** Only a name for `to`, which is yielded by itself; its summary is deleted. */
  | (Met & { readonly kind: 'redirected'; readonly to: string; readonly status: number })
  /** A list of URLs, not a document; the URL of a page list has a fragment, for the same file may be a document. */
  | (Met & { readonly kind: 'sitemap'; readonly remember: Remembered })
  /** The provider reports that there is no such document; its summary is deleted. */
  | (Met & { readonly kind: 'gone'; readonly reason: string })
  /** Could not be read this time; its summary stays. `whole`: so do all summaries that were not yielded. */
  | (Met & { readonly kind: 'failed'; readonly error: GarnerError; readonly whole?: true })
  /** Left out by the rule that `rule` names; its summary is deleted. `limit`: an operator's limit, not the site's. */
  | (Met & { readonly kind: 'skipped'; readonly rule: string; readonly limit?: true });

/** Expands one root into documents to summarise (Harvest's enumeration). */
export interface Enumerator {
  /** The URL of its root, for reports. */
  readonly root?: string;
  /**
   * Yield every URL under the root, at the caller's pace. Throws GATHERER_* when the root itself cannot be read or the
   * provider stops answering; the items yielded before remain valid.
   */
  enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated>;
  /** Whether a URL would be gathered, apart from limits of a run, and the rule that decides. */
  decide(url: string, signal?: AbortSignal): Promise<ScopeVerdict>;
  /** Whether it could yield a document under a URL, by the spelling alone; of any when absent. Called for every URL. */
  covers?(url: string): boolean;
  /** Its spelling of a document's URL that is written in another way; undefined for a URL of another root. */
  spelled?(url: string): string | undefined;
  /** It covers exactly the URLs with this prefix, which ends in a slash. Absent when `covers` is not only a prefix. */
  readonly urlPrefix?: string;
}

/** Whether a URL would be enumerated, and the rule that decides. */
export interface ScopeVerdict {
  /** The URL as it would be gathered. */
  readonly url: string;
  readonly included: boolean;
  /** For people: `same host as http://example.org`, `robots.txt line 3: Disallow: /private/`. */
  readonly rule: string;
}
