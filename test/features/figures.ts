import type { Area } from './feature.ts';

export const figures: Area = {
  'figure.gather-speed': {
    feature: 'The speed of gathering with full text is measured in pages per second and core.',
    bench: 'main',
    row: 'pages gathered a second and core, full text',
  },
  'figure.gather-selected': {
    feature: 'The speed of gathering with selected text is measured in pages per second and core.',
    bench: 'main',
    row: 'pages gathered a second and core, selected text',
  },
  'figure.wire-bytes': {
    feature: 'The bytes on the wire for a first collection of full text are measured.',
    bench: 'main',
    row: 'bytes on the wire, full text',
  },
  'figure.wire-crawl': {
    feature: 'A collection of full text is measured against a crawl with gzip, in bytes.',
    bench: 'main',
    row: 'crawl with gzip against collection of full text, bytes',
  },
  'figure.unchanged-round': {
    feature: 'The bytes of a round in which nothing has changed are measured.',
    bench: 'main',
    row: 'bytes of a round on an open session, the largest of all',
  },
  'figure.unchanged-crawl': {
    feature: 'A conditional crawl is measured against an unchanged round, in bytes.',
    bench: 'main',
    row: 'conditional crawl against round, bytes',
  },
  'figure.unchanged-cpu': {
    feature: 'A conditional crawl is measured against an unchanged round, in CPU of the provider.',
    bench: 'main',
    row: 'conditional crawl against round, CPU of the provider',
  },
  'figure.collect-searchable': {
    feature: 'The time from an empty Broker until everything is collected and searchable is measured.',
    bench: 'main',
    row: 'from the start of an empty Broker until everything is collected and searchable',
  },
  'figure.query-p50': {
    feature: 'The median time of a query over HTTP is measured.',
    bench: 'main',
    row: '1 to 3 words of a title over HTTP, p50',
  },
  'figure.query-p95': {
    feature: 'The 95th percentile of the time of a query over HTTP is measured.',
    bench: 'main',
    row: '1 to 3 words of a title over HTTP, p95',
  },
  'figure.phrases': {
    feature: 'The share of phrases that find the page they were taken from is measured.',
    bench: 'main',
    row: 'phrases that found the page they were taken from',
  },
  'figure.cold-start': {
    feature: 'The time from opening a Broker to its first answer is measured.',
    bench: 'main',
    row: 'opened in process to the first answer, modules loaded',
  },
  'figure.soif-parser': {
    feature: 'The speed of the SOIF parser is measured.',
    bench: 'main',
    row: 'SOIF parser over that stream',
  },
  'figure.wire-speed': {
    feature: 'The speed of the wire from end to end is measured.',
    bench: 'main',
    row: 'wire, decoded, end to end, zlib-sync',
  },
  'figure.gatherer-memory': {
    feature: 'The peak memory of a Gatherer while it gathers is measured.',
    bench: 'main',
    row: 'Gatherer while it gathers, peak',
  },
  'figure.broker-memory': {
    feature: 'The peak memory of a Broker while it collects and indexes is measured.',
    bench: 'main',
    row: 'Broker while it collects and indexes, peak',
  },
  'figure.unchanged-file': {
    feature: 'The CPU for each unchanged file of a folder is measured.',
    bench: 'gather',
    row: 'CPU per file beyond start-up',
  },
  'figure.folder-searchable': {
    feature: 'The time of `garner up` until the HTML of a folder is searchable is measured.',
    bench: 'gather',
    row: 'garner up, the HTML alone',
  },
  'figure.folder-pagefind': {
    feature: 'The time of pagefind is measured against `garner up` for the same HTML.',
    bench: 'gather',
    row: 'pagefind against garner up, time',
  },
  'figure.index-size': {
    feature: 'The size of the index with positions is measured as part of the text.',
    bench: 'index',
    row: 'index with positions, of the text',
  },
  'figure.index-small': {
    feature: 'The size of the index without positions is measured as part of the text.',
    bench: 'index',
    row: 'index without positions, of the text',
  },
  'figure.index-build': {
    feature: 'The speed of building the index is measured against SQLite FTS5.',
    bench: 'index',
    row: 'speed of building against FTS5',
  },
  'figure.index-update': {
    feature: 'The time of a durable update of one document is measured.',
    bench: 'index',
    row: 'update of one document',
  },
  'figure.glimpse-size': {
    feature: 'The size of the tiny Glimpse index is measured as part of the text.',
    bench: 'index',
    row: 'tiny Glimpse index, of the text',
  },
  'figure.glimpse-errors': {
    feature: "The time of words with one error is measured against Debian's glimpse.",
    bench: 'index',
    row: "one error, p50, against Debian's glimpse",
  },
  'figure.views-match': {
    feature: 'The CPU to match a changed object against 100,000 views is measured.',
    bench: 'views',
    row: 'CPU to match a changed object, p50',
  },
  'figure.views-memory': {
    feature: 'The memory of one of very many views is measured.',
    bench: 'views',
    row: 'memory of a view',
  },
  'figure.cascade-change': {
    feature: 'The time until a changed document is searchable at the third Broker is measured.',
    bench: 'cascade',
    row: 'a changed document is searchable at the third',
  },
  'figure.cascade-delete': {
    feature: 'The time until a deleted document is removed from all three Brokers is measured.',
    bench: 'cascade',
    row: 'a deleted document is removed from all three',
  },
  'figure.http-repeated': {
    feature: 'The number of repeated queries answered in a second over HTTP is measured.',
    bench: 'http',
    table: 'The same 200 queries repeatedly, over 16 persistent connections',
    row: 'queries a second',
  },
  'figure.http-distinct': {
    feature: 'The number of distinct queries answered in a second over HTTP is measured.',
    bench: 'http',
    table: 'Distinct queries of two words, over 16 persistent connections',
    row: 'queries a second',
  },
  'figure.million-start': {
    feature: 'The time from the start of a Broker of a million objects to its first answer is measured.',
    bench: 'million',
    row: 'started to the first answer',
  },
  'figure.million-memory': {
    feature: 'The memory of a Broker of a million objects under load is measured.',
    bench: 'million',
    row: 'own memory while it serves under load, peak',
  },
  'figure.million-growth': {
    feature: 'The size of the index for an object is measured at a million objects against ten times fewer.',
    bench: 'million',
    row: 'index per object against ten times fewer',
  },
  'figure.million-busy': {
    feature: 'The 95th percentile of query times while objects arrive at a Broker of a million is measured.',
    bench: 'million',
    row: 'p95 while objects arrive',
  },
  'figure.awareness-unchanged': {
    feature: 'The bytes of a later exchange in which nothing has changed are measured.',
    bench: 'awareness',
    row: 'later exchanges',
  },
  'figure.awareness-sketch': {
    feature: 'The bytes of a sketch for 1,000 differences are measured.',
    bench: 'awareness',
    table: 'Sketch, scattered inserts, the number of differences known',
    row: 'U = 1,000, bytes',
  },
  'figure.awareness-unknown': {
    feature: 'The bytes for 1,000 differences of which nothing is known are measured.',
    bench: 'awareness',
    table: 'Sketch, scattered inserts, nothing known',
    row: 'U = 1,000, bytes',
  },
  'figure.awareness-appended': {
    feature: 'The bytes for 1,000 appended objects are measured.',
    bench: 'awareness',
    table: 'Appended objects, the engine’s choice',
    row: 'U = 1,000, bytes',
  },
  'figure.awareness-write': {
    feature: 'The cost that sketches add to a write is measured.',
    bench: 'awareness',
    row: 'the summaries’ part, of LevelDB’s part',
  },
  'figure.provider-wire': {
    feature: 'A site read by FTP is measured against one collection over the wire, in CPU of the provider.',
    bench: 'provider',
    table: 'Factors, empty files, CPU of the provider',
    row: 'site of 2,300 files by FTP against the wire (paper: 6,429)',
  },
  'figure.provider-stream': {
    feature: 'A site read by FTP is measured against the kept compressed stream, in CPU of the provider.',
    bench: 'provider',
    table: 'Factors, empty files, CPU of the provider',
    row: 'the same against the stored compressed stream (paper: 6,631)',
  },
  'figure.cache-squid-1k': {
    feature: 'Hits of 1 KiB in a second are measured against Squid.',
    bench: 'cache',
    table: 'Hits of 1 KiB over 32 persistent connections, one core',
    row: 'Garner against squid, requests a second',
  },
  'figure.cache-squid-10k': {
    feature: 'Hits of 10 KiB in a second are measured against Squid.',
    bench: 'cache',
    table: 'Hits of 10 KiB over 32 persistent connections, one core',
    row: 'Garner against squid, requests a second',
  },
  'figure.cache-squid-100k': {
    feature: 'Hits of 100 KiB in a second are measured against Squid.',
    bench: 'cache',
    table: 'Hits of 100 KiB over 32 persistent connections, one core',
    row: 'Garner against squid, requests a second',
  },
  'figure.cache-trafficserver': {
    feature: 'Hits of 1 KiB in a second are measured against Traffic Server.',
    bench: 'cache',
    table: 'Hits of 1 KiB over 32 persistent connections, one core',
    row: 'Garner against trafficserver, requests a second',
  },
  'figure.cache-miss': {
    feature: 'The time that the cache adds to a miss is measured.',
    bench: 'cache',
    row: 'added by Garner, p50',
  },
  'figure.cache-million': {
    feature: 'The memory for a million stored responses is measured.',
    bench: 'cache',
    row: 'memory growth of the process when all are stored',
  },
  'figure.cache-level': {
    feature: 'The time that each level of caches adds to a hit is measured.',
    bench: 'cache-levels',
    row: 'added per level, p50',
  },
  'figure.cache-once': {
    feature: 'The requests at the origin for a thousand requests of ten children at once are measured.',
    bench: 'cache-levels',
    row: 'requests to the origin',
  },
  'figure.cache-dead-parent': {
    feature: 'The time of the first miss after the death of a parent is measured.',
    bench: 'cache-levels',
    row: 'the first miss after it has died',
  },
  'figure.sieve-web': {
    feature: 'The hit ratio of SIEVE is measured against LRU on a trace of a news site.',
    bench: 'cache-traces',
    table: 'web07 (a news site, pages count the same)',
    row: 'sieve ahead of lru, a cache of 10 %',
  },
  'figure.sieve-cdn': {
    feature: 'The hit ratio of SIEVE is measured against LRU on a trace of a CDN.',
    bench: 'cache-traces',
    table: 'AdaptSize sample of a CDN (objects count the same)',
    row: 'sieve ahead of lru, a cache of 10 %',
  },
  'figure.main-text-publishers': {
    feature:
      'Precision, recall and F1 of the main text are measured on pages of publishers that the model was not trained on.',
    bench: 'extraction',
    row: 'garner, other publishers',
  },
};
