import type { GarnerError } from '../../kernel/index.ts';
import type { DocumentInput } from '../../readers/document/index.ts';

/**
 * What is kept of a URL from one run to the next, as plain JSON. The enumerator decides what stands in it, the
 * Gatherer stores it and hands it back, unless the summary that it vouches for is gone. What has `canonicalUrl`,
 * `sitemaps` or `skipped` never had a summary and is handed back all the same.
 */
export interface Remembered {
  readonly etag?: string;
  /** Seconds since 1970. */
  readonly lastModified?: number;
  /** Of the document's bytes, hex. */
  readonly md5?: string;
  /** What a file looked like: size, times and inode in one word. */
  readonly stamp?: string;
  /**
   * Links within the site; absent when they are not known, and then the body is needed again. Of a page list: the
   * names in it.
   */
  readonly links?: readonly string[];
  /** The URL under which the same bytes are summarised instead. */
  readonly canonicalUrl?: string;
  /** Sitemaps that a sitemap index names; present only for sitemaps and page lists, which are no documents. */
  readonly sitemaps?: readonly string[];
  /** Page lists that the generator of this page leaves beside its pages. */
  readonly lists?: readonly string[];
  /** The limit that left this document out. */
  readonly skipped?: string;
}

/** Recalls URLs in ascending order; a promise only where it must read on. */
export interface OrderedRecall extends AsyncDisposable {
  recall(url: string): Remembered | undefined | Promise<Remembered | undefined>;
  /**
   * Take the document recalled last for unchanged. True: that is all, it is not to be told of; false: it is, as
   * everything else.
   */
  keep(url: string, remembered: Remembered): boolean;
  /** In place of `recall` for what is left out, before it is told of: that of which nothing is known costs no look. */
  leaveOut(item: Enumerated): void | Promise<void>;
}

/** What the Gatherer remembers of earlier runs over the same root. */
export interface EnumerationMemory {
  recall(url: string): Promise<Remembered | undefined>;
  /**
   * The same as `recall` for whoever asks for URLs below `prefix` in their order (by UTF-16 unit) and for each at most
   * once: what lies between is passed over in one sweep. To be disposed of.
   */
  inOrder?(prefix: string): OrderedRecall;
  /**
   * Every URL that has a summary. Those that no link led to in this run are asked for at its end, so that a page
   * that was deleted together with all links to it is noticed. Without it they are not mentioned. With a prefix only
   * URLs that begin with it.
   */
  known?(prefix?: string): AsyncIterable<string>;
}

interface Met {
  readonly url: string;
  /** The page, redirect, sitemap or page list that named the URL first; absent for the root. */
  readonly discoveredFrom?: string;
  /** Links from the root; 1 for what a sitemap or page list names, 0 for what only memory knew. */
  readonly depth: number;
  /** To be stored for this URL until the next run, once its summary is; absent: nothing is to be remembered. */
  readonly remember?: Remembered;
}

/** What enumeration says about one URL. Each URL is told of once, but a `document` may turn out a `double` later. */
export type Enumerated =
  /** To be summarised. */
  | (Met & { readonly kind: 'document'; readonly document: DocumentInput; readonly remember: Remembered })
  /** As it was when it was summarised last; no body was read, or one of `readBytes` that had the same MD5. */
  | (Met & {
      readonly kind: 'unchanged';
      readonly remember: Remembered;
      readonly readBytes?: number | undefined;
    })
  /** The same bytes as `of`, under a longer name: not a document of its own, a summary of it is to go. */
  | (Met & { readonly kind: 'double'; readonly of: string; readonly remember: Remembered })
  /** Only a name for `to`, which is told of by itself: a summary of it is to go. */
  | (Met & { readonly kind: 'redirected'; readonly to: string; readonly status: number })
  /** A list of URLs, not a document; the URL of a page list has a fragment, for the same file may be a document. */
  | (Met & { readonly kind: 'sitemap'; readonly remember: Remembered })
  /** The provider says that there is no such document: a summary of it is to go. */
  | (Met & { readonly kind: 'gone'; readonly reason: string })
  /** Could not be read this time: a summary of it stays. `whole`: and so does every other that was not told of. */
  | (Met & { readonly kind: 'failed'; readonly error: GarnerError; readonly whole?: true })
  /** Left out by a rule, which `rule` names: a summary of it is to go. `limit`: an operator's limit, not the site's. */
  | (Met & { readonly kind: 'skipped'; readonly rule: string; readonly limit?: true });

/** Expands one root into what is to be summarised (Harvest's enumeration). */
export interface Enumerator {
  /** What reports call it by: the URL of its root. */
  readonly root?: string;
  /**
   * Tell of every URL under the root, as fast as the caller takes them. Throws GATHERER_* when the root itself
   * cannot be read or the provider falls silent; what was told until then stands.
   */
  enumerate(memory: EnumerationMemory, signal?: AbortSignal): AsyncIterable<Enumerated>;
  /** Whether a URL would be gathered, limits of a run aside, and which rule says so. */
  decide(url: string, signal?: AbortSignal): Promise<ScopeVerdict>;
  /** Whether it could tell of a document under a URL, by the spelling alone; of any when absent. Asked for every URL. */
  covers?(url: string): boolean;
  /** How it spells the URL of a document that is written in another way; undefined for what is not its own. */
  spelled?(url: string): string | undefined;
  /** What begins with this it covers, and nothing else: ends in a slash. Absent where that is not all there is to say. */
  readonly urlPrefix?: string;
}

/** Whether a URL would be enumerated, and the rule that says so. */
export interface ScopeVerdict {
  /** The URL as it would be gathered. */
  readonly url: string;
  readonly included: boolean;
  /** As a person reads it: `same host as http://example.org`, `robots.txt line 3: Disallow: /private/`. */
  readonly rule: string;
}
