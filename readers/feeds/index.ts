// Lists of documents: RSS, Atom and JSON feeds, OPML, sitemaps. Read feed.ts, then feed-reader.ts, opml.ts and
// sitemap-reader.ts.
export { type Feed, type FeedEntry, type FeedFacts, type FeedItem, isoDate } from './feed.ts';
export { type FeedOptions, readFeed } from './feed-reader.ts';
export { type OutlineFacts, type OutlineLine, readOpml } from './opml.ts';
export { type SitemapEntry, SitemapReader } from './sitemap-reader.ts';
