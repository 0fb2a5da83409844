// Lists of documents: RSS, Atom and JSON feeds, sitemaps. Read feed.ts, then feed-reader.ts and sitemap-reader.ts.
export { type Feed, type FeedEntry, type FeedFacts, type FeedItem, type FeedPace, isoDate } from './feed.ts';
export { type FeedOptions, readFeed } from './feed-reader.ts';
export { type SitemapEntry, SitemapReader } from './sitemap-reader.ts';
