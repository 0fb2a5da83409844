/** One entry of a feed: where its document is, and when it changed. */
export interface FeedEntry {
  readonly link: string;
  /** Seconds since 1970: updated, else published. */
  readonly modified?: number;
}

/** The texts of one entry; HTML in them is plain text already. */
export interface FeedItem {
  readonly title: string;
  /** As written, resolved against `xml:base`. */
  readonly link: string | undefined;
  /** The content, else the description. */
  readonly text: string;
  readonly authors: readonly string[];
  readonly keywords: readonly string[];
  /** Seconds since 1970. */
  readonly modified: number | undefined;
  /** Addresses in the text, and enclosures. */
  readonly references: readonly string[];
}

/** What a feed says of itself. */
export interface FeedFacts {
  readonly format: 'RSS' | 'Atom' | 'JSON Feed';
  readonly version: string | undefined;
  readonly title: string;
  readonly description: string;
  readonly authors: readonly string[];
  readonly keywords: readonly string[];
  readonly language: string | undefined;
  readonly rights: string;
  readonly generator: string;
  /** Seconds since 1970. */
  readonly modified: number | undefined;
  /** The page that it belongs to. */
  readonly home: string | undefined;
  /** Its own address (`rel=self`, `feed_url`). */
  readonly self: string | undefined;
  /** WebSub hubs (`rel=hub`, `hubs`). */
  readonly hubs: readonly string[];
}

/** The content of a feed, as far as an enumerator needs it. */
export interface Feed {
  readonly facts: FeedFacts;
  readonly entries: readonly FeedEntry[];
  /** The next page (RFC 5005: `next`, `prev-archive`; JSON Feed: `next_url`). */
  readonly next: string | undefined;
  /** Whether entries beyond the limit were left out. */
  readonly cut: boolean;
}

const maxEntries = 50_000;

/** Collects the entries of a feed within a bound. */
export class FeedCollector {
  readonly entries: FeedEntry[] = [];
  next: string | undefined;
  cut = false;

  add(link: string | undefined, modified: number | undefined): void {
    const trimmed = link?.trim();
    if (!trimmed) return;
    if (this.entries.length >= maxEntries) this.cut = true;
    else this.entries.push({ link: trimmed, ...(modified !== undefined && { modified }) });
  }

  feed(facts: FeedFacts): Feed {
    const { entries, next, cut } = this;
    return { facts, entries, next, cut };
  }
}

const zone = /(?:Z|UTC?|GMT|[ECMP][SD]T|[+-]\d\d:?\d\d)$/i;

/** Seconds since 1970 of an RFC 822 or RFC 3339 date; without a zone, or with an unknown one, in UTC. */
export function feedDate(text: string | undefined): number | undefined {
  if (text === undefined || text.length > 60) return undefined;
  const written = text.trim();
  const utc = /\dT\d/.test(written) ? 'Z' : ' UTC';
  const known = zone.test(written) ? written : written.replace(/\s[A-Z]{2,5}$/, '') + utc;
  const parsed = Date.parse(known);
  const ms = Number.isFinite(parsed) ? parsed : Date.parse(written);
  return Number.isFinite(ms) && ms >= 0 && ms < 253_402_300_800_000 ? Math.floor(ms / 1000) : undefined;
}

/** A date as ISO 8601 in UTC. */
export function isoDate(seconds: number | undefined): string | undefined {
  return seconds === undefined ? undefined : new Date(seconds * 1000).toISOString().replace('.000Z', 'Z');
}
