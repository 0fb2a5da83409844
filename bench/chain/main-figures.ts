import type { Figure } from '../harness/results.ts';

const gathering = 'Gathering a folder (a process of its own, start-up and SOIF file included)';
const collecting = 'First collection, against a crawl of the same site';
const unchanged = 'A round in which nothing has changed';
const searching = 'Index and search';
const memory = 'Memory (resident)';
const starting = 'Cold start of a Broker that holds the site';
const streams = 'Streams (one core each)';

/** All figures of the main job. */
export const mainFigures = {
  gatherFull: {
    section: gathering,
    what: 'pages gathered a second and core, full text',
    unit: 'pages/s',
  },
  gatherSelected: {
    section: gathering,
    what: 'pages gathered a second and core, selected text',
    unit: 'pages/s',
  },
  gatherFullSeconds: { section: gathering, what: 'whole run, full text', unit: 's' },
  gatherSelectedSeconds: { section: gathering, what: 'whole run, selected text', unit: 's' },

  collectFull: { section: collecting, what: 'bytes on the wire, full text', unit: 'MB' },
  collectFullPart: { section: collecting, what: 'the same, as part of the bytes of the site', unit: '%' },
  collectSelected: { section: collecting, what: 'bytes on the wire, selected text', unit: 'MB' },
  collectSelectedPart: { section: collecting, what: 'the same, as part of the bytes of the site', unit: '%' },
  collectHandshake: {
    section: collecting,
    what: 'handshake and hello of a session, not included above',
    unit: 'B',
  },
  crawlPlain: { section: collecting, what: 'bytes of a crawl, nginx plain', unit: 'MB' },
  crawlGzip: { section: collecting, what: 'bytes of a crawl, nginx gzip level 6', unit: 'MB' },
  crawlRatio: {
    section: collecting,
    what: 'crawl with gzip against collection of full text, bytes',
    unit: 'times',
  },
  collectFullSeconds: {
    section: collecting,
    what: 'time until learned, verified and stored, full text',
    unit: 's',
  },
  crawlGzipSeconds: {
    section: collecting,
    what: 'time of the crawl with gzip, pages only read',
    unit: 's',
  },
  collectFullCpu: {
    section: collecting,
    what: 'CPU of the Gatherer for one collection, full text',
    unit: 'ms',
  },
  crawlPlainCpu: { section: collecting, what: 'CPU of nginx for one crawl, plain', unit: 'ms' },
  crawlGzipCpu: { section: collecting, what: 'CPU of nginx for one crawl, gzip', unit: 'ms' },

  roundBytes: {
    section: unchanged,
    what: 'bytes of a round on an open session, the largest of all',
    unit: 'B',
    goal: { below: 200 },
  },
  recrawlBytes: { section: unchanged, what: 'bytes of a conditional crawl, nginx', unit: 'kB' },
  sitemapBytes: {
    section: unchanged,
    what: 'bytes of one conditional request for a sitemap, nginx',
    unit: 'B',
  },
  bytesRatio: { section: unchanged, what: 'conditional crawl against round, bytes', unit: 'times' },
  roundCpu: { section: unchanged, what: 'CPU of the Gatherer for a round', unit: 'µs' },
  recrawlCpu: { section: unchanged, what: 'CPU of nginx for a conditional crawl', unit: 'ms' },
  sitemapCpu: {
    section: unchanged,
    what: 'CPU of nginx for one conditional request for a sitemap',
    unit: 'µs',
  },
  cpuRatio: {
    section: unchanged,
    what: 'conditional crawl against round, CPU of the provider',
    unit: 'times',
  },
  regatherCpu: {
    section: unchanged,
    what: 'CPU of the Gatherer to scan its unchanged folder, for any number of collectors',
    unit: 'ms',
  },

  brokerSeconds: {
    section: searching,
    what: 'from the start of an empty Broker until everything is collected and searchable',
    unit: 's',
  },
  indexSeconds: { section: searching, what: 'index rebuilt from the store', unit: 's' },
  indexCpu: { section: searching, what: 'CPU for that, merging in the background included', unit: 's' },
  indexBytes: { section: searching, what: 'index on disk', unit: 'MB' },
  indexPart: { section: searching, what: 'the same, as part of the text that is indexed', unit: '%' },
  wordsHttp50: { section: searching, what: '1 to 3 words of a title over HTTP, p50', unit: 'ms' },
  wordsHttp95: { section: searching, what: '1 to 3 words of a title over HTTP, p95', unit: 'ms' },
  phraseHttp50: { section: searching, what: 'phrase of six words over HTTP, p50', unit: 'ms' },
  phraseHttp95: { section: searching, what: 'phrase of six words over HTTP, p95', unit: 'ms' },
  wordsEngine50: { section: searching, what: '1 to 3 words, the engine alone, p50', unit: 'ms' },
  wordsEngine95: { section: searching, what: '1 to 3 words, the engine alone, p95', unit: 'ms' },
  phraseEngine50: { section: searching, what: 'phrase of six words, the engine alone, p50', unit: 'ms' },
  phraseEngine95: { section: searching, what: 'phrase of six words, the engine alone, p95', unit: 'ms' },
  phraseFound: {
    section: searching,
    what: 'phrases that found the page they were taken from',
    unit: '%',
    goal: { atLeast: 100 },
  },

  gatherPeak: { section: memory, what: 'Gatherer while it gathers, peak', unit: 'MiB' },
  gathererMemory: { section: memory, what: 'Gatherer that serves, after all collections', unit: 'MiB' },
  brokerPeak: { section: memory, what: 'Broker while it collects and indexes, peak', unit: 'MiB' },
  brokerMemory: { section: memory, what: 'Broker that serves, after all queries', unit: 'MiB' },

  openMs: {
    section: starting,
    what: 'opened in process to the first answer, modules loaded',
    unit: 'ms',
    goal: { atMost: 100 },
  },
  openCpu: { section: starting, what: 'CPU for that, all threads', unit: 'ms' },
  coldMs: { section: starting, what: 'process started to the first answer over HTTP', unit: 'ms' },
  bareMs: { section: starting, what: 'an idle Node process, for comparison', unit: 'ms' },

  streamBytes: { section: streams, what: 'classic SOIF stream, full text', unit: 'MB' },
  streamGzip: { section: streams, what: 'the same, as the prepared compressed file', unit: 'MB' },
  parserRate: {
    section: streams,
    what: 'SOIF parser over that stream',
    unit: 'MB/s',
    goal: { atLeast: 100 },
  },
  parserFirst: {
    section: streams,
    what: 'SOIF parser, first pass of a new process',
    unit: 'MB/s',
    goal: { atLeast: 100 },
  },
  wireSyncRate: { section: streams, what: 'wire, decoded, end to end, zlib-sync', unit: 'MB/s' },
  wireNodeRate: { section: streams, what: 'wire, decoded, end to end, node:zlib', unit: 'MB/s' },
  wireSyncReceiver: { section: streams, what: 'the receiver alone (its CPU), zlib-sync', unit: 'MB/s' },
  wireNodeReceiver: { section: streams, what: 'the receiver alone (its CPU), node:zlib', unit: 'MB/s' },
  wireSender: { section: streams, what: 'the sender alone (its CPU, deflate included)', unit: 'MB/s' },
} as const satisfies Record<string, Figure>;

export type MainFigure = keyof typeof mainFigures;
