// Lists of documents: RSS, Atom and JSON feeds, sitemaps. Read feed.ts, then feed-reader.ts and sitemap-reader.ts.
export type { Feed, FeedEntry, FeedFacts, FeedItem, FeedPace } from './feed.ts';
export { type FeedOptions, readFeed } from './feed-reader.ts';
export { type SitemapEntry, SitemapReader } from './sitemap-reader.ts';
